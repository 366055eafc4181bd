// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private let file = "UnderstudyTests/ExitTestTests.swift"

private let resolver: Resolver = {
  let resolver = Resolver(named: "exits")
  resolver.register { RealPostman() as any Postman }
  return resolver
}()

private func name(line: Int = #line) -> String {
  (try? resolver.resolve((any Postman).self, line: line).name) ?? "nobody"
}

/// The body of an exit test runs in a process in which Swift Testing runs no test.
@Suite struct `The body of an exit test` {
  @Test func `reports work that escapes from its layers`() async throws {
    let text = """
      'any Postman' was asked for by work that belongs to no test, and a running test overrides it.
        At             \(file):801
        Resolver       'exits'
        Overridden by  'an exit test'
      To fix, do one of these:
        • Carry the context:  let context = OverrideContext.current … context.run { … }
        • Resolve before the work is sent off, and hand it the value.
      """
    try await expect(issues: [.error(text, line: 801)]) {
      await #expect(processExitsWith: .success) {
        await withOverrides(of: resolver) {
          $0.register { PostmanDouble() as any Postman }
        } operation: {
          #expect(name() == "double")
          #expect(await Task.detached { name(line: 801) }.value == "nobody")
          let context = OverrideContext.current
          #expect(await Task.detached { context.run { name() } }.value == "double")
        }
        #expect(await Task.detached { name() }.value == "production")
      }
    }
  }

  @Test func `reports the violations of its layers`() async throws {
    let text = """
      The override of 'any Postman' was never resolved.
        Overridden  \(file):802
        Layer       'idle' of the resolver 'exits'
      To fix, do one of these:
        • Remove it, or let the code under test ask for 'any Postman'.
        • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
      """
    try await expect(issues: [.warning(text, line: 802)]) {
      await #expect(processExitsWith: .success) {
        withOverrides(of: resolver, named: "idle") {
          $0.register((any Postman).self, line: 802) { PostmanDouble() }
        } operation: {
        }
      }
    }
  }
}
