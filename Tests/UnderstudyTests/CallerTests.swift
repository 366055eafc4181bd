// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTestHost
import XCTest

@testable import UnderstudyTesting

@Suite struct `The code that called a double` {
  @Test(arguments: [
    ("$s4Shop8CheckoutC7confirmyyF", "Shop"), ("$s12UnicodeShop1C1V", "UnicodeShop1"),
    ("$sSTsE7forEachyyy7ElementQzKXEKF", nil), ("_ZN5swift", nil), ("$s9Short", nil), ("", nil),
    ("$s0Shop", nil), ("$sSa4ShopE7sendAllyyF", "Shop"), ("$sSTsE7forEachyyF", nil),
    ("$sSa4ShopAA5Mails_pRszlE7sendAllyyF", "Shop"), ("$sST4ShopAA1P7ElementRpzrlE3fooyyF", "Shop"),
    ("$s10Understudy8ResolverC4ShopE6mailedyyF", "Shop"), ("$s4Shop4CartV5ItemsC3addyyF", "Shop"),
    ("$sScT4Shops5Error_pRs_rlE3runyyF", "Shop"), ("$ss5SliceV4ShopE3cutyyF", "Shop"),
  ])
  func `is of the module in the mangled name`(mangled: String, module: String?) {
    #expect(CallerSearch.Frame.module(in: mangled) == module)
  }

  /// The functions that the tests put on a stack, by their names without the prefix.
  private static let names = [
    "report": "17UnderstudyDoubles3SpyC6recordyyF",
    "Spy.send": "4Shop9LetterBoxC4sendyySSKF",
    "its closure": "4Shop9LetterBoxC4sendyySSKFyyXEfU_",
    "its other closure": "4Shop9LetterBoxC4sendyySSKFSiyXEfU0_",
    "its async part": "4Shop9LetterBoxC4sendyySSYaKFTQ0_",
    "async witness": "4Shop9LetterBoxCAA5MailsA2aDP4sendyySSYaKFTWTQ0_",
    "witness": "4Shop9LetterBoxCAA5MailsA2aDP4sendyySSKFTW",
    "Spy.init": "4Shop9LetterBoxCACycfc", "its allocation": "4Shop9LetterBoxCACycfC",
    "witness of init": "4Shop9LetterBoxCAA5MailsA2aDPxycfCTW",
    "value.init": "4Shop6LetterVACycfC", "closure in value.init": "4Shop6LetterVACycfcS2iXEfU_",
    "thunk": "4Shop9LetterBoxC4sendyySSKFyyXEfU_TA", "forEach": "STsE7forEachyyy7ElementQzKXEKF",
    "buy": "4Shop8CheckoutC3buyyyF", "its witness": "4Shop8CheckoutCAA4BuysA2aDP3buyyyFTW",
    "test": "9ShopTests0A0V3runyyF", "convenience": "17UnderstudyDoubles5FakesPAAE3getyyF",
    "essential": "20UnderstudyEssentials6ClientV3getyyF",
    "helper": "17UnderstudyDoubles3SpyV9ShopTestsE5twiceyyF",
    "helper of all spies": "17UnderstudyDoubles9AnsweringP9ShopTestss5Error7FailureRpzrlE5twiceyyF",
  ]

