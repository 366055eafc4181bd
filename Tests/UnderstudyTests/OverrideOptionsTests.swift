// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@Suite struct `Options` {
  private typealias Check = OverrideOptions.Check
  private typealias Weight = OverrideOptions.Weight

  private static let weights: [Weight] = [.off, .warning, .error]

  private static let usual: [Check: Weight] = [
    .fallThrough: .off, .unusedOverride: .warning, .unknownKey: .off, .lateOverride: .warning,
    .sharedInstance: .warning, .survivor: .off, .unfinishedWork: .error,
    .ignoredArgument: .warning, .leakedRegistration: .warning, .unsharedDouble: .warning,
    .unusedStub: .error,
  ]

  private static func weights(of options: OverrideOptions) -> [Check: Weight] {
    Dictionary(uniqueKeysWithValues: Check.allCases.map { ($0, options.weight(of: $0)) })
  }

  @Test func `without a setting leave every check its default weight`() {
    #expect(Self.weights(of: []) == Self.usual)
    #expect(Self.weights(of: [[], []]) == Self.usual)
  }

  @Test(arguments: Check.allCases)
  func `weigh one check and no other`(check: OverrideOptions.Check) {
    for weight in Self.weights {
      var expected = Self.usual
      expected[check] = weight
      #expect(Self.weights(of: .check(check, weight)) == expected)
    }
  }

  @Test(arguments: Check.allCases, Check.allCases)
  func `combine, and the later one wins`(
    first: OverrideOptions.Check, second: OverrideOptions.Check
  ) {
    for earlier in Self.weights {
      for later in Self.weights {
        var expected = Self.usual
        expected[first] = earlier
        expected[second] = later
        let options: OverrideOptions = [.check(first, earlier), .check(second, later)]
        #expect(Self.weights(of: options) == expected)
      }
    }
  }

  @Test func `for more than one check are combined with later ones`() {
    let options: OverrideOptions = [.strict, .check(.fallThrough, .off), .reportsSurvivors]
    var expected = Self.usual
    expected[.fallThrough] = .off
    expected[.unusedOverride] = .error
    expected[.ignoredArgument] = .error
    expected[.survivor] = .error
    #expect(Self.weights(of: options) == expected)
  }

  @Test func `are equal if they have the same effect`() {
    let options: OverrideOptions = [.check(.survivor, .off), .reportsSurvivors]
    #expect(options == .reportsSurvivors)
    #expect(options != [])
    #expect(OverrideOptions.check(.survivor, .off) != [], "said, though it is usual")
  }
}
