// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
  import Foundation
  import Testing
  import UnderstudyDoubles
  import UnderstudyTesting

  /// The process of an exit test runs nothing else, and may end before its layers.
  @Suite struct `The process of an exit test` {
    @Test func `loses no finding if the code under test exits`() async {
      await withKnownIssue {
        await #expect(processExitsWith: .success) {
          Resolver.main.register(1)
          withOverrides(.strict) { _ in
          } operation: {
            _ = try? Resolver.main.resolve(Int.self)
            exit(EXIT_SUCCESS)
          }
        }
      } matching: {
        $0.comments.contains { $0.rawValue.contains("'Int' fell through to production") }
      }
    }

    @Test func `tells an unmet expectation of a double without a layer if the code exits`() async {
      let isTold = Box(false)
      await withKnownIssue {
        await #expect(processExitsWith: .success) {
          let sends = Spy<String, Void, Never>("send(_:)")
          sends.expects(.once)
          exit(EXIT_SUCCESS)
        }
      } matching: { issue in
        if issue.comments.contains(where: {
          $0.rawValue.contains("send(any arguments) was expected once")
        }) {
          isTold.update { $0 = true }
          return true
        }
        // The process also ends with a failure.
        return "\(issue)".contains("exitCode(1)")
      }
      #expect(isTold.value)
    }

    @Test func `ends a layer that waits for an object which is never released, if the code exits`()
      async
    {
      let isTold = Box(false)
      await withKnownIssue {
        await #expect(processExitsWith: .success) {
          final class Leaky {
            var own: Leaky?
          }
          _ = withOverrides(.strict, named: "kept", until: .endOfTest) {
            $0.register { "double" }
          } operation: {
            let leaky = Leaky()
            leaky.own = leaky
            return leaky
          }
          exit(EXIT_SUCCESS)
        }
      } matching: { issue in
        if issue.comments.contains(where: {
          $0.rawValue.contains("The override of 'String' was never resolved.")
        }) {
          isTold.update { $0 = true }
          return true
        }
        // The process also ends with a failure.
        return "\(issue)".contains("exitCode(1)")
      }
      #expect(isTold.value)
    }

    @Test func `may be ended by a call that no stub answers`() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        struct Seat { let number: Int }
        let seats = Spy<Int, Seat, Never>("seat(_:)")
        _ = seats(7)
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("No stub answers seat(7)."))
    }

    @Test func `goes on after a read of a wrapper that throws`() async {
      await withKnownIssue {
        await #expect(processExitsWith: .success) {
          let resolver = Resolver()
          resolver.register(inTests: .mustBeOverridden) { 1 }
          let number = withResolver(resolver) { Inject<Int>() }
          do throws(ResolutionError) {
            _ = try number.get()
            preconditionFailure("It was not refused.")
          } catch {
            precondition(error.kind == "mustBeOverridden", error.kind)
          }
        }
      } matching: {
        $0.comments.contains { $0.rawValue.contains("'Int' must be overridden in tests") }
      }
    }
  }
#endif
