// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Configuration
import Logging
import NIOCore
import Testing
import UnderstudyDoubles

@Suite struct RealModulesTests {
  @Test func `a log handler is told what is logged`() {
    let handler = LogHandlerDouble()
    handler.logLevel = .trace
    let logger = Logger(label: "stage") { _ in handler }
    logger.info("Curtain")
    #expect(handler.spy.logEvent.calls.count == 1)
  }

  @Test func `a provider of configuration answers as it is told`() {
    let provider = ConfigProviderDouble()
    provider.spy.providerName.returns("prompter")
    #expect((provider as any ConfigProvider).providerName == "prompter")
    #expect(provider.spy.providerName.calls.count == 1)
  }
}
