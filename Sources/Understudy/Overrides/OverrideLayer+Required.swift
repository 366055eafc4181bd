// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// The innermost layer that the calling task sees, to override more in the middle of a test.
  ///
  /// ```swift
  /// OverrideLayer.required.register { MemoryStore() as any Store }
  /// ```
  ///
  /// If there is no layer, the test has an issue, and nothing is overridden.
  public static var required: OverrideLayer {
    if let current { return current }
    var traits = LayerTraits(of: .current, named: "required", on: nil, at: .unknown)
    traits.absence = MissingLayer()
    let layer = OverrideLayer(traits)
    _ = layer.end()
    return layer
  }
}

/// Says once that a layer was required where there is none: at the override, or else when the layer
/// is released.
final class MissingLayer: Sendable {
  private let isReported = Lock(false)

  func report(_ override: AnyRegistration?) {
    if isReported.withLock({ exchange(&$0, with: true) }) { return }
    TestHosts.report(
      Violation(
        Message(
          override.map {
            "\($0.key) was registered on 'OverrideLayer.required', and no layer is live here."
          } ?? "'OverrideLayer.required' was used, and no layer is live here.",
          facts: override.map { [Message.Fact("Registered", "\($0.callSite)")] } ?? [],
          remedies: [
            "Give the test a layer:  \(MessagePlace.current.layer())",
            Violation.carryingContext,
          ]),
        at: override?.callSite ?? .unknown))
  }

  deinit { report(nil) }
}
