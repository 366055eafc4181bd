// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTestHost

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

  /// `*` is a function of the package, `|` a witness, `~` a thunk, `-` has no module.
  @Test(arguments: [
    (["*record()", "Spy.send()", "|Spy.send()", "Shop.buy()", "test()"], [3, 4]),
    (["*record()", "closure #1 in Spy.send()", "Spy.send()", "|Spy.send()", "Shop.buy()"], [4]),
    (["*record()", "Spy.send()", "~thunk", "|Spy.send()", "~thunk", "-forEach()", "buy()"], [6]),
    (
      ["*record()", "(1) await resume partial function for Spy.send()", "|Spy.send()", "buy()"], [3]
    ),
    // Code of the package calls the double for the user.
    (["*record()", "Client.send()", "|Client.send()", "*get()", "Shop.buy()"], [4]),
    // The protocol is that of another object, which calls the double by its own type.
    (["*record()", "Spy.send()", "Shop.buy()", "|Shop.buy()", "test()"], []),
    (["*record()", "Spy.send()", "Shop.buy()"], []),
    (["Host.caller()", "|Host.caller()", "*record()", "Spy.send()", "|Spy.send()", "buy()"], [5]),
    (["*record()"], []),
    ([], []),
  ])
  func `is outside the witness of the double`(stack: [String], callers: [Int]) {
    let frames = stack.map { text in
      let mark = text.first { "*|~-".contains($0) && text.hasPrefix("\($0)") }
      let name = mark == nil ? text : String(text.dropFirst())
      return CallerSearch.Frame(
        name: mark == "|" ? "protocol witness for Sends.send() in conformance \(name)" : name,
        module: mark == "*" ? "UnderstudyDoubles" : mark == "-" ? nil : "Shop",
        isThunk: mark == "|" || mark == "~")
    }
    #expect(CallerSearch.callers(in: frames) == callers)
  }

  @Test(arguments: [0, 8, 0x1000, UInt.max / 2, UInt.max - 31])
  func `is not found in memory that the process cannot read`(base: UInt) {
    var addresses: [UInt] = [1, 2, 3, 4]
    #expect(understudy_read_continuations(base, &addresses, addresses.count) == 0)
    #expect(addresses == [1, 2, 3, 4])
  }

  // Other systems have no stacks with source locations, and optimisation removes witnesses.
  #if os(Linux) && DEBUG
    /// A way to call a double, and the lines of its calls.
    fileprivate struct Way: Sendable, CustomTestStringConvertible {
      let name: String
      let lines: [Int]
      let run: @Sendable (Code) async -> Void
      var testDescription: String { name }

      init(_ name: String, _ lines: Int..., run: @escaping @Sendable (Code) async -> Void) {
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
      // Nothing knows a better place than the double.
      Way("by its own type", LetterBox.line) { _ in LetterBox().sendNow() },
      Way("a spy alone, below another protocol", Direct.line) { _ in
        let sender: any Sending = Direct()
        sender.send()
      },
    ]

    @Test(arguments: ways)
    fileprivate func `is named in the message, and has the issue`(way: Way) async {
      let issues = Transcript<Caught>()
      await withKnownIssue {
        await withOverrides { _ in
        } operation: {
          await way.run(Code(mailer: LetterBox(), archive: Archive()))
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
  let regions = Spy<Void, Int, Never>("region")
  let fetches = AsyncSpy<Int, String, any Error>("fetch(_:)", placeholder: "")
  var region: Int { regions() }
  func fetch(_ id: Int) async throws -> String { try await fetches(id) }
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

  static let regionLine = #line + 2
  func reads() {
    _ = archive.region
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
