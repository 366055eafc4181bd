// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTesting

#if os(Linux) || os(macOS)
  /// Waits long, since the machine may have much to do.
  private func text(of path: String, _ arguments: [String], limit: Int = 1000) -> String? {
    ProgramOutput.text(of: path, arguments, within: 300_000, limit: limit)
  }

  @Suite struct `The output of a program` {
    @Test func `is its text, with each argument as it was`() {
      let output = text(of: "/bin/echo", ["a  b", "$HOME", "`id`", "ä\n*"])
      #expect(output == "a  b $HOME `id` ä\n*\n")
    }

    @Test func `is empty if it prints nothing and fails`() {
      #expect(text(of: "/bin/sh", ["-c", "exit 3"]) == "")
    }

    @Test func `has none of its errors, and it gets no input`() {
      #expect(text(of: "/bin/sh", ["-c", "cat; echo no >&2; echo yes"]) == "yes\n")
    }

    @Test func `is none if it does not exist`() {
      #expect(ProgramOutput.text(of: "/no/such/program", ["a"]) == nil)
      #expect(ProgramOutput.text(of: "", []) == nil)
    }

    @Test func `is none if it takes longer than it may`() {
      let start = ContinuousClock.now
      #expect(ProgramOutput.text(of: "/bin/sleep", ["600"], within: 50) == nil)
      let script = "echo early; exec sleep 600"
      #expect(ProgramOutput.text(of: "/bin/sh", ["-c", script], within: 50) == nil)
      #expect(start.duration(to: .now) < .seconds(300))
    }

    @Test func `is read although the program runs on`() {
      let start = ContinuousClock.now
      let script = "echo done; exec sleep 600 >&-"
      #expect(text(of: "/bin/sh", ["-c", script]) == "done\n")
      #expect(start.duration(to: .now) < .seconds(300))
    }

    @Test func `is cut at the limit`() {
      let output = text(
        of: "/bin/sh", ["-c", "while :; do echo 1234567; done"], limit: 20)
      #expect(output == "1234567\n1234567\n1234")
      #expect(text(of: "/bin/echo", ["123"], limit: 4) == "123\n")
    }

    @Test func `is read by many at once`() async {
      let outputs = await withTaskGroup { group in
        for number in 0..<20 {
          group.addTask { text(of: "/bin/echo", ["\(number)"]) }
        }
        return await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(outputs == Set((0..<20).map { "\($0)\n" }))
    }
  }
#endif
