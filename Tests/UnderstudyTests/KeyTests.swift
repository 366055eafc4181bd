// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyCompatibility
@testable import Understudy

/// Rows G9-20 to G9-25.
@Suite struct `A key` {
  enum First: Hashable, Sendable { case real }
  enum Second: Hashable, Sendable { case real }
  enum Tag: Scope {}
  enum OtherTag: Scope {}
  enum Mark: Qualifier {}
  protocol Part: Sendable {}
  protocol Other: Sendable {}
  protocol Store<Item> { associatedtype Item }
  protocol Table<Row, Key> { associatedtype Key; associatedtype Row }

  @Test func `is its type, its name and its container`() {
    let keys: [AnyKey] = [
      AnyKey(Key<Int>()), AnyKey(Key<Int>(named: "n")), AnyKey(Key<Int>(in: "n")),
      AnyKey(Key<Int>(named: "n", in: "n")), AnyKey(Key<Int>(named: "m", in: "n")),
      AnyKey(Key<Int?>()), AnyKey(Key<[Int]>()), AnyKey(Key<String>()),
      AnyKey(Key<any Part>()), AnyKey(Key<(any Part).Type>()), AnyKey(Key<any Part & Other>()),
    ]
    #expect(Set(keys).count == keys.count)
    #expect(Set(keys + keys).count == keys.count)
    for key in keys {
      let copy = AnyKey(type: key.type, named: key.name?.base, in: key.container?.base)
      #expect(copy == key)
      #expect(copy.hashValue == key.hashValue)
    }
  }

  @Test func `is equal to an equal one from elsewhere`() throws {
    let resolver = Resolver()
    let key = resolver.register((any Part).self, named: First.real, in: 7) { Piece() }
    #expect(key == Key<any Part>(named: First.real, in: 7))
    _ = try resolver.resolve(Key<any Part>(named: First.real, in: 7))
  }

  struct Piece: Part {}

  @Test func `distinguishes names of equal spelling by their type`() {
    #expect(Key<Int>(named: First.real) != Key<Int>(named: Second.real))
    #expect(Key<Int>(named: First.real) != Key<Int>(named: "real"))
    #expect(Key<Int>(named: 1 as Int) == Key<Int>(named: 1 as Int8))
    #expect(Key<Int>(named: "e\u{301}") == Key<Int>(named: "é"))
    #expect(Key<Int>(named: Optional("n") as String?) == Key<Int>(named: "n"))
  }

