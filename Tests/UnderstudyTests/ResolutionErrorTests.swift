// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyCompatibility
@testable import Understudy

@MainActor private final class DeclaredScreen {}

extension Dependencies {
  fileprivate static let screen = Dependency { @MainActor in DeclaredScreen() }
}

/// The whole text of an error, for each reason.
@Suite struct `A resolution error` {
  protocol Clock: Sendable {}
  struct SystemClock: Clock {}
  final class Model: Sendable { init(clock: any Clock) {} }

  private let here = "UnderstudyTests/ResolutionErrorTests.swift"

  private func message<Value>(_ body: () throws -> Value) -> String {
    resolutionError(body)?.description ?? "no error"
  }

  @Test func `shows control and bidirectional characters of names as escapes`() {
    let hostile = "a\u{1B}[2J\u{202E}b"
    let resolver = Resolver()
    let text = message { try resolver.resolve((any Clock).self, named: hostile) }
    #expect(
      text.hasPrefix(#"No registration for 'any Clock' named "a\u{1B}[2J\u{202E}b"."# + "\n"))
    #expect(
      Message(hostile, facts: [.init("At", "1\n\(hostile)")]).inOneLine
        == #"a\u{1B}[2J\u{202E}b (At 1 a\u{1B}[2J\u{202E}b)"#)
  }

  @Test func `says that nothing is registered`() {
    let resolver = Resolver()
    let line = #line + 1
    let text = message { try resolver.resolve((any Clock).self) }
    #expect(
      text == """
        No registration for 'any Clock'.
          At         \(here):\(line)
          Consulted  production of an unnamed resolver (0 registrations)
        To fix, do one of these:
          • Register it:  resolver.register { … as any Clock }
          • Override it:  withOverrides(of: …) { $0.register { … as any Clock } } operation: { … }
        """)
  }

