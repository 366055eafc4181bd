// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The layer that a task sees is held by one task-local and read through another, which is a number: so reading it
/// counts no reference.
///
/// Safety: `address` is bound within the scope that binds `held` to the layer at that address, and whatever inherits
/// the one inherits the other. So a task that reads an address other than `unbound` and `none` sees a binding that
/// holds that layer for as long as the scope lasts, or the task. That of the process is kept by the process.
extension OverrideLayer {
  @TaskLocal private static var held: OverrideLayer?
  @TaskLocal private static var address: UInt = unbound

  private static var unbound: UInt { 0 }
  private static var none: UInt { 1 }

  /// The innermost layer that the calling task sees.
  package static var bound: OverrideLayer? { unsafe unmanagedBound?.takeUnretainedValue() }

  /// The same without a reference counted: it is held while the caller runs.
  static var unmanagedBound: Unmanaged<OverrideLayer>? {
    let address = address
    if address > none, let layer = unsafe UnsafeRawPointer(bitPattern: address) {
      return unsafe .fromOpaque(layer)
    }
    guard address == unbound, let ofProcess = ProcessLayer.current else { return nil }
    return unsafe .passUnretained(ofProcess)
  }

  /// The same if any layer is alive at all: one relaxed load if none is.
  static var unmanagedCurrent: Unmanaged<OverrideLayer>? {
    unsafe areAnyAlive ? unmanagedBound : nil
  }

  /// Runs `operation` so that it sees a layer, or none.
  package static func binding<Result>(
    _ layer: OverrideLayer?, operation: () throws -> Result
  ) rethrows -> Result {
    try $held.withValue(layer) {
      try $address.withValue(address(of: layer), operation: operation)
    }
  }

  /// Runs `operation` so that it sees a layer, or none; keeps the caller's isolation.
  package static func binding<Result>(
    _ layer: OverrideLayer?, operation: () async throws -> Result
  ) async rethrows -> Result {
    try await $held.binding(layer) {
      try await $address.binding(address(of: layer), operation: operation)
    }
  }

  /// What is bound for a layer. Whoever binds one has looked at what lies under everything.
  private static func address(of layer: OverrideLayer?) -> UInt {
    _ = ProcessLayer.current
    return layer.map { unsafe UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? none
  }
}