  @Test func `is described with escapes in its quoted name`() {
    let names = ["a\nb", "a\\nb", "a\" in \"b", "it's", "\u{e9}\r\n"]
    #expect(
      names.map { AnyKey(type: Int.self, named: $0).step } == [
        #"Int named "a\nb""#, #"Int named "a\\nb""#, #"Int named "a\" in \"b""#,
        #"Int named "it's""#, #"Int named "\#u{e9}\r\n""#,
      ])
    let keys = [
      AnyKey(type: Int.self, named: "a\" in \"b"), AnyKey(type: Int.self, named: "a", in: "b"),
    ]
    #expect(Set(keys.map(\.step)).count == 2)
  }

  @Test func `has the hash of an equal key that is gone`() {
    func expectStable(_ hash: () -> Int) { #expect(hash() == hash()) }
    expectStable { Key<Int>(named: "gone", in: "container").hashValue }
    expectStable { Key<Int>(in: "gone").hashValue }
    expectStable { Key<Int>(named: "gone", scopedTo: Tag.self).hashValue }
    #expect(Key<Int>(named: 1001 as Int).hashValue == Key<Int>(named: 1001.0).hashValue)
    #expect(KeyName(1002).hashValue == KeyName(1002 as Int16).hashValue)
  }

  /// A name whose hash tells nothing.
  struct Like: Hashable, Sendable {
    let number: Int

    func hash(into hasher: inout Hasher) {}
  }

  @Test func `is equal to one that another thread makes at the same time`() throws {
    for _ in 0..<200 {
      let made = try Threads.run(4) { thread in
        (0..<8).map { step in
          _ = Key<Int>(named: "\(thread) \(step)")
          let name = Like(number: (step + thread) % 4)
          return Key<Int>(named: name, in: name)
        }
      }
      let keys = try made.flatMap { try $0.get() }
      #expect(Set(keys).count == 4)
    }
  }

  @Test func `distinguishes scopes, qualifiers and names`() {
    let keys = [
      Key<Int>(), Key(named: "n"), Key(scopedTo: Tag.self), Key(scopedTo: OtherTag.self),
      Key(qualifiedBy: Mark.self), Key(named: "n", scopedTo: Tag.self),
      Key(named: "n", qualifiedBy: Mark.self), Key(scopedTo: Tag.self, qualifiedBy: Mark.self),
      Key(named: "n", scopedTo: Tag.self, qualifiedBy: Mark.self), Key(named: "Tag"),
    ]
    #expect(Set(keys).count == keys.count)
  }

  @Test func `distinguishes local types of one spelling`() throws {
    func first() -> (AnyKey, any Sendable) {
      struct Local: Sendable {}
      return (AnyKey(Key<Local>()), Local())
    }
    func second() -> (AnyKey, any Sendable) {
      struct Local: Sendable {}
      return (AnyKey(Key<Local>()), Local())
    }
    #expect(first().0 == first().0)
    #expect(first().0 != second().0)
    #expect(first().0.description == second().0.description)
  }

  @Test func `is erased, and converted back only to its own type`() {
    let erased = AnyKey(Key<Int>(named: "n", in: "c"))
    #expect(
      AnyKey(type: Int.self, named: "n", scopedTo: Tag.self, qualifiedBy: Mark.self, in: "c")
        == AnyKey(Key<Int>(named: "n", scopedTo: Tag.self, qualifiedBy: Mark.self, in: "c")))
    #expect(Key<Int>(erased) == Key<Int>(named: "n", in: "c"))
    #expect(Key<String>(erased) == nil)
    #expect(Key<Int?>(erased) == nil)
  }

  @Test(
    arguments: [
      (AnyKey(Key<Int>()), "'Int'"), (AnyKey(Key<any Part>()), "'any Part'"),
      (AnyKey(Key<any Part & Other>()), "'any Other & Part'"),
      (AnyKey(Key<Int>(named: "n")), "'Int' named \"n\""),
      (AnyKey(Key<Int>(named: First.real, in: 3)), "'Int' named real in 3"),
      (AnyKey(Key<Int>(scopedTo: Tag.self)), "'Int' named Tag"),
      (AnyKey(Key<Int>(named: "n", qualifiedBy: Mark.self)), "'Int' named \"n\", Mark"),
      (AnyKey(Key<Any>()), "'Any'"), (AnyKey(Key<AnyObject>()), "'AnyObject'"),
    ])
  func `is described as the user wrote it`(key: AnyKey, text: String) {
    #expect(key.description == text)
  }

  @Test(
    arguments: [
      (AnyKey(Key<(any Part)?>()), "'(any Part)?'"), (AnyKey(Key<[any Part]>()), "'[any Part]'"),
      (AnyKey(Key<Int?>()), "'Int?'"), (AnyKey(Key<[Int]>()), "'[Int]'"),
      (AnyKey(Key<[Int: any Part]>()), "'[Int: any Part]'"),
      (AnyKey(Key<((Int) -> Int)?>()), "'((Int) -> Int)?'"),
      (AnyKey(Key<(Int, Int)?>()), "'(Int, Int)?'"),
      (AnyKey(Key<any Store<Int>>()), "'any Store<Int>'"),
      (AnyKey(Key<(any Store<Int>)?>()), "'(any Store<Int>)?'"),
      (
        AnyKey(Key<any Store<Result<(Int) -> Int, Never>> & Other>()),
        "'any Other & Store<Result<(Int) -> Int, Never>>'"
      ),
      (
        AnyKey(Key<Result<any Store<any Store<Int>>, Never>>()),
        "'Result<any Store<any Store<Int>>, Never>'"
      ),
      (
        AnyKey(Key<any Table<[Int: String], any Store<Int>>>()),
        "'any Table<Key == any Store<Int>, Row == Dictionary<Int, String>>'"
      ),
    ])
  func `of a type with sugar is described as the user wrote it`(key: AnyKey, text: String) {
    #expect(key.description == text)
  }

  private struct Page: Hashable, Sendable, CustomStringConvertible {
    var description: String { "first\nsecond" }
  }

  @Test(
    arguments: [
      (AnyKey(Key<Int>(named: "a\nb")), #"'Int' named "a\nb""#),
      (AnyKey(Key<Int>(in: "a\r\nb \"c\"")), #"'Int' in "a\r\nb \"c\"""#),
      (AnyKey(Key<Int>(named: Page(), in: "é")), #"'Int' named first\nsecond in "é""#),
    ])
  func `with a name of several lines is described in one line`(key: AnyKey, text: String) {
    #expect(key.description == text)
  }

  @Test func `is listed while it is registered, in the order of registration`() {
    let resolver = Resolver()
    #expect(resolver.keys.isEmpty)
    var keys: [AnyKey] = []
    for id in 0..<20 { keys.append(AnyKey(resolver.register(id, named: id))) }
    #expect(resolver.keys == keys)
    resolver.register(0, named: 3)
    #expect(resolver.keys == keys.filter { $0 != keys[3] } + [keys[3]])
    resolver.unregister(keys[3])
    #expect(resolver.keys == keys.filter { $0 != keys[3] })
  }

  @Test func `with a name is not found without it, and the reverse`() throws {
    let resolver = Resolver()
    resolver.register(1, named: First.real)
    resolver.register("plain")
    try #expect(resolver.resolve(Int?.self) == nil)
    try #expect(resolver.resolve(Int?.self, named: Second.real) == nil)
    try #expect(resolver.resolve(Int?.self, named: First.real, in: "c") == nil)
    try #expect(resolver.resolve(Int?.self, named: First.real) == 1)
    try #expect(resolver.resolve(String?.self, named: "n") == nil)
  }
}
