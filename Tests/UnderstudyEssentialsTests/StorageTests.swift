// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyEssentials
import UnderstudyTesting

private struct Volume: KeyValueStorable {
  var level = 3
}

/// The user's defaults and the store in memory must behave alike, so each test runs with both.
@Suite struct `A key-value store` {
  enum Kind: CaseIterable { case defaults, inMemory }

  @Test(arguments: Kind.allCases)
  func `has every stored value until it is removed`(kind: Kind) {
    let suite = "understudy.tests.\(UUID())"
    let store: any KeyValueStoring =
      switch kind {
      case .defaults: UserDefaultsStore(suite: suite)
      case .inMemory: .inMemory
      }
    defer { UserDefaults(suiteName: suite)?.removePersistentDomain(forName: suite) }
    let date = Date(timeIntervalSince1970: 60)
    #expect(store.value(Int.self, for: "level") == nil)
    store.set(3, for: "level")
    store.set(0.5, for: "volume")
    store.set(Int.max, for: "limit")
    #expect(store.value(Int.self, for: "limit") == .max)
    store.set("Ophelia", for: "name")
    store.set(true, for: "isMuted")
    store.set(Data([1, 2]), for: "bytes")
    store.set(date, for: "since")
    #expect(store.value(Int.self, for: "level") == 3)
    #expect(store.value(Double.self, for: "volume") == 0.5)
    #expect(store.value(String.self, for: "name") == "Ophelia")
    #expect(store.value(Bool.self, for: "isMuted") == true)
    #expect(store.value(Data.self, for: "bytes") == Data([1, 2]))
    #expect(store.value(Date.self, for: "since") == date)
    #expect(store.value(Int.self, for: "name") == nil)
    store.set("Horatio", for: "name")
    store.set(nil, for: "level")
    #expect(store.value(String.self, for: "name") == "Horatio")
    #expect(store.value(Int.self, for: "level") == nil)
  }

  @Test func `in memory reports a value that the user's defaults cannot keep`() async {
    let issues = await issues {
      await underLayer {
        $0.override(\.keyValueStore, with: .inMemory(["first": Volume()]))
      } operation: {
        Resolver.main.resolve(\.keyValueStore).set(Volume(), for: "second")
      }
    }
    let issue = "A key-value store cannot keep a value of 'Volume'."
    #expect(issues == [issue, issue])
  }

  @Test func `in memory starts with the given values`() async {
    await underLayer {
      $0.override(\.keyValueStore, with: .inMemory(["level": 3]))
    } operation: {
      #expect(Resolver.main.resolve(\.keyValueStore).value(Int.self, for: "level") == 3)
    }
  }
}
