// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

protocol Fetches: Sendable {
  func fetch(_ request: URLRequest) async throws -> (Data, URLResponse)
}
