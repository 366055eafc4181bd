// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import Understudy

/// A finding in a test's own task is reported at once, so the scope of a known issue contains it.
@Suite struct `A known issue` {
  enum Finding: CaseIterable {
    case fallThrough, unusedOverride, unstubbedCall, excessiveCall, callOutOfOrder, unusedStub

    func happen() {
      switch self {
      case .fallThrough:
        let resolver = Resolver()
        resolver.register(1)
        withOverrides(.strict, of: resolver) { _ in
        } operation: {
          _ = try? resolver.resolve(Int.self)
        }
      case .unusedOverride:
        withOverrides(.strict) {
          $0.register(1)
        } operation: {
        }
      case .unstubbedCall:
        let price = Spy<String, Int, any Error>("price(of:)")
        _ = try? price("tea")
      case .excessiveCall:
        withOverrides { _ in
        } operation: {
          let sends = Spy<String, Void, Never>("send(_:)")
          sends.expects(.once)
          for _ in 1...2 { sends("hello") }
        }
      case .callOutOfOrder:
        withOverrides { _ in
        } operation: {
          let (first, second) = (Spy<Int, Void, Never>("f(_:)"), Spy<Int, Void, Never>("g(_:)"))
          second(1)
          first(1)
          expectOrder {
            first.called(with: 1)
            second.called(with: 1)
          }
        }
      case .unusedStub:
        withOverrides { _ in
        } operation: {
          _ = Spy<String, Int, Never>("price(of:)", placeholder: 0).when("tea").returns(1)
        }
      }
    }
  }

  @Test(arguments: Finding.allCases)
  func `contains each finding in its scope`(finding: Finding) {
    withKnownIssue { finding.happen() }
  }

  @Test(.overrides(), arguments: Finding.allCases)
  func `contains each finding under the layer of a trait`(finding: Finding) {
    withKnownIssue { finding.happen() }
  }

  @Test(.overrides(), arguments: Finding.allCases)
  func `contains each finding of asynchronous code`(finding: Finding) async {
    await withKnownIssue {
      await Task.yield()
      finding.happen()
    }
  }

  @Test(arguments: Finding.allCases)
  func `contains each finding of a child task`(finding: Finding) async {
    await withKnownIssue {
      await withTaskGroup { group in
        group.addTask { finding.happen() }
      }
    }
  }

  /// Outside of the scope, the test does not expect the finding.
  @Test func `hides no finding outside of its scope`() async throws {
    let price = Spy<String, Int, any Error>("price(of:)")
    let text = """
      No stub answers price(of: "tea").
        Called at  \(#fileID):905
        Stubs      none
      To fix, do one of these:
        • Stub this call:   .when(…).returns(…)
        • Stub every call:  .returns(…)
        • Allow it:         unstubbed(.relaxed, double)
      """
    // Two of the three are known.
    try await expect(issues: Array(repeating: .error(text, line: 905), count: 3)) {
      withOverrides { _ in
      } operation: {
        withKnownIssue { _ = try? price("tea", line: 905) }
        _ = try? price("tea", line: 905)
        withKnownIssue { _ = try? price("tea", line: 905) }
      }
    }
  }
}
