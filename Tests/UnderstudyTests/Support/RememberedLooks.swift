// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

@testable import Understudy

extension Resolver {
  /// A look at what a layer remembers of a key.
  func rememberedLook(at key: AnyKey, under layer: OverrideLayer) -> RememberedLook? {
    guard let subject = key.subject else { return nil }
    return rememberedLook(
      at: subject, of: key.type, key.quickName, .cached, under: .passUnretained(layer),
      at: CallSite())
  }
}
