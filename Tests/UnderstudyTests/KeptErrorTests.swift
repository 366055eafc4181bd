// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private final class Tool: Sendable {}

extension Dependencies {
  fileprivate static let tool = Dependency<Tool> { Tool() }
}

private struct Bench {
  @Inject var missing: Tool
  @Inject(\.tool) var declared
  @InjectAll var tools: [Tool]
  @LazyInject var later: Tool
  @WeakInject var weak: Tool?
  @WeakLazyInject var found: Tool?
}

private struct Broken: Error {}

private struct KeyBench: Sendable {
  @Inject var now: Tool
  @LazyInject var later: Tool
  @WeakLazyInject var found: Tool?
}

private enum Forest: Scope {}

private final class Tree: Sendable {
  let branch: Branch
  init() {
    let named = Inject<Branch>()
    branch = (try? named.get()) ?? Inject<Branch>(scopedTo: Forest.self).wrappedValue
  }
}

private final class Branch: Sendable {
  private let parent = WeakLazyInject<Tree>()
  var tree: Tree? { parent.wrappedValue }
}

/// A host in a process of its own that prints the issues of its only test.
private struct WrittenIssues: TestHost {
  func testOfCallingTask() -> RunningTest? {
    RunningTest(name: "a confirmed order", adoptsEscapedWork: false)
  }
  func isSkip(_ error: any Error) -> Bool { false }
  func runningCase() -> RunningTest? { nil }
  func report(_ violation: Violation) -> Bool {
    writeToStandardError("issue: \(violation)")
    return false
  }
}

/// A missing dependency of a wrapper is an error only when it is read.
@Suite struct `A wrapper without a value` {
  private let resolver = Resolver()

  private func bench() -> Bench { withResolver(resolver) { Bench() } }

  @Test func `is no issue until it is read`() throws {
    let bench = bench()
    #expect(!bench.$missing.isAvailable && !bench.$later.isAvailable)
    #expect(!bench.$weak.isAvailable && !bench.$found.isAvailable)
    #expect(bench.$tools.isAvailable && bench.$declared.isAvailable)
    let error = #expect(throws: ResolutionError.self) { try bench.$missing.get() }
    #expect(error?.description.hasPrefix("No registration for 'Tool'.") == true)
    #expect(throws: ResolutionError.self) { try bench.$later.get() }
    #expect(try bench.$weak.get() == nil)
    #expect(try bench.$found.get() == nil)
  }

  @Test func `keeps the error of a block that threw`() throws {
    resolver.register { () throws -> Tool in throw Broken() }
    let bench = bench()
    #expect(throws: ResolutionError.self) { try bench.$missing.get() }
    #expect(throws: ResolutionError.self) { try bench.$tools.get() }
    #expect(throws: ResolutionError.self) { try bench.$weak.get() }
    #expect(throws: ResolutionError.self) { try bench.$found.get() }
  }

  /// Swift Testing on Linux may create a suite off the main actor.
  @Test func `of the main actor stores the error, and can be read lazily on the main actor`()
    async throws
  {
    resolver.register(lifecycle: .cached) { @MainActor in Tool() }
    let resolver = resolver
    let bench = await Task.detached { withResolver(resolver) { KeyBench() } }.value
    #expect(!bench.$now.isAvailable)
    let error = #expect(throws: ResolutionError.self) { try bench.$now.get() }
    #expect(error?.description.hasPrefix("'Tool' is made on the main actor") == true)
    #expect(!bench.$later.isAvailable)
    #expect(await MainActor.run { bench.$later.isAvailable && bench.$found.isAvailable })
    #expect(bench.later === bench.found)
  }

  @Test func `finds a parent weakly that is created after it, so there is no cycle`() throws {
    resolver.register(lifecycle: .cached) { Branch() }
    resolver.register(lifecycle: .cached) { Tree() }
    let tree = try withResolver(resolver) { try resolver.resolve(Tree.self) }
    #expect(tree.branch.tree === tree)
    weak var kept: Tree?
    do {
      let other = Resolver()
      other.register(scopedTo: Forest.self) { Tree() }
      other.register(scopedTo: Forest.self) { Branch() }
      let tree = try withResolver(other) { try other.resolve(Tree.self, scopedTo: Forest.self) }
      kept = tree
    }
    #expect(kept == nil)
  }

  @Test func `can be set`() {
    var bench = bench()
    let (first, second, third) = (Tool(), Tool(), Tool())
    bench.missing = first
    bench.later = second
    bench.found = third
    #expect(bench.missing === first && bench.later === second && bench.found === third)
    #expect(bench.$missing.isAvailable && bench.$later.isAvailable)
  }

  /// An unimplemented override is a violation only if it is used.
  @Test func `of an unimplemented override is an issue only if it is used`() async throws {
    let resolver = resolver
    try await expect(issues: []) {
      withOverrides(of: resolver) {
        $0.unimplemented(Tool.self)
        $0.unimplemented(\.tool)
      } operation: {
        let bench = withResolver(resolver) { Bench() }
        #expect(!bench.$missing.isAvailable && !bench.$declared.isAvailable)
      }
    }
    withKnownIssue {
      withOverrides(of: resolver) {
        $0.unimplemented(Tool.self)
      } operation: {
        withResolver(resolver) { _ = try? Bench().$missing.get() }
      }
    }
  }

