// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

@testable import UnderstudyDefinitions

class Service: @unchecked Sendable {
  let name: String

  init(_ name: String) {
    self.name = name
  }
}
final class OtherService: Service, @unchecked Sendable {}
struct Transport: Sendable {
  var suffix = ""
}
protocol Part: Sendable { var size: Int { get } }
struct SizedPart: Part { let size: Int }
struct Machine: Sendable {
  let parts: [any Part]
  let spare: (any Part)?
}

/// The types and functions that the files of these tests may use.
let catalogue: Catalogue = {
  var catalogue = Catalogue()
  catalogue.offer("Shop.Service", labels: ["name"]) { (name: String) in Service(name) }
  catalogue.offer("Shop.OtherService") { (name: String) in OtherService(name) as Service }
  catalogue.offer("Shop.Pair", labels: ["first", "second"]) { (first: Service, second: Service?) in
    Service(first.name + "+" + (second?.name ?? "none"))
  }
  catalogue.offer(
    "Shop.Joined",
    reading: { arguments in
      Service(
        try arguments.values().map { ($0 as? Service)?.name ?? "\($0)" }.joined(separator: "|"))
    })
  catalogue.offer("Shop.Transport") { Transport() }
  catalogue.offer(method: "makeService", of: Transport.self) {
    (transport: Transport, name: String) in
    Service(name + transport.suffix)
  }
  catalogue.offer(call: "append", on: Transport.self) {
    (transport: inout Transport, text: String) in
    transport.suffix += text
  }
  catalogue.offer("Shop.Part") { (size: Int) in SizedPart(size: size) as any Part }
  catalogue.offer("Shop.Machine") { (parts: [any Part], spare: (any Part)?) in
    Machine(parts: parts, spare: spare)
  }
  catalogue.offer("Shop.Numbers") { (numbers: [Int], flag: Bool, ratio: Double) in
    Service("\(numbers) \(flag) \(ratio)")
  }
  return catalogue
}()

@Suite struct `Defined services` {
  let resolver = Resolver()

  func install(_ json: String, expecting: Set<String> = []) throws {
    resolver.install(
      try Definitions(
        [.json(json, named: "services.json")], catalogue: catalogue, expecting: expecting))
  }

  func services(_ definitions: String) throws { try install("{\"services\": {\(definitions)}}") }

  func name(_ service: String) throws -> String {
    try resolver.resolve(Service.self, named: service).name
  }

  func findings(_ json: String) -> [Finding] {
    let error = #expect(throws: DefinitionError.self) { try install(json) }
    #expect(resolver.keys.isEmpty)
    return error?.findings ?? []
  }

  @Test func `DO-01 no definitions install nothing`() throws {
    let definitions = try Definitions([], catalogue: catalogue)
    resolver.install(definitions)
    #expect(definitions.services.isEmpty)
    #expect(resolver.keys == [AnyKey(type: PropertyValue.self, named: "")])
  }

