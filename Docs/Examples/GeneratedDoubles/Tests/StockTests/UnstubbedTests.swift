// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Stock
import Testing
import UnderstudyTesting

#if os(Linux)
  @Suite struct UnstubbedTests {
    /// The report of a call without a stub is in the code under test, and not in generated code.
    @Test(.overrides())
    func `a call without a stub is reported where the code under test makes it`() async {
      await withKnownIssue {
        try? await Returns(store: OrderStoreDouble()).giveBack(7)
      } matching: { issue in
        issue.sourceLocation?.fileID == "Stock/Stock.swift"
          && issue.comments.contains { $0.rawValue.contains("Called at  Stock/Stock.swift:") }
      }
    }
  }
#endif
