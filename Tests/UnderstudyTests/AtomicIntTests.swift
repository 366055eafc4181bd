// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Testing

@testable import Understudy

@Suite struct `An atomic integer` {
  /// Where the integer lies.
  enum Memory: CaseIterable, Sendable {
    case own, object, lock

    func with(_ initial: Int, _ body: (AtomicInt) -> Void) {
      switch self {
      case .own: body(AtomicInt(initial))
      case .object:
        let owner = Owner(initial)
        withExtendedLifetime(owner) { body(AtomicInt(in: owner)) }
      case .lock:
        let lock = Lock(AtomicWord(initial))
        withExtendedLifetime(lock) { body(lock.integer) }
      }
    }
  }

  private class Owner {
    private let word: AtomicWord
    let other = "a"

    init(_ initial: Int) {
      word = AtomicWord(initial)
    }
  }

  @Test(arguments: Memory.allCases)
  func `is what each operation makes of it`(memory: Memory) {
    var seen: [Int] = []
    memory.with(5) { integer in
      seen = [integer.value, integer.relaxedValue]
      integer.store(8)
      seen.append(integer.value)
      let sum = integer.add(4)
      seen += [sum.oldValue, sum.newValue, integer.value]
      let difference = integer.subtract(2)
      seen += [difference.oldValue, difference.newValue, integer.value]
      seen += [integer.bitwiseOr(0b101), integer.value, integer.relaxedValue]
    }
    #expect(seen == [5, 5, 8, 8, 12, 12, 12, 10, 10, 10, 15, 15])
  }

  @Test func `is exchanged if it is the expected one`() {
    let integer = AtomicInt(1)
    let late = integer.compareExchange(expected: 2, desired: 3)
    let left = integer.value
    let done = integer.compareExchange(expected: 1, desired: 3)
    #expect(!late.exchanged && late.original == 1 && left == 1)
    #expect(done.exchanged && done.original == 1 && integer.value == 3)
  }

  @Test func `wraps around`() {
    let integer = AtomicInt(.max)
    let sum = integer.add(1)
    #expect(sum.newValue == .min)
    #expect(integer.subtract(1).newValue == .max)
  }

  @Test(arguments: Memory.allCases)
  func `loses nothing that threads add at one time`(memory: Memory) {
    memory.with(0) { integer in
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for _ in 0..<10_000 { integer.add(3) }
      }
      #expect(integer.relaxedValue == 240_000)
    }
  }

  @Test func `is a flag that one thread alone finds unset`() {
    for _ in 0..<1_000 {
      let isTaken = AtomicInt(0)
      let takers = AtomicInt(0)
      DispatchQueue.concurrentPerform(iterations: 2) { _ in
        if !isTaken.set() { takers.add(1) }
      }
      #expect(takers.relaxedValue == 1)
    }
  }

  @Test func `is a flag, too`() {
    let flag = AtomicInt(1)
    var seen = [flag.isSet]
    flag.store(0)
    seen.append(flag.isSet)
    seen += [flag.set(), flag.isSet, flag.set(), flag.isSet]
    #expect(seen == [true, false, false, true, true, true])
  }

  // MARK: Where it lies

  @Test func `of the process has a number of its own, below 16`() throws {
    let file = try #require(
      RepositoryFile.all.get().first { $0.path.hasSuffix("/Support/AtomicInt.swift") })
    let numbers = file.text.matches(of: /number: (\d+)\)/).compactMap { Int($0.1) }
    #expect(numbers == Array(0..<numbers.count))
    #expect((1...16).contains(numbers.count))
  }

  @Test func `of the process gives numbers in turn`() {
    let first = AtomicInt.lastCall.next()
    #expect(first > 0)
    #expect(AtomicInt.lastCall.next() > first)
  }

  /// The classes of a file whose integer would not lie where `AtomicInt(in: self)` looks for it.
  ///
  /// - Parameter classes: The names of all classes.
  static func misplaced(in file: RepositoryFile, among classes: Set<String>) -> [String] {
    let code = file.text.withoutCommentsAndStrings
    let uses = code.matches(of: /Atomic(?:Int|Flag)(?:\.\w+)?\(in: self\)/)
    let heads = code.matches(of: /\bclass\s+(\w+)(?:<[^>]*>)?\s*(?::([^{]*))?\{/)
    return uses.compactMap { use in
      guard let head = heads.last(where: { $0.range.upperBound <= use.range.lowerBound }) else {
        return file.name
      }
      let inherited = head.2?.matches(of: /\w+/).map { String($0.0) } ?? []
      let first = code[head.range.upperBound...].split(separator: "\n").first {
        $0.contains(/\b(?:let|var)\b/) && !$0.contains(/\bstatic\b/)
      }
      let isFirst = first?.contains(/^ *private let word(?:: AtomicWord| = AtomicWord\()/) == true
      return isFirst && classes.isDisjoint(with: inherited) ? nil : String(head.1)
    }
  }

  static func classes(in files: [RepositoryFile]) -> Set<String> {
    files.reduce(into: []) { classes, file in
      classes.formUnion(
        file.text.withoutCommentsAndStrings.matches(of: /\bclass\s+([A-Z]\w*)/).map { String($0.1) }
      )
    }
  }

  @Test func `is the first stored property of each class that has one`() throws {
    let files = try RepositoryFile.all.get().filter { $0.path.hasPrefix("Sources/") }
    let classes = Self.classes(in: files)
    #expect(classes.isSuperset(of: ["AnyRegistration", "Construction"]))
    #expect(files.flatMap { Self.misplaced(in: $0, among: classes) } == [])
  }

  @Test(arguments: [
    (": Sendable {\n  private let word = AtomicWord()\n  let a = 1", []),
    (" {\n  private static let a = 1\n  private let word: AtomicWord\n  let a = 1", []),
    (": Sendable {\n  let a = 1\n  private let word = AtomicWord()", ["Owner"]),
    (": Sendable {\n  private let word = 1", ["Owner"]),
    (": Other, Sendable {\n  private let word = AtomicWord()", ["Owner"]),
  ])
  func `in another place is seen`(members: String, expected: [String]) {
    let text = """
      // class Comment: Other {
      final class Owner\(members)
        private var number: AtomicInt { AtomicInt(in: self) }
      }
      """
    let file = RepositoryFile(path: "Sources/Understudy/Log/A.swift", text: text)
    #expect(Self.misplaced(in: file, among: ["Owner", "Other"]) == expected)
  }
}
