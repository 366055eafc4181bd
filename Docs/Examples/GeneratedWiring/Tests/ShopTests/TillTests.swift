// Part of an example of Understudy: wiring that is generated.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDefinitions

@testable import till

@Suite struct TillTests {
  @Test(arguments: [("pound", "£3"), ("euro", "€3")])
  func `a property chooses the currency`(name: String, text: String) throws {
    let resolver = Resolver()
    resolver.install(TillWiring())
    resolver.install(try Properties([.values(["till": ["currency": .string(name)]])]))
    #expect(try resolver.resolve(Drawer.self).text(of: 3) == text)
  }

  @Test func `a property with an unknown name is an error`() throws {
    let resolver = Resolver()
    resolver.install(TillWiring())
    resolver.install(try Properties([.values(["till": ["currency": "dollar"]])]))
    #expect(throws: ResolutionError.self) { try resolver.resolve(Drawer.self) }
  }
}