  @Test func `names the requester, the path, the layers and near keys`() {
    let resolver = Resolver()
    resolver.register((any Clock).self, named: "wall") { SystemClock() }
    let line = #line + 1
    resolver.register { r in Model(clock: try r.resolve()) }
    resolver.register { r in [try r.resolve(Model.self)] }
    let text = withLayer(of: resolver, named: "a confirmed order") {
      $0.register(1)
      $0.register("x")
    } operation: {
      withLayer(of: Resolver(), named: "of another resolver") { _ in
      } operation: {
        withLayer(of: resolver, named: "inner") {
          $0.register(1)
        } operation: {
          message { try resolver.resolve([Model].self) }
        }
      }
    }
    #expect(
      text == """
        No registration for 'any Clock'.
          Requested by  Model
          Path          [Model] → Model → any Clock
          At            \(here):\(line)
          Consulted     layer 'inner' (Int), layer 'a confirmed order' (Int, String), \
        production of an unnamed resolver (3 registrations)
        To fix, do one of these:
          • Register it:  resolver.register { … as any Clock }
          • Override it:  withOverrides(of: …) { $0.register { … as any Clock } } operation: { … }
        Did you mean 'any Clock' named "wall"?
        """)
  }

  @Test func `writes names and containers into the remedies`() {
    let resolver = Resolver()
    let line = #line + 1
    let text = message { try resolver.resolve(Int.self, named: "level", in: 3) }
    #expect(
      text == """
        No registration for 'Int' named "level" in 3.
          At         \(here):\(line)
          Consulted  production of an unnamed resolver (0 registrations)
        To fix, do one of these:
          • Register it:  resolver.register(named: "level", in: 3) { … as Int }
          • Override it:  withOverrides(of: …) { $0.register(named: "level", in: 3) { … as Int } } operation: { … }
        """)
  }

  /// A value that is no literal is left out, and the headline has it.
  @Test func `writes names without a literal as a value of their type`() {
    let resolver = Resolver()
    func remedy(_ name: any Hashable & Sendable) -> String? {
      message { try resolver.resolve(Int.self, named: name) }.split(separator: "\n")
        .first { $0.contains("Register it") }
        .map { String($0.trimmingPrefix("  • Register it:  resolver.register(named: ")) }
    }
    #expect(remedy(Character("x")) == #""x" as Character) { … as Int }"#)
    #expect(remedy(Double.nan) == "… as Double) { … as Int }")
    #expect(remedy(Float(1.5)) == "1.5 as Float) { … as Int }")
    #expect(remedy(Text()) == "… as Text) { … as Int }")
    #expect(remedy(["a"]) == #"["a"] as [String]) { … as Int }"#)
  }

  struct Text: Hashable, CustomStringConvertible { var description: String { "named: evil" } }

  @Test func `writes the passed argument into the remedies`() {
    let resolver = Resolver()
    let text = message { try resolver.resolve(Mailer.self, with: 1, named: "fast") }
    #expect(
      text.hasSuffix(
        """
          • Register it:  resolver.register(named: "fast") { (_: Int) in … as Mailer }
          • Override it:  withOverrides(of: …) { $0.register(named: "fast") { (_: Int) in … as Mailer } } operation: { … }
        """))
    resolver.register { (_: Int) in await Self.clock() }
    let asynchronous = message { try resolver.resolve((any Clock).self, with: 1) }
    #expect(
      asynchronous.contains(
        "Wait for it:  try await resolver.resolveAsync((any Clock).self, with: …)\n"))
  }

  struct Mailer: Sendable {}
  struct Mailbox: Sendable {}
  struct Mailers: Sendable {}

  @Test func `proposes at most three near misses, the same type before a similar name`() {
    let resolver = Resolver()
    for id in 0..<5 { resolver.register(named: id) { Mailer() } }
    resolver.register { Mailers() }
    let same = resolutionError { try resolver.resolve(Mailer.self) }
    #expect(same?.nearMisses == (0..<3).map { (id: Int) in AnyKey(type: Mailer.self, named: id) })
    #expect(
      same?.description.hasSuffix(
        "\nDid you mean 'Mailer' named 0, or 'Mailer' named 1, or 'Mailer' named 2?") == true)
    resolver.unregister(Mailer.self)
    resolver.register { Mailbox() }
    let similar = resolutionError { try resolver.resolve(Mailer.self) }
    #expect(similar?.nearMisses == [AnyKey(type: Mailers.self)])
    resolver.unregister(Key<Mailers>())
    #expect(resolutionError { try resolver.resolve(Mailer.self) }?.nearMisses == [])
  }

  @Test func `says that a weak object is gone`() {
    let resolver = Resolver()
    let line = #line + 1
    resolver.register(weak: Coin(1))
    let text = message { try resolver.resolve(Coin.self) }
    #expect(
      text == """
        The object registered weakly for 'Coin' is gone.
          At          \(here):\(line + 1)
          Registered  \(here):\(line)
        To fix, do one of these:
          • Keep the object for as long as it is asked for.
          • Ask for 'Coin?', which is nil when the object is gone.
        """)
  }

  @Test func `says that a value cannot be held weakly`() {
    let resolver = Resolver()
    let line = #line + 1
    resolver.register(weak: 5)
    let text = message { try resolver.resolve(Int.self) }
    #expect(
      text == """
        'Int' was registered 'weak:', but a value type cannot be held weakly.
          At          \(here):\(line + 1)
          Registered  \(here):\(line)
        To fix, do one of these:
          • Register the value itself:  resolver.register(value)
          • Register an object:  resolver.register(weak: object)
        """)
  }

  @Test func `names the expected and the given argument`() {
    let resolver = Resolver()
    let line = #line + 1
    resolver.register { (id: Int) in Coin(id) }
    let missing = message { try resolver.resolve(Coin.self) }
    let wrong = message { try resolver.resolve(Coin.self, with: "7") }
    #expect(
      missing == """
        'Coin' takes an argument of type 'Int', and none was given.
          At          \(here):\(line + 1)
          Registered  \(here):\(line)
        To fix, do one of these:
          • Pass one:  try resolver.resolve(Coin.self, with: … as Int)
          • Take a Provider of a function:  Provider<(Int) -> Coin>
          • Have its parameters resolved:  resolver.register(autowiring: …)
        """)
    #expect(
      wrong == """
        'Coin' takes an argument of type 'Int', not 'String'.
          At          \(here):\(line + 2)
          Registered  \(here):\(line)
        To fix, do one of these:
          • Pass one:  try resolver.resolve(Coin.self, with: … as Int)
          • Register a block that takes what is passed.
        """)
  }

  /// Registrations that differ in their arguments alone have one key.
  @Test(arguments: [false, true])
  func `names the replaced registration that takes another argument`(isOfLayer: Bool) {
    let resolver = Resolver()
    let line = #line + 2
    func register(on registering: some Registering) {
      registering.register { (id: Int, _: String) in Coin(id) }
      registering.register { (id: Int) in Coin(id) }
    }
    if !isOfLayer { register(on: resolver) }
    let text = withLayer(.check(.unusedOverride, .off), of: resolver) {
      if isOfLayer { register(on: $0) }
    } operation: {
      message { try resolver.resolve(Coin.self, with: (7, "7"), line: 90) }
    }
    #expect(
      text == """
        'Coin' takes an argument of type 'Int', not '(Int, String)'.
          At          \(here):90
          Registered  \(here):\(line + 1)
          Replaced    \(here):\(line), which takes the passed argument
        To fix, do one of these:
          • Pass one:  try resolver.resolve(Coin.self, with: … as Int)
          • Tell the registrations apart with a name.
        """)
  }

  @Test func `names no replaced registration that does not take what was passed either`() {
    let resolver = Resolver()
    resolver.register { (id: Int, _: Bool) in Coin(id) }
    resolver.register { (id: Int) in Coin(id + 1) }
    let text = message { try resolver.resolve(Coin.self, with: "7") }
    #expect(!text.contains("Replaced"))
  }

  /// A proposed line must compile.
  @Test func `proposes a line that compiles for a protocol and for a name`() {
    let resolver = Resolver()
    resolver.register { (_: Int) in SystemClock() as any Clock }
    resolver.register(named: "n") { (id: Int) in Coin(id) }
    let protocolText = message { try resolver.resolve((any Clock).self) }
    let nameText = message { try resolver.resolve(Coin.self, named: "n") }
    #expect(
      protocolText.contains(
        "  • Pass one:  try resolver.resolve((any Clock).self, with: … as Int)\n"))
    #expect(
      nameText.contains(
        #"  • Pass one:  try resolver.resolve(Coin.self, with: … as Int, named: "n")"# + "\n")
    )
  }

  @Test func `says that something needs itself`() {
    let resolver = Resolver()
    let line = #line + 1
    resolver.register(lifecycle: .cached) { r in Middle(try r.resolve()) }
    resolver.register(lifecycle: .cached) { r in Leaf("\(try r.resolve(Middle.self))") }
    let text = message { try resolver.resolve(Middle.self) }
    #expect(
      text == """
        Creating 'Middle' needs 'Middle' itself.
          Requested by  Leaf
          Path          Middle → Leaf → Middle
          At            \(here):\(line + 1)
          Registered    \(here):\(line)
        To fix, do one of these:
          • Ask for one of them later:  @LazyInject
          • Move the shared part into a third registration.
        """)
  }

  @Test func `says that a decorator gets the value that it requests`() throws {
    let resolver = Resolver()
    resolver.register { Leaf("a") }
    let line = #line + 2
    withOverrides(of: resolver) {
      $0.decorate(Leaf.self) { [resolver] _ in try resolver.resolve() }
    } operation: {
      let text = message { try resolver.resolve(Leaf.self) }
      #expect(
        text == """
          Creating 'Leaf' needs 'Leaf' itself.
            Requested by  Leaf
            Path          Leaf → Leaf
            At            \(here):\(line)
            Registered    \(here):\(line)
          To fix, do one of these:
            • Ask for another type or name.
            • In a decorator, use the value that it gets:  { underlying in … }
          """)
    }
  }

  @Test func `says that the resolution is too deep`() throws {
    let resolver = Resolver()
    let line = #line + 1
    resolver.register { (r, n: Int) throws -> Int in try r.resolve(Int.self, with: n + 1) }
    let text = message { try resolver.resolve(Int.self, with: 0) }
    let path = Array(repeating: "Int", count: 257).joined(separator: " → ")
    #expect(
      text == """
        Creating 'Int' goes more than 256 requests deep.
          Requested by  Int
          Path          \(path)
          At            \(here):\(line)
          Registered    \(here):\(line)
        To fix:  End the recursion, or build the value in a loop within one block.
        """)
  }

  private static func clock() async -> any Clock { SystemClock() }

  @Test func `says that the registration must be awaited`() {
    let resolver = Resolver()
    let line = #line + 1
    resolver.register(named: "wall") { await Self.clock() }
    let text = message { try resolver.resolve((any Clock).self, named: "wall") }
    #expect(
      text == """
        'any Clock' named "wall" is made asynchronously, and was asked for synchronously.
          At          \(here):\(line + 1)
          Registered  \(here):\(line)
        To fix, do one of these:
          • Wait for it:  try await resolver.resolveAsync((any Clock).self, named: "wall")
          • Override it with a double that is made synchronously.
        """)
  }

  /// The message names the block that has to be asynchronous.
  @Test func `names the block that must be awaited`() async {
    let resolver = Resolver()
    let line = #line + 1
    resolver.register { await Self.clock() }
    resolver.register(autowiring: { (clock: any Clock) in [clock] })
    let error = await #expect(throws: ResolutionError.self) {
      try await resolver.resolveAsync([any Clock].self)
    }
    #expect(
      error?.description == """
        'any Clock' is made asynchronously, and was asked for synchronously.
          Requested by  [any Clock]
          Path          [any Clock] → any Clock
          At            \(here):\(line + 1)
          Registered    \(here):\(line)
        To fix, do one of these:
          • Wait for it, in an asynchronous block for '[any Clock]':  \
        try await resolver.resolveAsync((any Clock).self)
          • Override it with a double that is made synchronously.
        """)
  }

  @MainActor final class Screen {}

  @Test func `says that the registration is for the main actor only`() async {
    let resolver = Resolver()
    let line = #line + 1
    resolver.register { @MainActor in Screen() }
    let text = await Task.detached {
      resolutionError { try resolver.resolve(Screen.self) }?.description
    }.value
    #expect(
      text == """
        'Screen' is made on the main actor, and was asked for synchronously from elsewhere.
          At          \(here):\(line + 2)
          Registered  \(here):\(line)
        To fix, do one of these:
          • Wait for it:  try await resolver.resolveAsync(Screen.self)
          • Ask for it in a function or initialiser that is on the main actor:  try resolver.resolve(Screen.self)
        """)
  }

  @Test func `says how to wait for a declared dependency of the main actor`() async throws {
    let resolver = Resolver()
    let error = await Task.detached {
      resolutionError { try withResolver(resolver) { Inject(\.screen) }.get() }
    }.value
    let text = try #require(error?.description)
    #expect(
      text.hasSuffix(
        """
        To fix, do one of these:
          • Wait for it:  try await resolver.resolveAsync(\\.screen)
          • Ask for it in a function or initialiser that is on the main actor:  resolver.resolve(\\.screen)
        """))
    // Both remedies compile, and help.
    let waited = try await resolver.resolveAsync(\.screen)
    let asked = await MainActor.run { resolver.resolve(\.screen) }
    #expect(waited !== asked)
  }

  @Test func `says that a value cannot be cached`() {
    let resolver = Resolver()
    let line = #line + 1
    let key = resolver.container("X", lifecycle: .cached).register { Draft() }
    let text = message { try resolver.resolve(key) }
    #expect(
      text == """
        'Draft' in "X" cannot be cached: its type is not known to be Sendable.
          At          \(here):\(line + 1)
          Registered  \(here):\(line)
        To fix, do one of these:
          • Make 'Draft' Sendable.
          • If it is Sendable, say so where it is registered:  lifecycle: .cached
          • Create a new value for each request:  resolver.register(in: "X") { … as Draft }
        """)
    resolver.register(in: "X") { Draft() as Draft }
    #expect(throws: Never.self) { try resolver.resolve(key) }
  }

  @Test func `contains the error that a block threw`() {
    let resolver = Resolver()
    let line = #line + 1
    resolver.register { () throws -> Coin in throw Mishap() }
    let text = message { try resolver.resolve(Coin.self) }
    #expect(
      text == """
        The block registered for 'Coin' threw an error: Mishap()
          At          \(here):\(line + 1)
          Registered  \(here):\(line)
        """)
  }

  @Test func `separates an error of several lines from its own facts`() {
    struct Story: Error, CustomStringConvertible { let description = "once\n  At  sea\nthe end" }
    let resolver = Resolver()
    let line = #line + 1
    resolver.register { () throws -> Coin in throw Story() }
    let text = message { try resolver.resolve(Coin.self) }
    #expect(
      text == """
        The block registered for 'Coin' threw an error.
          Error       once
                        At  sea
                      the end
          At          \(here):\(line + 1)
          Registered  \(here):\(line)
        """)
  }

  @Test func `says that there is nothing to decorate`() {
    let resolver = Resolver()
    let line = #line + 2
    let text = withLayer(of: resolver) {
      $0.decorate(Coin.self) { $0 }
    } operation: {
      message { try resolver.resolve(Coin.self) }
    }
    #expect(
      text == """
        'Coin' is decorated, and nothing below the decorator answers it.
          At          \(here):\(line + 2)
          Consulted   layer '\(here):\(line - 1)' (Coin), production of an unnamed resolver (0 registrations)
          Registered  \(here):\(line)
        To fix, do one of these:
          • Register the decorated value:  resolver.register { … as Coin }
          • Override it instead:  $0.register { … as Coin }
        """)
  }

  /// A failure below is not wrapped again on its way up.
  @Test func `is passed up unchanged, with the whole path`() throws {
    let resolver = Wiring.blockResolver.makeResolver()
    resolver.unregister(Key<Leaf>())
    resolver.register(lifecycle: .once) { r in "\(try r.resolve(Root.self))" }
    let error = try #require(resolutionError { try resolver.resolve(String.self) })
    #expect(error.kind == "missing")
    #expect(error.key == AnyKey(Key<Leaf>()))
    #expect(error.steps == ["String", "Root", "Middle", "Leaf"])
    #expect(resolver.contains(Key<String>()))
  }

  @Test func `carries the error that the block threw`() throws {
    let resolver = Resolver()
    resolver.register { () throws -> Coin in throw Mishap() }
    let error = try #require(resolutionError { try resolver.resolve(Coin.self) })
    guard case .failed(let underlying) = error.reason else { throw error }
    #expect(underlying as? Mishap == Mishap())
  }
}
