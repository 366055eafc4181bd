// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

protocol UsesCell: AnyObject { var cell: Prop? { get set } }
protocol UsesLevel: AnyObject { var level: Int { get set } }

class Panel: UsesCell, UsesLevel {
  var cell: Prop?
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  var other: Prop! = nil
  var level = 5
  var steps: [String] = []
}
final class SpecialScreen: Panel {}
final class Unrelated { var cell: Prop? }
struct Form: Equatable { var level = 0, title = "old" }

private func live<Value: Sendable>(_ value: Value) -> Dependency<Value> { Dependency { value } }

extension Dependencies {
  fileprivate static var rank: Dependency<Int> { live(12) }
}

@Suite struct `Injecting into an existing object` {
  let resolver = Resolver()
  let screen = Panel()

  @Test func `G9-60 a chain has no effect until it is registered`() throws {
    resolver.register { Prop(1) }
    let chain = resolver.into(injectable: Panel.self).inject(\.cell).inject(\.other)
    try resolver.resolve(into: screen)
    #expect(screen.cell == nil)
    #expect(chain.register() == InjectionKey(Panel.self))
    try resolver.resolve(into: screen)
    #expect(screen.cell?.id == 1)
  }

  @Test func `a structure keeps the properties that were injected before an error`() throws {
    struct Refused: Error {}
    resolver.register(7)
    resolver.into(Form.self).inject(\.level).inject { _, _ in throw Refused() }.register()
    var form = Form()
    #expect(throws: ResolutionError.self) { try resolver.resolve(into: &form) }
    #expect(form == Form(level: 7))
  }

  @Test func `G9-61 a target gets all properties of its chain`() throws {
    resolver.register { Prop(1) }
    resolver.register(7)
    resolver.into(Panel.self).inject(\.cell).inject(\.other).inject(\.level).register()
    try resolver.resolve(into: screen)
    #expect(screen.cell?.id == 1)
    #expect(screen.other.id == 1)
    #expect(screen.level == 7)
  }

  @Test func `G9-62 an optional property is answered by its wrapped type`() throws {
    resolver.register { Prop(1) }
    resolver.into((any UsesCell).self).inject(\.cell).register()
    resolver.into(Panel.self).inject(\.other).register()
    try resolver.resolve(into: screen)
    #expect(screen.cell?.id == 1)
    #expect(screen.other.id == 1)
  }

  @Test func `G9-63 a property without a registration keeps its value`() throws {
    resolver.into(Panel.self).inject(\.level).register()
    try resolver.resolve(into: screen)
    #expect(screen.level == 5)
  }

  @Test(arguments: [
    (Unanswered.keepValue, 3 as Int?), (.setNil, nil), (.fail, 3),
  ])
  func `G9-64 an optional property without a registration keeps its value by default`(
    unanswered: Unanswered, id: Int?
  ) throws {
    resolver.into(Panel.self).inject(\.cell, ifMissing: unanswered).register()
    screen.cell = Prop(3)
    if unanswered == .fail {
      #expect(throws: ResolutionError.self) { try resolver.resolve(into: screen) }
    } else {
      try resolver.resolve(into: screen)
    }
    #expect(screen.cell?.id == id)
  }

  @Test func `G9-65 a name, a container and a key select a registration`() throws {
    resolver.register(named: "a") { Prop(1) }
    resolver.register(in: Group.plugins) { Prop(2) }
    resolver.register { Prop(3) }
    resolver.into(Panel.self).inject(\.cell, named: "a").register()
    try resolver.resolve(into: screen)
    #expect(screen.cell?.id == 1)
    resolver.into(Panel.self).inject(\.cell, in: Group.plugins).register()
    try resolver.resolve(into: screen)
    #expect(screen.cell?.id == 2)
    resolver.into(Panel.self).inject(\.cell, Key<Prop>(named: "a")).register()
    try resolver.resolve(into: screen)
    #expect(screen.cell?.id == 1)
    resolver.into(Panel.self).inject(\.level, \.clock).register()
    try resolver.resolve(into: screen)
    #expect(screen.level == 12)
  }

  @Test func `G9-66 every matching chain is applied, also those of protocols and superclasses`()
    throws
  {
    resolver.register { Prop(1) }
    resolver.register(7)
    resolver.into((any UsesCell).self).inject(\.cell).register()
    resolver.into((any UsesLevel).self).inject(\.level).register()
    resolver.into(Panel.self).inject(\.other).register()
    resolver.into(Unrelated.self).inject(\.cell).register()
    let special = SpecialScreen()
    try resolver.resolve(into: special)
    #expect(special.cell?.id == 1)
    #expect(special.level == 7)
    #expect(special.other.id == 1)
    let existential: any UsesCell = Panel()
    try resolver.resolve(into: existential)
    #expect(existential.cell?.id == 1)
  }

  @Test func `G9-67 chains are applied in the order of registration, and so are their steps`()
    throws
  {
    resolver.into((any UsesCell).self).inject { target, _ in
      (target as? Panel)?.steps.append("protocol")
    }.register()
    resolver.into(Panel.self)
      .inject { target, _ in target.steps.append("first") }
      .inject { target, _ in target.steps.append("second") }
      .register()
    resolver.into(Panel.self, under: "again").inject { target, _ in target.steps.append("text") }
      .register()
    try resolver.resolve(into: screen)
    #expect(screen.steps == ["protocol", "first", "second", "text"])
  }

  @Test func `G9-68 a chain for the same type replaces the earlier one`() throws {
    resolver.into(Panel.self).inject { target, _ in target.steps.append("old") }.register()
    resolver.into(Panel.self).inject { target, _ in target.steps.append("new") }.register()
    try resolver.resolve(into: screen)
    #expect(screen.steps == ["new"])
  }

