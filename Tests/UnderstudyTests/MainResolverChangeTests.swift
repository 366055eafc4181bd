// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import Understudy

private let file = #fileID

/// The block that configures a layer does not see the layer yet.
@Suite(.serialized) struct `A registration on the main resolver` {
  @Test func `is reported from the block that configures a layer`() async throws {
    struct Misplaced: Sendable {}
    defer { Resolver.main.unregister(Key<Misplaced>()) }
    let text = """
      'Misplaced' was registered on 'Resolver.main' while a test runs: other tests see it, too.
        Registered  \(file):1021
        Layer       'test'
      To fix, do one of these:
        • Override it for this test:  $0.register { … as Misplaced }
        • Allow it:  withOverrides(.check(.leakedRegistration, .off)) { … } operation: { … }
      """
    try await expect(issues: [.warning(text, line: 1021)]) {
      withOverrides(named: "test") { _ in
        _ = Resolver.main.register(Misplaced(), line: 1021)
      } operation: {
      }
    }
  }
}

private struct Leaflet: Sendable {}

extension Dependencies {
  fileprivate static var leaflet: Dependency<Leaflet> { Dependency { Leaflet() } }
}

/// All tests share production, so no test may change it unnoticed.
@Suite struct `A change of the main resolver in a test` {
  private func expectIssues(
    _ issues: [Caught], _ body: @Sendable @escaping () throws -> Void
  ) async throws {
    try await expect(issues: issues) {
      try withOverrides(named: "test") { _ in
      } operation: {
        try body()
      }
    }
  }

  /// Runs a change without a place of its own, and returns the issue at the test.
  private func told(_ text: String) throws -> Caught {
    let place = try #require(Test.current).sourceLocation
    return Caught(text, isError: false, line: place.line, file: place.fileID)
  }

  private func removed(_ headline: String, lines: [Int]) throws -> Caught {
    let places = lines.map { "\(file):\($0)" }.joined(separator: "\n              ")
    return try told(
      """
      \(headline)
        Registered  \(places)
        Layer       'test'
      To fix, do one of these:
        • Have the test ask a resolver of its own:  withResolver(Resolver()) { … }
        • Allow it:  withOverrides(.check(.leakedRegistration, .off)) { … } operation: { … }
      """)
  }

  @Test func `is reported for a removed registration`() async throws {
    let key = Resolver.main.register(Leaflet(), named: "one", line: 1016)
    Resolver.main.register(Leaflet(), named: "two", in: "leaflets", line: 1017)
    Resolver.main.register(Leaflet(), named: "three", in: "leaflets", line: 1018)
    try await expectIssues([
      try removed(
        "'Leaflet' named \"one\" was removed from 'Resolver.main' while a test runs: "
          + "other tests miss it, too.", lines: [1016]),
      try removed(
        "2 registrations were removed from 'Resolver.main' while a test runs: "
          + "other tests miss them, too.", lines: [1017, 1018]),
    ]) {
      #expect(Resolver.main.unregister(key))
      #expect(!Resolver.main.unregister(key))
      #expect(Resolver.main.unregister(in: "leaflets") == 2)
    }
  }

  private func leak(
    named name: String, in layer: String, line: Int, ofTest: Bool = false
  ) -> Caught {
    let off = ".check(.leakedRegistration, .off)"
    let allowing =
      ofTest ? ".overrides(\(off)) { … }" : "withOverrides(\(off)) { … } operation: { … }"
    return Caught(
      """
      'Leaflet' named "\(name)" was registered on 'Resolver.main' while a test runs: other tests see it, too.
        Registered  \(file):\(line)
        Layer       '\(layer)'
      To fix, do one of these:
        • Override it for this test:  OverrideLayer.required.register(named: "\(name)") { … as Leaflet }
        • Allow it:  \(allowing)
      """, isError: false, line: line, file: file)
  }

  /// The code under test may register a whole program when it is first reached.
  @Test func `is told once for many registrations, with the first five`() async throws {
    let names = (1...7).map { "many \($0)" }
    let text = """
      7 registrations were made on 'Resolver.main' while a test runs: other tests see them, too.
        Registered  'Leaflet' named "many 1", at \(file):1024
                    'Leaflet' named "many 2", at \(file):1024
                    'Leaflet' named "many 3", at \(file):1024
                    'Leaflet' named "many 4", at \(file):1024
                    'Leaflet' named "many 5", at \(file):1024
                    and others
        Layer       'test'
      To fix, do one of these:
        • Override them for this test:  OverrideLayer.required.install(…)
        • Allow it:  withOverrides(.check(.leakedRegistration, .off)) { … } operation: { … }
      """
    try await expectIssues([.warning(text, line: 1024)]) {
      for name in names { Resolver.main.register(Leaflet(), named: name, line: 1024) }
      for name in names { Resolver.main.unregister(Key<Leaflet>(named: name)) }
    }
  }

  /// A loop that registers one key again and again is one finding.
  @Test func `is told as one registration for one key at one place`() async throws {
    try await expectIssues([leak(named: "again", in: "test", line: 1025)]) {
      for _ in 1...3 { Resolver.main.register(Leaflet(), named: "again", line: 1025) }
      Resolver.main.unregister(Key<Leaflet>(named: "again"))
    }
  }

