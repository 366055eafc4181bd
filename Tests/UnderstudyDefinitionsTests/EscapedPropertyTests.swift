// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDefinitions
import UnderstudyTesting

private struct Till: PropertyGroup {
  static let path = "till"
  var url: String
  var port: Int
}

private struct Shop {
  @Property("port", line: 6001) var port: Int
  @Property("flag", line: 6002) var flag = false
  @Property("note", line: 6003) var note: String?
  @Property("list", line: 6004) var list = [7]
  @Property(line: 6005) var till: Till
}

/// Runs one test whose layer overrides properties. Each one has its own process, which would end
/// otherwise.
private struct Premiere: TestHost {
  static let issues = Lock<[Violation]>([])

  let resolver = Resolver()
  let layer: OverrideLayer

  init(adoptsEscapedWork: Bool = false) throws {
    resolver.install(
      try Properties([.values(["port": 1, "till": ["url": "a", "port": 2], "shop": "open"])]))
    var traits = LayerTraits(of: resolver, named: "a premiere", on: nil, at: CallSite(line: 500))
    traits.test = RunningTest(name: "a premiere", adoptsEscapedWork: adoptsEscapedWork)
    traits.isBoundary = true
    layer = OverrideLayer(traits)
    layer.set("port", 11)
    layer.set("flag", true)
    layer.set("note", "n")
    layer.set("list", [8])
    layer.set("till.port", 22)
    TestHosts.install(self)
  }

  func testOfCallingTask() -> RunningTest? { nil }
  func isSkip(_ error: any Error) -> Bool { false }

  func runningCase() -> RunningTest? { nil }
  func report(_ violation: Violation) -> Bool {
    Premiere.issues.withLock { $0.append(violation) }
    return false
  }

  /// Runs work that has lost the context of the layer, and returns its result.
  func escape<Value: Sendable>(_ work: @escaping @Sendable (Resolver) throws -> Value) async throws
    -> Value
  {
    let outcome = await OverrideLayer.binding(layer) {
      await Task.detached { [resolver] in
        withResolver(resolver) { Result { try work(resolver) } }
      }.value
    }
    _ = layer.end()
    return try outcome.get()
  }
}

/// Properties that a running test overrides, read by work that belongs to no test.
@Suite struct `An escaped property` {
  @Test func `is production's if the read cannot throw, and is an issue of the run`() async {
    await #expect(processExitsWith: .success) {
      let premiere = try Premiere()
      let shop = try await premiere.escape { _ in
        let shop = Shop()
        return "\(shop.port) \(shop.flag) \(shop.note ?? "-") \(shop.list) \(shop.till.port)"
      }
      #expect(shop == "1 false - [7] 2")
      let issues = Premiere.issues.withLock { $0 }
      #expect(issues.map(\.callSite.line) == [6001, 6002, 6003, 6004, 6005])
      #expect(
        issues.first?.description == """
          'PropertyValue' named "port" was asked for by work that belongs to no test, and a running test \
          overrides it.
            At             UnderstudyDefinitionsTests/EscapedPropertyTests.swift:6001
            Overridden by  'a premiere'
          To fix, do one of these:
            • Carry the context:  let context = OverrideContext.current … context.run { … }
            • Resolve before the work is sent off, and hand it the value.
          """)
    }
  }

  @Test func `is an error, whether or not it is optional`() async {
    await #expect(processExitsWith: .success) {
      let premiere = try Premiere()
      let failures = try await premiere.escape { resolver in
        let reads: [() throws -> Any?] = [
          { try resolver.property("flag", as: Bool.self, line: 6011) },
          { try resolver.property("flag", as: Bool?.self, line: 6012) },
          {
            let flag: Bool? = try resolver.property("flag", line: 6013); return flag
          },
          { try resolver.property("till", as: Till?.self, line: 6014) },
        ]
        return reads.filter { (try? $0()) == nil }.count
      }
      #expect(failures == 4)
      #expect(
        Premiere.issues.withLock { $0 }.map(\.callSite.line) == [6011, 6012, 6013, 6014])
    }
  }

  @Test func `is production's in a report of its provenance, with an issue of the run`() async {
    await #expect(processExitsWith: .success) {
      let premiere = try Premiere()
      let isTold = try await premiere.escape {
        $0.provenance(of: "port", line: 6021) != nil && $0.provenance(of: "flag", line: 6022) == nil
      }
      #expect(isTold)
      #expect(Premiere.issues.withLock { $0 }.map(\.callSite.line) == [6021, 6022])
    }
  }

  @Test func `is not an issue if no layer overrides it`() async {
    await #expect(processExitsWith: .success) {
      let premiere = try Premiere()
      let text = try await premiere.escape { resolver in
        let none: Int? = try resolver.property("none")
        return "\(Property<String>("shop").wrappedValue) \(none ?? 5)"
      }
      #expect(text == "open 5")
      #expect(Premiere.issues.withLock { $0 }.isEmpty)
    }
  }

  @Test func `is the value of the only live test if that adopts escaped work, optional or not`()
    async
  {
    await #expect(processExitsWith: .success) {
      let premiere = try Premiere(adoptsEscapedWork: true)
      let text = try await premiere.escape { resolver in
        let shop = Shop()
        let flag: Bool? = try resolver.property("flag")
        let isSet: Bool = try resolver.property("flag")
        return "\(shop.port) \(shop.flag) \(shop.note ?? "-") \(shop.list) \(shop.till.port) "
          + "\(flag == true) \(isSet)"
      }
      #expect(text == "11 true n [8] 22 true true")
      #expect(Premiere.issues.withLock { $0 }.isEmpty)
    }
  }

  @Test func `that a service needs by name is found as its type would be`() async {
    await #expect(processExitsWith: .success) {
      let premiere = try Premiere(adoptsEscapedWork: true)
      premiere.resolver.install(
        try Definitions(
          [.json(#"{"services": {"greeter": {"class": "Shop.Service", "arguments": ["@word"]}}}"#)],
          catalogue: catalogue, expecting: ["word"]))
      premiere.layer.register("double", named: "word")
      let name = try await premiere.escape { try $0.resolve(Service.self, named: "greeter").name }
      #expect(name == "double")
      #expect(Premiere.issues.withLock { $0 }.isEmpty)
    }
  }

  @Test func `that is missing is compared with the properties that a test sets`() async {
    await #expect(processExitsWith: .success) {
      let premiere = try Premiere(adoptsEscapedWork: true)
      let hint = try await premiere.escape { resolver in
        do {
          _ = try resolver.property("flax", as: Bool.self)
          return "none"
        } catch let error as DefinitionError {
          return error.description
        }
      }
      #expect(hint.contains("Did you mean 'flag'?"))
    }
  }
}
