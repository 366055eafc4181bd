// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

enum OtherName: Hashable, Sendable { case real }

/// Misuse is reported completely. `BladeTests` covers scopes with values.
@Suite struct `Bad input` {
  let resolver = Resolver()
  private let here = "UnderstudyTests/BadInputTests.swift"

  @Test func `an unknown key is reported with its place, the searched levels and near keys`() throws
  {
    resolver.register((any Plugin).self, in: Group.plugins) { ToolPlugin(id: 1) }
    resolver.register(5)
    let key = Key<any Plugin>(named: "tool", in: Group.plugins)
    #expect(
      resolutionError { try resolver.resolve(key, line: 99) }?.description == """
        No registration for 'any Plugin' named "tool" in plugins.
          At         \(here):99
          Consulted  production of an unnamed resolver (2 registrations)
        To fix, do one of these:
          • Register it:  resolver.register(named: "tool", in: Group.plugins) { … as any Plugin }
          • Override it:  withOverrides(of: …) { $0.register(named: "tool", in: Group.plugins) \
        { … as any Plugin } } operation: { … }
        Did you mean 'any Plugin' in plugins?
        """)
    #expect(try resolver.resolve(all: [key]).isEmpty)
    #expect(resolver.filter([key]).isEmpty)
    #expect(!resolver.unregister(key))
  }

  @Test(
    arguments: [
      ("real", "\"real\""), (1, "1"), (1.5, "1.5"), (true, "true"),
    ] as [(any Hashable & Sendable, String)])
  func `a name of the wrong type is another name, and the right one is proposed`(
    name: any Hashable & Sendable, spelling: String
  ) {
    resolver.register((any Mailer).self, named: Name.real) { SMTPMailer() }
    #expect(
      resolutionError { try resolver.resolve((any Mailer).self, named: name, line: 99) }?
        .description == """
          No registration for 'any Mailer' named \(spelling).
            At         \(here):99
            Consulted  production of an unnamed resolver (1 registration)
          To fix, do one of these:
            • Register it:  resolver.register(named: \(spelling)) { … as any Mailer }
            • Override it:  withOverrides(of: …) { $0.register(named: \(spelling)) { … as any Mailer } } operation: { … }
          Did you mean 'any Mailer' named real?  resolver.resolve((any Mailer).self, named: Name.real)
          """)
  }

  @Test func `names that look the same are distinguished, and written as in a program`() {
    resolver.register((any Mailer).self, named: Name.real) { SMTPMailer() }
    #expect(
      resolutionError { try resolver.resolve((any Mailer).self, named: OtherName.real, line: 99) }?
        .description == """
          No registration for 'any Mailer' named real.
            In full    'any Mailer' named OtherName.real
            At         \(here):99
            Consulted  production of an unnamed resolver (1 registration)
          To fix, do one of these:
            • Register it:  resolver.register(named: OtherName.real) { … as any Mailer }
            • Override it:  withOverrides(of: …) { $0.register(named: OtherName.real) { … as any Mailer } } operation: { … }
          Did you mean 'any Mailer' named Name.real?  resolver.resolve((any Mailer).self, named: Name.real)
          """)
  }

  private enum First { struct Client: Sendable {} }
  private enum Second { struct Client: Sendable {} }

  @Test func `types that look the same are distinguished`() throws {
    resolver.register(named: "n", scopedTo: Login.self) { First.Client() }
    let error = try #require(
      resolutionError {
        try resolver.resolve(Second.Client.self, named: "n", scopedTo: Login.self)
      })
    let (name, text) = (" named \"n\", Login.self", error.description)
    #expect(
      text.contains(
        "\n  In full    '\(String(reflecting: Second.Client.self).withoutAddresses)'\(name)\n"))
    #expect(
      text.hasSuffix(
        "Did you mean '\(String(reflecting: First.Client.self).withoutAddresses)'\(name)?"))
  }

  @Test(
    arguments: [
      (Key(named: UInt8(1)), "(named: 1 as UInt8)"),
      (Key(named: "x".prefix(1)), "(named: \"x\" as Substring)"),
      (Key(named: "n", scopedTo: Login.self), "(named: \"n\", scopedTo: Login.self)"),
      (Key(named: "a\"b"), #"(named: "a\"b")"#),
      (Key(qualifiedBy: Staging.self), "(qualifiedBy: Staging.self)"),
    ] as [(Key<Int>, String)])
  func `the requested key is written as in a program`(key: Key<Int>, labels: String) {
    let error = resolutionError { try resolver.resolve(key) }
    #expect(error?.description.contains("resolver.register\(labels) { … as Int }") == true)
  }

  @Test func `two assemblies with one key at one priority are a finding with both places`() throws {
    let line = #line + 1
    let first = Module { $0.register("first", named: "origin") }
    let second = Module { $0.register("second", named: "origin") }
    try resolver.load(first, second)
    #expect(try resolver.resolve(String.self, named: "origin") == "first")
    let error = #expect(throws: DependencyGraph.ValidationError.self) {
      try resolver.graph.validate()
    }
    #expect(
      error?.description == """
        The dependency graph has 1 finding.

        'String' named "origin" is registered twice.
          At   \(here):\(line + 1)
          And  \(here):\(line)
        To fix, do one of these:
          • Remove one of them.
          • Give one a name.
        """)
    try resolver.graph.validate(ignoring: [.duplicate])
  }

  @Test func `A decorated override is not registered twice`() throws {
    let resolver = Resolver()
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.register { "made" }
      $0.decorate(String.self) { "\($0), decorated" }
    } operation: {
      #expect(resolver.graph.findings == [])
      try #expect(resolver.resolve(String.self) == "made, decorated")
    }
  }

  @Test func `an injected target that is released elsewhere is retained until the injection ends`()
    throws
  {
    let witness = Box<Witness?>(nil)
    let wasThere = Box(false)
    resolver.into(Target.self).inject { target, _ in
      target.release()
      wasThere.value = witness.value?.isThere == true
      target.level.value = 7
    }.register()
    let level = Box(0)
    let owner = Owner(Target(level))
    witness.value = owner.target.map { Witness($0) }
    owner.target?.onRelease.value = { owner.target = nil }
    try resolver.resolve(into: #require(owner.target))
    #expect(wasThere.value)
    #expect(level.value == 7)
    #expect(witness.value?.isGone == true)
  }
}

/// Makes its owner release it.
private final class Target: Sendable {
  let level: Box<Int>
  let onRelease = Box<@Sendable () -> Void>({})

  init(_ level: Box<Int>) { self.level = level }

  func release() { onRelease.value() }
}

private final class Owner: Sendable {
  private let held: Box<Target?>

  var target: Target? {
    get { held.value }
    set { held.value = newValue }
  }

  init(_ target: Target) { held = Box(target) }
}
