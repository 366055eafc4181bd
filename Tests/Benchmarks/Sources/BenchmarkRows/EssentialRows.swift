// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Understudy
import UnderstudyEssentials

/// The cost of a ready-made dependency, compared with a dependency of your own and with a direct
/// call.
enum EssentialRows {
  static let uuid = "reference: UUID()"

  static func all() -> [Row] {
    [
      Row(uuid) { for _ in 0..<$0 { _ = UUID() } },
      Row("a declared function of your own") {
        for _ in 0..<$0 { _ = Resolver.main.resolve { $0.ownFunction } }
      },
      Row("the ready-made UUID generator") {
        for _ in 0..<$0 { _ = Resolver.main.resolve { $0.uuid } }
      },
      Row("the ready-made UUID generator, called") {
        for _ in 0..<$0 { _ = Resolver.main.resolve { $0.uuid }() }
      },
      Row("a declared function of your own, written in one line") {
        for _ in 0..<$0 { _ = Resolver.main.resolve { $0.ownFunctionInOneLine } }
      },
    ]
  }
}

/// A dependency of the same shape as `UUIDGenerator`.
struct OwnFunction: Sendable {
  let call: @Sendable () -> UUID
}

extension Dependencies {
  static var ownFunction: Dependency<OwnFunction> { declaredFunction }
  static var ownFunctionInOneLine: Dependency<OwnFunction> {
    Dependency { OwnFunction { UUID() } }
  }
}

private let declaredFunction = Dependency<OwnFunction> { OwnFunction { UUID() } }
