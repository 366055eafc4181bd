// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private let postman = Key<any Postman>()

/// The answering registrations of a resolver, as one text.
private func look(_ resolver: Resolver, line: Int) -> String {
  let names = resolver.filter((any Postman).self, line: line)
  let found = resolver.registration(for: AnyKey(postman), line: line + 1)?.callSite.line ?? 0
  let metadata = resolver.metadata(of: postman, as: String.self, line: line + 2) ?? "nothing"
  let listed = resolver.filter(in: "letters", line: line + 3).map(\.step).joined(separator: ", ")
  let members = resolver.container("letters").filter(Int.self, line: line + 4).count
  let keys = resolver.filter([AnyKey(postman), AnyKey(type: Bool.self)], line: line + 5).count
  return "\(names.count) at \(found) with \(metadata), \(listed), \(members) of \(keys)"
}

/// A test whose layer overrides some registrations of production, and adds others.
private struct Desk {
  static let ofProduction = #"1 at 901 with production, Int named 1 in "letters", 1 of 1"#
  static let ofTest =
    #"1 at 911 with double, Int named 1 in "letters", Int named 2 in "letters", 2 of 2"#

  let resolver = Resolver()
  let layer: OverrideLayer

  init(_ name: String, adoptsEscapedWork: Bool = false) {
    resolver.register((any Postman).self, metadata: "production", line: 901) { RealPostman() }
    resolver.register(1, named: 1, in: "letters")
    layer = Stage.root(name, of: resolver, adoptsEscapedWork: adoptsEscapedWork)
    layer.register((any Postman).self, metadata: "double", line: 911) { PostmanDouble() }
    layer.register(2, named: 2, in: "letters")
    layer.register(true)
  }
}

/// A lookup of registrations finds those that would answer a resolution at the same place.
@Suite struct `Looking for registrations` {
  @Test func `sees the layers of the caller`() {
    let desk = Desk("sees its layers")
    #expect(OverrideLayer.binding(desk.layer) { look(desk.resolver, line: 920) } == Desk.ofTest)
    #expect(look(desk.resolver, line: 920) == Desk.ofProduction)
    _ = desk.layer.end()
  }

  @Test func `in adopted work sees the layers of the test that adopts it`() async {
    await #expect(processExitsWith: .success) {
      RunIssues.claim(fileID: "UnderstudyTests/LookingTests.swift")
      let desk = Desk("takes what escapes", adoptsEscapedWork: true)
      let seen = await Task.detached { [resolver = desk.resolver] in
        look(resolver, line: 930)
      }.value
      _ = desk.layer.end()
      #expect(seen == Desk.ofTest)
      #expect(RunIssues.take(mentioning: "takes what escapes").isEmpty)
    }
  }

  @Test func `in escaped work sees production's, with an issue of the run`()
    async
  {
    await #expect(processExitsWith: .success) {
      RunIssues.claim(fileID: "UnderstudyTests/LookingTests.swift")
      let desk = Desk("takes nothing")
      let seen = await Task.detached { [resolver = desk.resolver] in
        look(resolver, line: 940)
      }.value
      _ = desk.layer.end()
      #expect(seen == Desk.ofProduction)
      let issues = RunIssues.take(mentioning: "takes nothing")
      #expect(issues.map(\.callSite.line) == [940, 941, 942, 943, 944, 945, 945])
    }
  }

  @Test func `in escaped work creates no instance`() async {
    await #expect(processExitsWith: .success) {
      RunIssues.claim(fileID: "UnderstudyTests/LookingTests.swift")
      let resolver = Resolver()
      resolver.register { RealPostman() as any Postman }
      let clerk = resolver.register(lifecycle: .cached) { r in Clerk(postman: try r.resolve()) }
      _ = try resolver.resolve(clerk)
      let layer = Stage.root("is not what is kept", of: resolver, adoptsEscapedWork: false)
      layer.register { PostmanDouble() as any Postman }
      let count = await Task.detached {
        resolver.filter(Clerk.self, line: 950).count + resolver.filter([clerk], line: 951).count
      }.value
      _ = layer.end()
      #expect(count == 2)
      #expect(RunIssues.take(mentioning: layer.name).isEmpty)
    }
  }

  @Test func `under a layer that has ended sees production's, with an issue of the run`()
    async
  {
    await #expect(processExitsWith: .success) {
      RunIssues.claim(fileID: "UnderstudyTests/LookingTests.swift")
      let desk = Desk("has ended")
      _ = desk.layer.end()
      let seen = OverrideLayer.binding(desk.layer) { look(desk.resolver, line: 960) }
      #expect(seen == Desk.ofProduction)
      let issues = RunIssues.take(mentioning: "has ended")
      #expect(issues.map(\.callSite.line) == [960, 961, 962, 963, 964, 965, 965])
    }
  }

  @Test func `does not see registrations that were claimed above its boundary`() throws {
    let resolver = Resolver()
    let key = resolver.register(1, lifecycle: .once)
    try withOverrides(of: resolver, isBoundary: true) { _ in
    } operation: {
      #expect(resolver.filter(Int.self) == [key])
      try #expect(resolver.resolve(key) == 1)
      #expect(resolver.filter(Int.self).isEmpty)
      #expect(resolver.filter([key]).isEmpty)
      #expect(resolver.registration(for: AnyKey(key)) == nil)
      #expect(resolver.metadata(of: key, as: Void.self) == nil)
    }
    #expect(resolver.filter(Int.self) == [key])
    #expect(resolver.registration(for: AnyKey(key)) != nil)
  }

  @Test(arguments: [false, true])
  func `sees the metadata of the registration behind a fault or a decorator`(isCompleted: Bool) {
    let resolver = Resolver()
    resolver.register(metadata: 3) { Coin(1) }
    withLayer(of: resolver) {
      if isCompleted {
        $0.register(Coin.self, metadata: 4) {
          Coin(2)
        } then: { _, _ in
        }
        $0.decorate(Coin.self) { $0 }
      } else {
        $0.register(metadata: 4) { Coin(2) }
      }
      $0.fault(Coin.self, .throwing(Mishap()))
    } operation: {
      #expect(resolver.metadata(of: Key<Coin>()) == 4)
      #expect(resolver.filter(Coin.self, metadata: 4).count == 1)
      #expect(resolver.filter(Coin.self, metadata: 3).isEmpty)
    }
  }

  @Test func `finds the answer for a declared dependency`() {
    let resolver = Resolver()
    let key = AnyKey(Dependencies.postman.key)
    #expect(resolver.registration(for: key)?.callSite.line == 7001)
    withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.register((any Postman).self, metadata: 3, line: 971) { PostmanDouble() }
    } operation: {
      #expect(resolver.registration(for: key)?.callSite.line == 971)
      #expect(resolver.metadata(of: key, as: Int.self) == 3)
    }
    withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.override(\.postman, line: 972) { PostmanDouble() }
    } operation: {
      #expect(resolver.registration(for: AnyKey(postman))?.callSite.line == 972)
    }
  }
}
