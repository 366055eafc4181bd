// Part of Understudy: a bridge to SwiftUI.
// SPDX-License-Identifier: MIT

import SwiftUI
import Understudy
import UnderstudyCompatibility
import UnderstudyEssentials

/// Overrides for a preview.
///
/// A preview has no end that a layer could have, so the overrides hold for its whole process.
/// Previews that run in one process share the overrides of the first. A later one prints that on
/// standard error.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@MainActor
public struct PreviewOverrides: PreviewModifier {
  /// Pushes the overrides.
  ///
  /// - Parameter configure: Registers the overrides.
  public init(_ configure: @escaping @Sendable (OverrideLayer) throws -> Void) {
    let profile = OverrideProfile("preview", configure)
    do {
      try OverrideProfile.start(ChosenProfile(profile) { _, _ in true })
    } catch {
      Resolver.current.resolve(\.standardError).writeLine("\(error)")
    }
  }

  /// The unchanged preview.
  public func body(content: Content, context: Void) -> some View { content }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension PreviewTrait where T == Preview.ViewTraits {
  /// Overrides for a preview:
  /// `#Preview(traits: .overrides { $0.override(\.uuid, with: .counting) }) { SeatsView() }`.
  @MainActor
  public static func overrides(
    _ configure: @escaping @Sendable (OverrideLayer) throws -> Void
  ) -> PreviewTrait<Preview.ViewTraits> {
    .modifier(PreviewOverrides(configure))
  }
}