  @Test(arguments: [(6, nil), (7, 1 as Int?)])
  func `G9-69 a block may inject or not, return or not, and gets the requested resolver`(
    rank: Int, id: Int?
  ) throws {
    resolver.register { Prop(1) }
    let resolver = resolver
    resolver.into(Panel.self).inject { target, asked in
      #expect(asked === resolver)
      guard target.level >= 7 else { return }
      target.cell = try asked.resolve()
    }.register()
    resolver.into((any UsesCell).self).inject { (target, asked) -> any UsesCell in
      if target.cell == nil { return target }
      (target as? Panel)?.other = try asked.resolve()
      return target
    }.register()
    screen.level = rank
    try resolver.resolve(into: screen)
    #expect(screen.cell?.id == id)
    #expect(screen.other?.id == id)
  }

  @Test func `X3 a value is injected in place`() throws {
    resolver.register(7)
    resolver.into(Form.self)
      .inject(\.level)
      .inject { form, _ in form.title = "new" }
      .inject { (form, _) -> Form in Form(level: form.level + 1, title: form.title) }
      .inject { form, _ in Form(level: form.level + 1, title: form.title) }
      .inject { form, _ in
        let level = form.level
        return Form(level: level + 1, title: form.title)
      }
      .register()
    var form = Form()
    try resolver.resolve(into: &form)
    #expect(form == Form(level: 10, title: "new"))
  }

  @Test func `an object that a block returns in place of the target needs a variable`() throws {
    resolver.into(Panel.self).inject { (_, _) -> Panel in SpecialScreen() }.register()
    let error = #expect(throws: ResolutionError.self) { try resolver.resolve(into: screen) }
    #expect(error?.description.contains("resolve(into: &target)") == true)
    var target = Panel()
    try resolver.resolve(into: &target)
    #expect(target is SpecialScreen)
  }

  @Test func `G9-70 injections are removed by type and by key`() throws {
    let key = resolver.into(Panel.self).inject(\.cell).register()
    let other = resolver.into((any UsesCell).self).inject(\.cell).register()
    let text = resolver.into(Panel.self, under: "text").inject(\.cell).register()
    #expect(resolver.injectables == [key, other, text])
    #expect(resolver.unregister(injectable: Panel.self))
    #expect(!resolver.unregister(injectable: Panel.self))
    #expect(resolver.unregister(injectables: [key, other]) == 1)
    #expect(resolver.reset(.injections) == Resolver.Removed(injections: 1))
    resolver.register { Prop(1) }
    try resolver.resolve(into: screen)
    #expect(screen.cell == nil)
  }

  @Test func `a child resolver runs its parent's chains, and those that replace them`() throws {
    let child = Resolver(parent: resolver)
    resolver.register { Prop(1) }
    child.register(7)
    func adding(_ step: String, to resolver: Resolver, under text: String) {
      resolver.into(Panel.self, under: text).inject { panel, _ in panel.steps.append(step) }
        .register()
    }
    resolver.into(Panel.self).inject(\.cell).inject(\.level).register()
    adding("own", to: child, under: "own")
    adding("parent", to: resolver, under: "parent")
    adding("replaced", to: resolver, under: "both")
    adding("replacing", to: child, under: "both")
    try child.resolve(into: screen)
    #expect(screen.cell?.id == 1)
    #expect(screen.level == 7)
    #expect(screen.steps == ["parent", "own", "replacing"])
    #expect(child.injectables == [InjectionKey("own"), InjectionKey("both")])
  }

  @Test func `an enforced override of a property that may be missing is known`() async throws {
    let resolver = resolver
    resolver.into(Panel.self).inject(\.cell).register()
    try await expect(issues: []) {
      try withOverrides(of: resolver, enforce: true) {
        $0.register { Prop(-1) }
      } operation: {
        let screen = Panel()
        try resolver.resolve(into: screen)
        #expect(screen.cell?.id == -1)
      }
    }
  }

  @Test func `G9-71 a target without a matching chain stays unchanged`() throws {
    screen.cell = Prop(3)
    try resolver.resolve(into: screen)
    #expect(screen.cell?.id == 3)
  }

  @Test func `G9-80 an inert resolver injects nothing and removes nothing`() throws {
    screen.cell = Prop(3)
    try withResolver(.inert) {
      let inert = Resolver.current
      inert.into(Panel.self).inject(\.cell, ifMissing: .setNil).register()
      try inert.resolve(into: screen)
      #expect(inert.injectables.isEmpty)
    }
    #expect(screen.cell?.id == 3)
  }

  @Test func `a double is injected under its layer`() throws {
    resolver.register { Prop(1) }
    resolver.into(Panel.self).inject(\.cell).register()
    try withOverrides(of: resolver) {
      $0.register { Prop(2) }
    } operation: {
      try resolver.resolve(into: screen)
    }
    #expect(screen.cell?.id == 2)
  }

  @Test func `a declared dependency of a helper function is injected`() throws {
    resolver.into(Panel.self).inject(\.level, \.rank).register()
    try resolver.resolve(into: screen)
    #expect(screen.level == 12)
  }

  @Test func `a block that fails is an error with an explanation`() {
    resolver.into(Panel.self).inject { (_: inout Panel, _) in throw BlockFailure() }.register()
    let error = #expect(throws: ResolutionError.self) { try resolver.resolve(into: screen) }
    #expect(error?.description.contains("threw an error: BlockFailure()") == true)
  }
}
