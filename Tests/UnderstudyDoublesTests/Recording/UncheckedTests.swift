// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@Suite struct UncheckedTests {
  private final class Country: Hashable {
    let code: String
    init(_ code: String) { self.code = code }
    static func == (left: Country, right: Country) -> Bool { left.code == right.code }
    func hash(into hasher: inout Hasher) { hasher.combine(code) }
  }

  @Test func `an unchecked argument is matched and compared by its value`() {
    let rates = Spy<Unchecked<Country>, Int, Never>("rate(_:)", placeholder: 0)
    rates.when(Unchecked(Country("fr"))).returns(20)
    rates.when(Unchecked(Country("de"))).returns(19)
    #expect(rates(Unchecked(Country("de"))) == 19)
    #expect(rates.calls == [Unchecked(Country("de"))])
    rates.returns(0)
    #expect(rates(Unchecked(Country("fr"))) == 0)
    #expect(Set(rates.calls).count == 2)
  }

  @Test func `an unchecked result is stubbed with its value`() {
    let found = violations { _ in
      let countries = Spy<String, Unchecked<Country?>, Never>("country(of:)")
      countries.returns(nil)
      countries.when("Lyon").returns(Country("fr"), then: nil, Country("be"))
      countries.when("Bonn").returns(Country("de"), times: 1).returns(Unchecked(nil))
      countries.returns(Country("at"), times: 1)
      let codes = ["Wien", "Rome", "Lyon", "Lyon", "Lyon", "Bonn", "Bonn"].map {
        countries($0).value?.code
      }
      #expect(codes == ["at", nil, "fr", nil, "be", "de", nil])
    }
    #expect(found == [])
  }
}
