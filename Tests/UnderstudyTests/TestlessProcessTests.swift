// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

private let file = #filePath
private let id = #fileID

/// In such a process, violations are printed to standard error.
@Suite struct `A process without tests` {
  @Test func `prints a request that a layer refuses after its end, once`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      TestHosts.install(nil)
      let kept = withOverrides(of: Resolver(), named: "done", line: 301) { _ in
      } operation: {
        OverrideLayer.current!
      }
      for _ in 1...2 { kept.register(line: 302) { 1 } }
      kept.onDispose(line: 303) {}
    }
    #expect(
      String(decoding: try #require(result).standardErrorContent, as: UTF8.self) == """
        \(file):302: error: 'Int' was registered on a layer that has ended; nothing was added.
          Registered  \(id):302
          Layer       'done'
          Pushed      \(id):301
        To fix, do one of these:
          • Register before the scope ends, and wait for the work that registers.
          • Register on the layer of the running test:  OverrideLayer.current
        \(file):303: error: A disposer was given to a layer that has ended; it does not run.
          Given   \(id):303
          Layer   'done'
          Pushed  \(id):301
        To fix, do one of these:
          • Call 'onDispose' before the scope ends, and wait for the work that calls it.
          • Call it on the layer of the running test:  OverrideLayer.current

        """)
  }

  @Test(
    arguments: [
      (["/bin/App.xctest"], true), (["/usr/bin/xctest", "App.xctest"], true),
      (["/bin/swiftpm-testing-helper", "--test-bundle-path", "App.xctest"], true),
      (["/bin/app"], false), ([], false), (["/bin/coverage", "App.xctest"], false),
    ] as [([String], Bool)])
  func `is told by its program, and not by its arguments`(arguments: [String], hasTests: Bool) {
    #expect(TestProcess.isStarted(with: arguments) { _ in nil } == hasTests)
  }

  @Test func `prints the violations at the end of a layer`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      struct Jammed: Error {}
      TestHosts.install(nil)
      withOverrides(of: Resolver(), named: "done") {
        $0.onDispose(line: 304) { throw Jammed() }
        $0.register { 1 }
      } operation: {
      }
    }
    #expect(
      String(decoding: try #require(result).standardErrorContent, as: UTF8.self) == """
        \(file):304: error: Disposing of the setup at \(id):304 failed: Jammed()
          Layer  'done'

        """)
  }

  /// The caller of the first form has the error.
  @Test func `prints a late request only if the caller cannot throw`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      struct Sender { @Inject(line: 306) var number: Int }
      TestHosts.install(nil)
      let resolver = Resolver()
      resolver.register(1)
      let context = withOverrides(of: resolver, named: "done", line: 305) {
        $0.register(2)
      } operation: {
        OverrideContext.current
      }
      let (thrown, injected) = context.run {
        (try? resolver.resolve(Int.self), withResolver(resolver) { Sender().number })
      }
      guard thrown == nil, injected == 1 else { fatalError("\(thrown as Any) \(injected)") }
    }
    #expect(
      String(decoding: try #require(result).standardErrorContent, as: UTF8.self) == """
        \(file):306: error: 'Int' was asked for under the ended layer 'done'.
          At  \(id):306
        To fix, do one of these:
          • Wait for the work before the scope ends.
          • Cancel the work, or let it resolve what it needs while the scope lasts.

        """)
  }

  /// The release of a long chain would end the process, too.
  @Test func `retains none of the ended layers that late work pushed layers on`() async {
    await #expect(processExitsWith: .success) {
      TestHosts.install(nil)
      let resolver = Resolver()
      resolver.register(0)
      var context = OverrideContext.current
      for number in 1...100_000 {
        context = context.run {
          withOverrides(of: resolver, named: "layer \(number)") {
            $0.register(number)
          } operation: {
            OverrideContext.current
          }
        }
      }
      guard let layer = context.layer, layer.stack.map(\.name) == ["layer 100000", "layer 1"]
      else { fatalError("\(context)") }
      let error = resolutionError { try context.run { try resolver.resolve(Int.self) } }
      guard case .layerEnded("layer 100000", nil) = error?.reason else { fatalError("\(error!)") }
    }
  }
}