  @Test
  func `DO-03 DO-04 DO-23 the sample property list is read, and its chain of services is created`()
    throws
  {
    let list = """
      <plist version="1.0"><dict>
        <key>parameters</key><dict>
          <key>debug_output</key><false/><key>lambdakey</key><string>Plopix</string>
        </dict>
        <key>services</key><dict>
          <key>dose.service3</key><dict><key>class</key><string>Shop.Joined</string>
            <key>arguments</key><array><string>@logger</string><string>Service3</string></array></dict>
          <key>dose.service1</key><dict><key>class</key><string>Shop.Joined</string>
            <key>arguments</key><array><string>@lambdakey</string><string>One</string>
              <string>Third Argument</string></array></dict>
          <key>dose.service2</key><dict><key>class</key><string>Shop.Joined</string>
            <key>arguments</key><array><string>Second Service</string><string>Need the One</string>
              <string>@exampleParam</string><string>@dose.service1</string></array></dict>
        </dict>
      </dict></plist>
      """
    resolver.install(
      try Definitions(
        [.document(Array(list.utf8), named: "services.plist")], catalogue: catalogue,
        expecting: ["logger", "exampleParam"]))
    try #expect(resolver.property("debug_output", as: Bool.self) == false)
    resolver.register("provided", named: "exampleParam")
    resolver.register(named: "logger", lifecycle: .cached) { Service("log") }
    try #expect(
      name("dose.service2") == "Second Service|Need the One|provided|Plopix|One|Third Argument")
    try #expect(name("dose.service3") == "log|Service3")
  }

  @Test func `a reference to a property ignores registrations of containers`() throws {
    resolver.install(try Properties([.values(["word": "hello"])]))
    resolver.register(1, named: "word", in: "any")
    try install(
      #"{"services": {"a": {"class": "Shop.Service", "arguments": ["@word"]}}}"#,
      expecting: ["word"])
    try #expect(name("a") == "hello")
  }

  @Test func `a reference to a property creates no registration of another type`() throws {
    resolver.install(try Properties([.values(["word": "hello"])]))
    resolver.register(7, named: "word", lifecycle: .once)
    resolver.register((any Part).self, named: "word") { SizedPart(size: 1) }
    resolver.register([SizedPart(size: 2)], named: "parts")
    try install(
      """
      {"services": {
        "a": {"class": "Shop.Service", "arguments": ["@word"]},
        "b": {"class": "Shop.Machine", "arguments": ["@parts", "@word"]}}}
      """, expecting: ["word", "parts"])
    try #expect(name("a") == "hello")
    let machine = try resolver.resolve(Machine.self, named: "b")
    #expect(machine.parts.map(\.size) == [2])
    #expect(machine.spare?.size == 1)
    try #expect(resolver.resolve(Int.self, named: "word") == 7)
  }

  @Test func `DO-05 an unknown class is an error with its place and the nearest name`() throws {
    let findings = findings("{\"services\": {\n  \"a\": {\"class\": \"Shop.Servise\"}}}")
    #expect(
      findings.map(\.description) == [
        """
        The catalogue does not offer 'Shop.Servise'.
          Service  'a'
          At       services.json:2:18
        Did you mean 'Shop.Service'?
        """
      ])
  }

  @Test
  func
    `DO-06 DO-11 arguments are in order, of every type, and literal unless they begin with an at sign`()
    throws
  {
    try services(
      """
      "none": {"class": "Shop.Joined"},
      "all": {"class": "Shop.Joined", "arguments": ["", "@@at", 1, 2.5, true, "x"]},
      "typed": {"class": "Shop.Numbers", "arguments": [[1, "2"], "true", 1]}
      """)
    try #expect(name("none") == "")
    try #expect(name("all") == "|@at|1|2.5|true|x")
    try #expect(name("typed") == "[1, 2] true 1.0")
  }

  @Test func `arguments may be given by label, and an optional one may be left out`() throws {
    try services(
      """
      "a": {"class": "Shop.Service", "arguments": {"name": "A"}},
      "p": {"class": "Shop.Pair", "arguments": {"first": "@a"}},
      "q": {"class": "Shop.Pair", "arguments": {"1": "@a", "first": "@p"}}
      """)
    try #expect(name("p") == "A+none")
    try #expect(name("q") == "A+none+A")
  }

  @Test func `DO-07 DO-09 a service is created on its first request, once, and shared`() throws {
    try services(
      """
      "a": {"class": "Shop.Transport"}, "s": {"class": "Shop.Service", "arguments": ["S"]},
      "other": "@s"
      """)
    let first = try resolver.resolve(Service.self, named: "s")
    try #expect(resolver.resolve(Service.self, named: "s") === first)
    try #expect(resolver.resolve(Service.self, named: "other") === first)
  }

  @Test
  func `DO-08 a missing reference names both services, and nothing is installed`()
    throws
  {
    let findings = findings(
      #"{"services": {"a": {"class": "Shop.Service", "arguments": ["@nme"]}}, "parameters": {"name": "x"}}"#
    )
    #expect(findings.map(\.problem) == [.missingReference("nme", nearMisses: ["name"])])
    #expect(findings.first?.subject == .service("a"))
  }

  @Test func `DO-10 a request for a service as another type is an error`() throws {
    try services("\"a\": {\"class\": \"Shop.Transport\"}")
    #expect(throws: ResolutionError.self) { try resolver.resolve(Service.self, named: "a") }
  }

  @Test func `DO-12 DO-14 values and functions are registered by name, and the last one wins`()
    throws
  {
    resolver.register(1, named: "k")
    resolver.register(2, named: "k")
    try #expect(resolver.resolve(Int.self, named: "k") == 2)
    try #expect(resolver.resolve(Int?.self, named: "none") == nil)
    resolver.register(named: "f") { { @Sendable (text: String) in text + "!" } }
    let function: @Sendable (String) -> String = try resolver.resolve(named: "f")
    #expect(function("a") == "a!")
  }

  @Test func `DO-13 DO-17 a block runs once, may resolve others, and can be resolved uncached`()
    throws
  {
    resolver.register("x", named: "k")
    resolver.attach(named: "s") { r in Service(try r.resolve(named: "k")) }
    let shared: Service = try resolver.resolve(named: "s")
    try #expect(resolver.resolve(Service.self, named: "s") === shared)
    try #expect(resolver.resolve(Service.self, named: "s", lifecycle: .notCached) !== shared)
  }

  @Test
  func `DO-15 attaching replaces a block until its instance exists, and is ignored after that`()
    throws
  {
    #expect(resolver.attach(named: "s") { _ in Service("1") })
    #expect(resolver.attach(named: "s") { _ in Service("2") })
    try #expect(name("s") == "2")
    #expect(!resolver.attach(named: "s") { _ in Service("3") })
    try #expect(name("s") == "2")
  }

  @Test func `DO-16 a block that failed runs again at the next request`() throws {
    let gate = Gate()
    resolver.attach(named: "s") { _ in try gate.service() }
    #expect(throws: ResolutionError.self) { try name("s") }
    try #expect(name("s") == "open")
  }

  @Test func `DO-18 extending wraps and composes, and does nothing for an unknown key`() throws {
    let key = resolver.register(named: "s", lifecycle: .cached) { Service("a") }
    _ = try name("s")
    #expect(resolver.extend(key) { service, _ in Service(service.name + " => Extended") })
    #expect(resolver.extend(key) { service, _ in Service(service.name + "!") })
    try #expect(name("s") == "a => Extended!")
    try #expect(resolver.resolve(key) === resolver.resolve(key))
    #expect(!resolver.extend(Key<Service>(named: "none")) { service, _ in service })
    let stated = resolver.needing(key).register { 1 }
    #expect(resolver.extend(stated) { number, _ in number + 1 })
    #expect(resolver.graph.edges.count == 1)
  }

  @Test func `DO-19 the keys are listed`() throws {
    try services("\"a\": {\"class\": \"Shop.Transport\"}")
    #expect(resolver.keys.contains(AnyKey(type: Transport.self, named: "a")))
  }

  struct Provider: Assembly {
    func assemble(into registrar: some Registering) {
      registrar.register(named: "logger", lifecycle: .cached) { r in
        Service("debug \(try r.property("debug_output", as: Bool.self))")
      }
    }
  }

  @Test func `DO-20 DO-21 a provider that is added later satisfies references, and its values win`()
    throws
  {
    try install(
      #"{"parameters": {"debug_output": false}, "services": {"a": {"class": "Shop.Pair", "arguments": ["@logger"]}}}"#,
      expecting: ["logger"])
    resolver.install(Provider(), with: ["debug_output": true]).register(0)
    try #expect(name("a") == "debug true+none")
  }

  @Test(arguments: ["Shop.Service", "Shop.OtherService"])
  func `DO-22 another class in the file changes no consumer`(class: String) throws {
    try services(
      "\"a\": {\"class\": \"\(`class`)\", \"arguments\": [\"A\"]}, \"p\": {\"class\": \"Shop.Pair\", \"arguments\": [\"@a\"]}"
    )
    try #expect(name("p") == "A+none")
    try #expect(
      resolver.resolve(Service.self, named: "a") is OtherService == (`class` == "Shop.OtherService")
    )
  }

  @Test func `T1 every cycle is found, with its path`() throws {
    func service(_ name: String, _ needs: String) -> String {
      "\"\(name)\": {\"class\": \"Shop.Pair\", \"arguments\": [\"@\(needs)\"]}"
    }
    let json = [service("a", "b"), service("b", "c"), service("c", "a"), service("self", "self")]
    let findings = findings("{\"services\": {\(json.joined(separator: ","))}}")
    #expect(findings.map(\.problem) == [.cycle(["a", "b", "c", "a"]), .cycle(["self", "self"])])
  }

  @Test func `T2 all services of a tag are resolved, and injected as a list`() throws {
    try services(
      """
      "p1": {"class": "Shop.Part", "arguments": [1], "tags": ["part"]},
      "p2": {"class": "Shop.Part", "arguments": [2], "tags": ["part", "big"]},
      "m": {"class": "Shop.Machine", "arguments": ["@tag:part", "@p2"]},
      "n": {"class": "Shop.Machine", "arguments": [["@p2"]]}
      """)
    try #expect(resolver.services(tagged: "part", as: (any Part).self).map(\.size) == [1, 2])
    let machine: Machine = try resolver.resolve(named: "m")
    #expect(machine.parts.map(\.size) == [1, 2])
    #expect(machine.spare?.size == 2)
    try #expect(resolver.resolve(Machine.self, named: "n").parts.count == 1)
  }

  @Test
  func `T3 a factory is a method of another service or a function, and calls follow construction`()
    throws
  {
    try services(
      """
      "my.transport": {"class": "Shop.Transport", "calls": [["append", ["!"]], {"method": "append", "arguments": ["?"]}]},
      "made": {"factory": "@my.transport.makeService", "arguments": ["M"]},
      "static": {"factory": "Shop.Service", "arguments": ["S"]}
      """)
    try #expect(name("made") == "M!?")
    try #expect(name("static") == "S")
  }

  @Test func `T4 a child inherits every key that it does not set`() throws {
    try services(
      """
      "base": {"abstract": true, "class": "Shop.Joined", "arguments": ["a", "b"], "scope": "prototype"},
      "child": {"parent": "base", "arguments": {"1": "B"}},
      "grandchild": {"parent": "child", "scope": "shared", "arguments": ["x"]}
      """)
    try #expect(name("grandchild") == "x")
    try #expect(
      resolver.resolve(Service.self, named: "grandchild")
        === resolver.resolve(Service.self, named: "grandchild"))
    try #expect(
      resolver.resolve(Service.self, named: "child")
        !== resolver.resolve(Service.self, named: "child"))
  }

  @Test func `T4 a circle of parents is found once, with its path`() {
    let findings = findings(#"{"services": {"a": {"parent": "b"}, "b": {"parent": "a"}}}"#)
    #expect(findings.map(\.problem) == [.parentCycle(["a", "b", "a"])])
  }

  @Test func `T5 a prototype is created for each request, and once means once`() throws {
    try services(
      """
      "p": {"class": "Shop.Service", "arguments": ["P"], "scope": "prototype"},
      "o": {"class": "Shop.Service", "arguments": ["O"], "scope": "once"}
      """)
    try #expect(
      resolver.resolve(Service.self, named: "p") !== resolver.resolve(Service.self, named: "p"))
    try #expect(name("o") == "O")
    #expect(throws: ResolutionError.self) { try name("o") }
  }

  @Test func `T6 a layer overrides a service and its dependents, and the log counts it`() throws {
    try services(
      """
      "a": {"class": "Shop.Service", "arguments": ["A"]}, "p": {"class": "Shop.Pair", "arguments": ["@a"]}
      """)
    try #expect(name("p") == "A+none")
    try withOverrides(of: resolver) {
      $0.register(named: "a") { Service("double") }
    } operation: {
      try #expect(name("p") == "double+none")
      #expect(OverrideLayer.current?.log.count(of: Service.self, named: "a") == 1)
    }
    try #expect(name("p") == "A+none")
  }

  @Test func `an override of an alias also reaches services that a method of the alias creates`()
    throws
  {
    try services(
      """
      "t": {"class": "Shop.Transport"}, "other": "@t",
      "made": {"factory": "@other.makeService", "arguments": ["M"]}
      """)
    try #expect(name("made") == "M")
    try withOverrides(of: resolver) {
      $0.register(named: "other") { Transport(suffix: "!") }
    } operation: {
      try #expect(name("made") == "M!")
    }
    let needs = resolver.registration(for: AnyKey(type: Service.self, named: "made"))?.needs
    #expect(needs == [AnyKey(type: Transport.self, named: "other")])
  }

  @Test func `all mistakes are reported at once`() {
    let findings = findings(
      """
      {"services": {
        "a": {"class": "Shop.Service", "arguments": [[]]}, "b": {"class": "Shop.Service"},
        "c": {"class": "Shop.Service", "arguments": {"nme": 1}}, "d": {"klass": "x"},
        "e": {"class": "Shop.Pair", "arguments": ["text"]},
        "f": {"class": "Shop.Service", "arguments": ["x"], "scope": "global"}, "g": 5
      }, "extra": 1}
      """)
    #expect(findings.count == 9)
    #expect(findings.allSatisfy { $0.origin != nil })
  }
}

/// Throws at the first request.
final class Gate: Sendable {
  private struct Closed: Error {}
  private let count = Lock(0)

  func service() throws -> Service {
    guard
      count.withLock({
        $0 += 1; return $0
      }) > 1
    else { throw Closed() }
    return Service("open")
  }
}
