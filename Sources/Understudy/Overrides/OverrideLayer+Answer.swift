// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// The registration of this layer that answers a key, or `nil` if it has none.
  ///
  /// Within a layer a declared dependency and its bare type are one key, unless the layer says
  /// otherwise: an override of the type answers the declared dependency too, and the only override of
  /// a declared dependency of a type answers the bare type. One that wraps what lies below (O7) does so where
  /// that declared dependency answers the bare type below, too: otherwise the bare type is something else.
  package func registration(for key: AnyKey) -> AnyRegistration? {
    if let exact = store.registration(for: key) { return exact }
    if let bare = key.undeclared { return store.registration(for: bare) }
    guard key.isPlain, let only = store.onlyDeclaredOverride(of: key) else { return nil }
    guard only.isDecoration else { return only }
    return isAnsweredBelow(key, by: only.key) ? only : nil
  }

  /// True if the layers below have a bare type answered by a declared dependency, whatever wraps that.
  private func isAnsweredBelow(_ bare: AnyKey, by declared: AnyKey) -> Bool {
    var layer = next(of: resolver)
    while let next = layer {
      if next.store.registration(for: bare) != nil { return false }
      if let only = next.store.onlyDeclaredOverride(of: bare), !only.isDecoration {
        return only.key == declared
      }
      layer = next.next(of: resolver)
    }
    return false
  }
}