  @Test(arguments: [
    (["report", "Spy.send", "witness", "buy", "test"], [3, 4]),
    (["report", "its closure", "Spy.send", "witness", "buy"], [4]),
    (["report", "its closure", "its other closure", "Spy.send", "witness", "buy"], [5]),
    (["report", "its closure", "thunk", "forEach", "Spy.send", "witness", "buy"], [6]),
    (["report", "Spy.send", "thunk", "witness", "thunk", "forEach", "buy"], [6]),
    (["report", "its async part", "async witness", "buy"], [3]),
    (["report", "Spy.init", "its allocation", "witness of init", "buy"], [4]),
    (["report", "closure in value.init", "value.init", "witness of init", "buy"], [4]),
    (["report", "Spy.send", "witness", "value.init", "test"], [3, 4]),
    // A helper of the user's, in an extension of a spy, is no double.
    (["report", "helper", "Spy.send", "witness", "buy"], [4]),
    (["report", "helper of all spies", "Spy.send", "witness", "buy"], [4]),
    (["report", "its closure", "helper", "Spy.send", "witness", "buy"], [5]),
    // Code of the package calls the double for the user.
    (["report", "Spy.send", "witness", "convenience", "essential", "buy"], [5]),
    // The protocol is that of another object, which calls the double by its own type.
    (["report", "Spy.send", "buy", "its witness", "test"], []),
    (["report", "Spy.send", "buy"], []),
    (["buy", "its witness", "report", "Spy.send", "witness", "test"], [5]),
    (["report"], []),
    ([], []),
  ])
  func `is outside the witness of the double`(stack: [String], callers: [Int]) throws {
    let frames = try stack.map { CallerSearch.Frame("$s" + (try #require(Self.names[$0]))) }
    #expect(CallerSearch.callers(in: frames) == callers)
  }

  @Test(arguments: [0, 8, 0x1000, UInt.max / 2, UInt.max - 31])
  func `is not found in memory that the process cannot read`(base: UInt) {
    var addresses: [UInt] = [1, 2, 3, 4]
    #expect(understudy_read_continuations(base, &addresses, addresses.count) == 0)
    #expect(addresses == [1, 2, 3, 4])
  }

  // On other systems nothing finds source locations, and optimisation removes witnesses.
  #if (os(Linux) || os(macOS)) && DEBUG
    /// A way to call a double, and the lines of its calls.
    fileprivate struct Way: Sendable, CustomTestStringConvertible {
      let name: String
      let lines: [Int]
      let run: @Sendable (Code) async throws -> Void
      var testDescription: String { name }

      init(_ name: String, _ lines: Int..., run: @escaping @Sendable (Code) async throws -> Void) {
        self.name = name
        self.lines = lines
        self.run = run
      }
    }

    fileprivate static let ways = [
      Way("synchronous", Code.sendsLine) { $0.sends() },
      Way("in a closure", Code.closureLine) { $0.sendsInClosure() },
      Way("generic", Code.genericLine) { $0.sendsGenerically($0.mailer) },
      Way("in an extension of an array", Code.allLine) { $0.sendsAll() },
      Way("asynchronous", Code.fetchesLine, Code.fetchesLine + 2) { await $0.fetches() },
      Way("in a task", Code.taskLine) { await $0.fetchesInTask() },
      Way("property", Code.regionLine) { $0.reads() },
      Way("in the initialiser of a structure", Order.line) { _ = Order(mailer: $0.mailer) },
      Way("of a double that calls its spy for each", Code.sendsLine) {
        Code(mailer: Copies(), archive: $0.archive).sends()
      },
      Way("of a double that calls its spy in a helper of the spy", Code.sendsLine) {
        Code(mailer: Twice(), archive: $0.archive).sends()
      },
      Way("of a double whose cassette has nothing to play", Code.sendsLine) {
        Code(mailer: try Played(), archive: $0.archive).sends()
      },
      Way("within #expect", Code.expectsLine) { $0.expects() },
      Way("asynchronous, within #expect", Code.asyncExpectsLine, Code.asyncExpectsLine + 2) {
        await $0.expectsFetch()
      },
      Way("within #require", Code.requiresLine) { $0.requires() },
      Way("in a closure within #expect", Code.expectsClosureLine) { $0.expectsInClosure() },
      Way("asynchronous, in a closure for #expect", Code.expectsThrowLine) {
        await $0.expectsFetchToThrow()
      },
      // Nothing knows a better place than the double.
      Way("within an assertion of XCTest", Archive.line) { $0.asserts() },
      Way("in a closure for #expect", LetterBox.line) { $0.expectsThrow() },
      Way("by its own type", LetterBox.line) { _ in LetterBox().sendNow() },
      Way("a spy alone, below another protocol", Direct.line) { _ in
        let sender: any Sending = Direct()
        sender.send()
      },
    ]

    @Test(arguments: ways)
    fileprivate func `is named in the message, and has the issue`(way: Way) async throws {
      let issues = Transcript<Caught>()
      try await withKnownIssue {
        try await withOverrides { _ in
        } operation: {
          try await way.run(Code(mailer: LetterBox(), archive: Archive()))
        }
      } matching: {
        issues.say(Caught($0))
        return true
      }
      #expect(issues.all.map(\.line) == way.lines)
      #expect(issues.all.allSatisfy { $0.file == #fileID })
      for issue in issues.all {
        #expect(issue.text.contains("Called at  \(#fileID):\(issue.line)\n"))
      }
    }
  #endif
}

private protocol Mails: Sendable { func send(_ text: String) throws }

private protocol Archiving: Sendable {
  var region: Int { get }
  func fetch(_ id: Int) async throws -> String
}

private protocol Sending { func send() }

private final class LetterBox: Mails {
  static let line = #line + 2
  let sends = Spy<String, Int, any Error>("send(_:)", placeholder: 0)
  func send(_ text: String) throws { _ = try sends(text) }
  func sendNow() { try? send("now") }
}

private final class Archive: Archiving {
  static let line = #line + 3
  let regions = Spy<Void, Int, Never>("region")
  let fetches = AsyncSpy<Int, String, any Error>("fetch(_:)", placeholder: "")
  var region: Int { regions() }
  func fetch(_ id: Int) async throws -> String { try await fetches(id) }
}

private struct Copies: Mails {
  let sends = Spy<String, Int, any Error>("send(_:)", placeholder: 0)
  func send(_ text: String) throws { try [text].forEach { _ = try sends($0) } }
}

private struct Twice: Mails {
  let sends = Spy<String, Int, any Error>("send(_:)", placeholder: 0)
  func send(_ text: String) throws { _ = try sends.total(text) }
}

private struct Played: Mails {
  let sends = Spy<String, Int, any Error>("send(_:)", placeholder: 0)
  init() throws {
    sends.plays(try Cassette(at: "/no cassette", mode: .none)) { _ in 0 }
  }
  func send(_ text: String) throws { _ = try sends(text) }
}

extension Spy where Output == Int {
  /// A helper of the tests. Its line is not the place of the call.
  fileprivate func total(_ arguments: Arguments) throws(Failure) -> Int { try self(arguments) }
}

/// Its requirement does not call the spy itself, as that of a double would.
private struct Direct: Sending {
  static let line = #line + 3
  let spy = Spy<String, Int, Never>("f(_:)")
  func send() { callTheSpy() }
  private func callTheSpy() { _ = spy("text") }
}

/// The code under test.
private struct Code: Sendable {
  let mailer: any Mails
  let archive: any Archiving

  static let sendsLine = #line + 2
  func sends() {
    try? mailer.send("a")
  }

  static let closureLine = #line + 3
  func sendsInClosure() {
    ["a"].forEach { text in
      try? mailer.send(text)
    }
  }

  static let allLine = Array<any Mails>.line
  func sendsAll() {
    [mailer].sendAll()
  }

  static let genericLine = #line + 2
  func sendsGenerically(_ mailer: some Mails) {
    try? mailer.send("a")
  }

  static let fetchesLine = #line + 2
  func fetches() async {
    _ = try? await archive.fetch(1)
    await Task.yield()
    _ = try? await archive.fetch(2)
  }

  static let taskLine = #line + 3
  func fetchesInTask() async {
    await Task {
      _ = try? await archive.fetch(3)
    }.value
  }

  static let expectsLine = #line + 2
  func expects() {
    #expect(archive.region == 0)
  }

  static let asyncExpectsLine = #line + 2
  func expectsFetch() async {
    #expect(await (try? archive.fetch(4)) == "")
    await Task.yield()
    #expect(await (try? archive.fetch(5)) == "")
  }

  static let requiresLine = #line + 3
  func requires() {
    do {
      try #require(archive.region == 0)
    } catch {
      Issue.record(error)
    }
  }

  // A closure has no line of its own there.
  static let expectsClosureLine = #line + 2
  func expectsInClosure() {
    #expect(
      [1].allSatisfy { archive.region + $0 == 1 })
  }

  func expectsThrow() {
    #expect(throws: Never.self) { try mailer.send("b") }
  }

  static let expectsThrowLine = #line + 3
  func expectsFetchToThrow() async {
    await Task.yield()
    await #expect(throws: Never.self) { _ = try await archive.fetch(6) }
  }

  func asserts() {
    XCTAssertEqual(archive.region, 0)
  }

  static let regionLine = #line + 2
  func reads() {
    _ = archive.region
  }
}

private struct Order {
  static let line = #line + 2
  init(mailer: any Mails) {
    try? mailer.send("a")
  }
}

extension Array where Element == any Mails {
  fileprivate static var line: Int { (#line) + 4 }

  fileprivate func sendAll() {
    for mailer in self {
      try? mailer.send("a")
    }
  }
}