  @Test func `of a value that an outer layer forbids is one issue, also for the block that asks`()
    async throws
  {
    struct Holder: Sendable {}
    let resolver = resolver
    let text = """
      'Tool' was used, though the test says that it is unimplemented.
        Requested by  Holder
        Path          Holder → Tool
        At            \(#fileID):931
        Registered    \(#fileID):930
      To fix, do one of these:
        • Override it with a double:  $0.register { … as Tool }
        • Find out why the code under test asks for it.
      """
    try await expect(issues: [.error(text, line: 931)]) {
      withOverrides(of: resolver) {
        $0.unimplemented(Tool.self, line: 930)
      } operation: {
        withOverrides(of: resolver) {
          $0.register { r in
            _ = try r.resolve(Tool.self, line: 931)
            return Holder()
          }
        } operation: {
          let holder = withResolver(resolver) { Inject<Holder>() }
          _ = try? holder.get()
        }
      }
    }
  }

  @Test func `of a strict layer stores the error, and the live block does not run`() async throws {
    let count = CallCounter()
    resolver.register {
      _ = count.next()
      return Tool()
    }
    let resolver = resolver
    try await expect(issues: []) {
      withOverrides(.strict, of: resolver, allowing: [Tool].self) { _ in
      } operation: {
        let missing = withResolver(resolver) { Inject<Tool>() }
        #expect(!missing.isAvailable)
      }
    }
    #expect(count.value == 0)
  }

  @Test func `of an alias is an issue only if it is used`() async throws {
    struct Owner {
      @Inject var tool: any Sendable
    }
    let resolver = resolver
    resolver.alias(resolver.register { Tool() }, as: (any Sendable).self)
    try await expect(issues: []) {
      withOverrides(.strict, of: resolver) { _ in
      } operation: {
        #expect(!withResolver(resolver) { Owner() }.$tool.isAvailable)
      }
      withOverrides(of: resolver) {
        $0.unimplemented(Tool.self)
      } operation: {
        #expect(!withResolver(resolver) { Owner() }.$tool.isAvailable)
      }
    }
    withKnownIssue {
      withOverrides(.strict, of: resolver) { _ in
      } operation: {
        _ = try? withResolver(resolver) { Owner() }.$tool.get()
      }
    }
  }

  @Test func `resolves lazily again after an error`() throws {
    let bench = bench()
    #expect(!bench.$later.isAvailable)
    let tool = Tool()
    resolver.register(tool)
    #expect(bench.later === tool)
    #expect(bench.found === tool)
  }

  /// Only the block can tell whether it throws, so `isAvailable` of a lazy wrapper resolves the
  /// value.
  @Test func `that is lazy resolves its value once to tell whether there is one`() throws {
    let count = CallCounter()
    resolver.register {
      _ = count.next()
      return Tool()
    }
    let bench = withResolver(resolver) { LazyInject<Tool>() }
    #expect(count.value == 0)
    #expect(bench.isAvailable && bench.isAvailable)
    _ = try bench.get()
    #expect(count.value == 1)
    resolver.register { () throws -> Tool in throw Broken() }
    #expect(!withResolver(resolver) { LazyInject<Tool>() }.isAvailable)
    #expect(!withResolver(resolver) { WeakLazyInject<Tool>() }.isAvailable)
  }

  @Test func `finds an object weakly that is created later, and does not retain it`() {
    let bench = bench()
    #expect(bench.found == nil)
    var tool: Tool? = Tool()
    resolver.register(weak: tool!)
    #expect(bench.found === tool)
    tool = nil
    #expect(bench.found == nil)
    resolver.register(Tool())
    #expect(bench.found == nil)
  }

  #if os(Linux) || os(macOS)
    @Test func `ends the process when it is read, with the message at the end`() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let bench = withResolver(Resolver()) { Bench() }
        _ = bench.missing
      }
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(text.contains("Fatal error: \nNo registration for 'Tool'."), "\(text)")
    }

    @Test func `is an issue of its test first, and the last message names the test`() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        TestHosts.install(WrittenIssues())
        let bench = withResolver(Resolver()) { Bench() }
        _ = bench.later
      }
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      let parts = text.split(separator: "Fatal error: \n")
      #expect(parts.count == 2, "\(text)")
      #expect(parts.first?.contains("issue: No registration for 'Tool'.") == true, "\(text)")
      #expect(parts.last?.hasPrefix("No registration for 'Tool'.") == true, "\(text)")
      #expect(parts.last?.contains("\n  Test       'a confirmed order'\n") == true, "\(text)")
    }

    @Test func `is one issue if its layer has ended, and names the layer and the way out`()
      async throws
    {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        TestHosts.install(WrittenIssues())
        let resolver = Resolver()
        let bench = withOverrides(of: resolver, named: "set up") { _ in
        } operation: {
          withResolver(resolver) { Bench() }
        }
        _ = bench.later
      }
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      let parts = text.split(separator: "Fatal error: \n")
      let headline =
        "'Tool' was asked for under the ended layer 'set up' of the test 'a confirmed order'."
      #expect(text.ranges(of: "issue: ").count == 1, "\(text)")
      #expect(parts.first?.contains("issue: \(headline)") == true, "\(text)")
      #expect(parts.last?.hasPrefix(headline) == true, "\(text)")
      #expect(parts.last?.contains("withOverrides(until: .endOfTest) { … }") == true, "\(text)")
    }
  #endif
}