  /// Work that keeps the context of a layer may register when that has ended.
  @Test func `is told for a layer that has ended`() async throws {
    let layer = Stage.root("ended", of: .main, adoptsEscapedWork: false)
    _ = layer.end()
    try await expect(issues: [leak(named: "late", in: "ended", line: 1026, ofTest: true)]) {
      OverrideLayer.binding(layer) {
        let key = Resolver.main.register(Leaflet(), named: "late", line: 1026)
        _ = Resolver.main.unregister(key)
      }
    }
  }

  /// The test was told of its registration, so removing it again is no further issue.
  @Test func `is not reported for the removal of its own registration`() async throws {
    let leak = leak(named: "own", in: "inner", line: 1019)
    try await expectIssues([leak]) {
      let key = withOverrides(named: "inner") { _ in
      } operation: {
        Resolver.main.register(Leaflet(), named: "own", line: 1019)
      }
      #expect(Resolver.main.unregister(key))
      let other = Resolver()
      #expect(other.unregister(other.register(Leaflet())))
    }
  }

  @Test func `is reported for an assembly that is loaded, or was loaded before`() async throws {
    struct Leaflets: Assembly {
      func assemble(into registrar: some Registering) {
        registrar.register(Leaflet(), named: "loaded", line: 1023)
      }
    }
    let leak = leak(named: "loaded", in: "test", line: 1023)
    try await expectIssues([leak]) {
      try Resolver.main.load(Leaflets())
      #expect(Resolver.main.unload(Leaflets()))
    }
    try Resolver.main.load(Leaflets())
    try await expectIssues([
      try removed(
        "'Leaflet' named \"loaded\" was removed from 'Resolver.main' while a test runs: "
          + "other tests miss it, too.", lines: [1023])
    ]) {
      #expect(Resolver.main.unload(Leaflets()))
    }
  }

  @Test func `is told of a declared dependency with the line that overrides it`() async throws {
    let leak = Caught(
      """
      '\\.leaflet' was registered on 'Resolver.main' while a test runs: other tests see it, too.
        Registered  \(file):1022
        Layer       'test'
      To fix, do one of these:
        • Override it for this test:  OverrideLayer.required.override(\\.leaflet, with: …)
        • Allow it:  withOverrides(.check(.leakedRegistration, .off)) { … } operation: { … }
      """, isError: false, line: 1022, file: file)
    try await expectIssues([leak]) {
      let key = Resolver.main.prepare(\.leaflet, line: 1022) { Leaflet() }
      #expect(Resolver.main.unregister(key))
    }
  }

  @Test func `is told with the scope that helps a test whose layer overrides another resolver`()
    async throws
  {
    defer { Resolver.main.unregister(Key<Leaflet>(named: "of another")) }
    let leak = Caught(
      """
      'Leaflet' named "of another" was registered on 'Resolver.main' while a test runs: \
      other tests see it, too.
        Registered  \(file):1023
        Layer       'test'
      To fix, do one of these:
        • Override it for this test:  withOverrides(of: .main) { … } operation: { … }
        • Allow it:  withOverrides(.check(.leakedRegistration, .off)) { … } operation: { … }
      """, isError: false, line: 1023, file: file)
    try await expect(issues: [leak]) {
      withOverrides(of: Resolver(), named: "test") { _ in
      } operation: {
        _ = Resolver.main.register(Leaflet(), named: "of another", line: 1023)
      }
    }
  }

  @Test func `knows a registration of a test whose instance is forgotten`() {
    let resolver = Resolver()
    let key = resolver.register(lifecycle: .cached) { 1 }
    let registration = resolver.store.registration(for: key.erased)
    registration?.mark(.leaked)
    resolver.store.changing { $0.renew(registration!, &$1) }
    #expect(resolver.store.registration(for: key.erased)?.has(.leaked) == true)
    #expect(resolver.store.registration(for: key.erased) !== registration)
  }

  @Test func `is not reported for an allowed type`() async throws {
    let key = Resolver.main.register(Leaflet(), named: "allowed")
    try await expect(issues: []) {
      withOverrides(.check(.leakedRegistration, .off)) { _ in
      } operation: {
        #expect(Resolver.main.unregister(key))
        Resolver.main.inTests = nil
      }
    }
  }

  private static func text(_ effect: String, _ remedy: String) -> String {
    """
    'inTests' of 'Resolver.main' was set while a test runs: other tests \(effect), too.
      Layer  'test'
    To fix, do one of these:
      • \(remedy)
      • Allow it:  withOverrides(.check(.leakedRegistration, .off)) { … } operation: { … }
    """
  }

  @Test func `is reported for a live guard that is taken away`() async throws {
    let issue = try told(
      Self.text("lose its guard", "Allow it in this test:  .overrides(.live(.allowed)) { … }"))
    try await expectIssues([issue]) { Resolver.main.inTests = nil }
  }

  /// In this process it would refuse what other tests ask for.
  @Test func `is reported for a live guard`() async {
    await #expect(processExitsWith: .success) {
      withKnownIssue {
        withOverrides(named: "test") { _ in
        } operation: {
          Resolver.main.inTests = .mustBeOverridden
        }
      } matching: { issue in
        "\(issue)".contains(
          Self.text(
            "are guarded by it", "Guard this test:  .overrides(.live(.mustBeOverridden)) { … }"))
      }
    }
  }
}
