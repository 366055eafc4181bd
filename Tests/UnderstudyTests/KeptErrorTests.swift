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

/// The only test of a process: writes what would be its issue.
private struct WrittenIssues: TestHost {
  func testOfCallingTask() -> RunningTest? {
    RunningTest(name: "a confirmed order", adoptsEscapedWork: false)
  }
  func isSkip(_ error: any Error) -> Bool { false }
  func runningCase() -> RunningTest? { nil }
  func report(_ violation: Violation) { writeToStandardError("issue: \(violation)") }
}

/// What cannot be had when a wrapper is made does no harm until it is read.
@Suite struct `A wrapper without a value` {
  private let resolver = Resolver()

  private func bench() -> Bench { withResolver(resolver) { Bench() } }

  @Test func `does no harm, and says so when it is asked`() throws {
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
  @Test func `of the main actor keeps the error, and is read lazily where it can be had`()
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

  @Test func `finds weakly a parent that is created after it, and ends a cycle`() throws {
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

  @Test func `can be given one`() {
    var bench = bench()
    let (first, second, third) = (Tool(), Tool(), Tool())
    bench.missing = first
    bench.later = second
    bench.found = third
    #expect(bench.missing === first && bench.later === second && bench.found === third)
    #expect(bench.$missing.isAvailable && bench.$later.isAvailable)
  }

  /// An unimplemented override is a violation when it is used.
  @Test func `of an unimplemented override is a finding where it is used alone`() async throws {
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

  @Test func `of a strict layer keeps the error, and the live block does not run`() async throws {
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

  @Test func `asks lazily again after an error`() throws {
    let bench = bench()
    #expect(!bench.$later.isAvailable)
    let tool = Tool()
    resolver.register(tool)
    #expect(bench.later === tool)
    #expect(bench.found === tool)
  }

  /// Only the block can tell whether it throws, so a lazy wrapper that is asked makes the value.
  @Test func `that is lazy resolves its value to say whether there is one, once`() throws {
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

  @Test func `finds weakly an object that is made later, and lets go of it`() {
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
    @Test func `ends the process where it is read, with the message at the end`() async throws {
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
  #endif
}
