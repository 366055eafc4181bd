// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Prints how long definitions take to install, and a property to read, beside a dictionary lookup.

import Understudy
import UnderstudyDefinitions

final class Service: Sendable {
  let name: String
  let next: Service?

  init(_ name: String, _ next: Service?) {
    self.name = name
    self.next = next
  }
}

func best(of rounds: Int, _ body: () throws -> Void) rethrows -> Duration {
  let clock = ContinuousClock()
  return try (0..<rounds).map { _ in try clock.measure(body) }.min() ?? .zero
}

var catalogue = Catalogue()
catalogue.offer("Shop.Service") { (name: String, next: Service?) in Service(name, next) }
let services = (0..<10_000).map { index in
  let next = index % 10 == 0 ? "null" : "\"@service\(index - 1)\""
  return """
    "service\(index)": {"class": "Shop.Service", "arguments": ["name \(index)", \(next)], "tags": ["t\(index % 7)"]}
    """
}
let json = "{\"services\": {\n\(services.joined(separator: ",\n"))\n}}"
let installed = try best(of: 5) {
  let resolver = Resolver()
  resolver.install(try Definitions([.json(json)], catalogue: catalogue))
}
print("10,000 services read, checked and installed: \(installed)")

let count = 1_000_000
let url = "http://shop.example"
let properties = try Properties([.values(["server": ["url": .string(url), "port": 80]])])
let resolver = Resolver()
resolver.install(properties)
let dictionary = ["server.url": url, "server.port": "80"]
var characters = 0
let lookup = best(of: 5) {
  for _ in 0..<count { characters &+= dictionary["server.url"]?.utf8.count ?? 0 }
}
let value = try best(of: 5) {
  for _ in 0..<count {
    characters &+= try properties.value("server.url", as: String.self).utf8.count
  }
}
let resolved = try best(of: 5) {
  for _ in 0..<count {
    characters &+= try resolver.property("server.url", as: String.self).utf8.count
  }
}
struct Client {
  @Property("server.url") var url: String
}
Resolver.main.install(properties)
let injected = best(of: 5) {
  for _ in 0..<count { characters &+= Client().url.utf8.count }
}
print("dictionary lookup: \(lookup / count)")
print("property of `Properties`: \(value / count), \(value / lookup) lookups")
print("property of a resolver: \(resolved / count), \(resolved / lookup) lookups")
print("`@Property`: \(injected / count), \(injected / lookup) lookups")
print("(\(characters) characters)")
