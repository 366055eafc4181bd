// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDoubles

private enum ClockDouble {
  static var nows: Spy<Void, Int, Never> { .static(of: Self.self, "now()", line: 410) }
}

/// The tests of a process without a framework.
private final class NamedTests: TestHost {
  @TaskLocal static var name: String?
  let texts = Lock<[String]>([])

  func testOfCallingTask() -> RunningTest? {
    NamedTests.name.map { RunningTest(name: $0, adoptsEscapedWork: false) }
  }
  func runningCase() -> RunningTest? { nil }
  func isSkip(_ error: any Error) -> Bool { false }
  func report(_ violation: Violation) -> Bool {
    texts.withLock { $0.append("\(violation.severity): \(violation)") }
    return false
  }
}

@Suite struct `A static double without a layer` {
  @Test func `says that it has the stubs and calls of another test`() async {
    await #expect(processExitsWith: .success) {
      let host = NamedTests()
      TestHosts.install(host)
      NamedTests.$name.withValue("a premiere") {
        ClockDouble.nows.returns(77)
        #expect(ClockDouble.nows() == 77)
      }
      #expect(host.texts.withLock { $0 } == [])
      NamedTests.$name.withValue("a rehearsal") {
        for _ in 1...2 { #expect(ClockDouble.nows() == 77) }
        withOverrides(of: Resolver()) { _ in
        } operation: {
          ClockDouble.nows.returns(3)
          #expect(ClockDouble.nows() == 3)
        }
      }
      let text = """
        warning: ClockDouble.now() has the stubs and the calls of another test.
          Double      \(#fileID):410
          Other test  'a premiere'
        To fix:  Give each of the tests a layer:  @Test(.overrides())
        """
      #expect(host.texts.withLock { $0 } == [text])
    }
  }
}
