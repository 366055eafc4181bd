// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Dispatch
public import Foundation
internal import Understudy

extension DispatchQueue {
  /// Works like `async`, and the work sees the caller's doubles.
  public func asyncCarrying(
    group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified,
    flags: DispatchWorkItemFlags = [], execute work: @escaping @Sendable () -> Void
  ) {
    async(group: group, qos: qos, flags: flags, execute: OverrideContext.current.wrap(work))
  }

  /// Works like `asyncAfter`, and the work sees the caller's doubles.
  public func asyncCarrying(
    after delay: Duration, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable () -> Void
  ) {
    let seconds = delay / .seconds(1)
    asyncAfter(
      deadline: .now() + seconds, qos: qos, flags: flags,
      execute: OverrideContext.current.wrap(work))
  }
}

extension OperationQueue {
  /// Works like `addOperation`, and the work sees the caller's doubles.
  public func addOperationCarrying(_ work: @escaping @Sendable () -> Void) {
    addOperation(OverrideContext.current.wrap(work))
  }
}

extension Thread {
  /// Works like `detachNewThread`, and the work sees the caller's doubles.
  public static func detachNewThreadCarrying(_ work: @escaping @Sendable () -> Void) {
    detachNewThread(OverrideContext.current.wrap(work))
  }
}
