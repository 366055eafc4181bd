// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Says that production alone answers the calling code: for a caller whose form cannot throw and
/// whose request lost its context, which is reported already, and for the context of a production
/// instance. The requests that production makes meanwhile are no escapes.
package final class ProductionAlone: Sendable {
  @TaskLocal private static var bound: ProductionAlone?

  // The first stored property: `isOver` looks for it there.
  private let word = AtomicWord()
  private var isOver: AtomicInt { AtomicInt(in: self) }

  /// True if the calling task makes such an answer. A task that was begun meanwhile inherits this,
  /// and is on its own once the answer is made.
  static var answers: Bool { bound.map { !$0.isOver.isSet } ?? false }

  /// Runs `body` so that no layer of a test answers its requests, and none of them is an escape.
  package static func answering<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let alone = ProductionAlone()
    defer { alone.isOver.set() }
    let outcome = OverrideLayer.binding(ProcessLayer.current) {
      $bound.withValue(alone) {
        Swift.Result { () throws(Failure) -> Result in try body() }
      }
    }
    return try outcome.get()
  }

  /// The same under a condition; otherwise runs `body` under a layer.
  static func answering<Result>(
    if isAlone: Bool, under layer: OverrideLayer?, _ body: () -> Result
  ) -> Result {
    isAlone ? answering(body) : OverrideLayer.binding(layer, operation: body)
  }

  /// The same; keeps the caller's isolation.
  static func answering<Result>(
    if isAlone: Bool, under layer: OverrideLayer?, _ body: () async -> Result
  ) async -> Result {
    guard isAlone else { return await OverrideLayer.binding(layer, operation: body) }
    let alone = ProductionAlone()
    defer { alone.isOver.set() }
    return await OverrideLayer.binding(ProcessLayer.current) {
      await $bound.binding(alone, operation: body)
    }
  }
}
