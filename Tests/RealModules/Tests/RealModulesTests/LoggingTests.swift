// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Logging
import Testing
import UnderstudyDoubles

@Suite struct LoggingTests {
  @Test func `a log handler receives logged messages, and no disabled ones`() {
    let handler = LogHandlerDouble()
    handler.logLevel = .info
    handler.metadata = ["row": "7"]
    let logger = Logger(label: "stage") { _ in handler }
    logger.debug("Dust")
    logger.info("Curtain", metadata: ["act": "1"])
    #expect(handler.spy.log.calls.map(\.message) == ["Curtain"])
    #expect(handler.spy.log.calls.first?.metadata == ["act": "1"])
    #expect(handler.spy.logLevel.sets.calls == [.info])
  }

  @Test func `a log handler answers for its metadata`() {
    let handler = LogHandlerDouble()
    handler.spy.subscript.when("row").returns("7")
    var logger = Logger(label: "stage") { _ in handler }
    #expect(logger[metadataKey: "row"] == "7")
    logger[metadataKey: "seat"] = "12"
    #expect(handler.spy.subscriptSet.calls.map(\.0) == ["seat"])
    #expect(handler.spy.subscriptSet.calls.map(\.1) == ["12"])
  }

  @Test func `a log handler forwards to a real one`() {
    let real = LogHandlerDouble()
    let handler = LogHandlerDouble(forwardingTo: real)
    handler.logLevel = .trace
    Logger(label: "stage") { _ in handler }.trace("Wings")
    #expect(real.spy.log.calls.map(\.message) == ["Wings"])
    #expect(handler.spy.log.calls.count == 1)
  }
}
