// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// The registration of this layer that answers a key, or `nil` if it has none.
  ///
  /// Within a layer a declared dependency and its bare type are one key, unless the layer says
  /// otherwise: an override of the type answers the declared dependency too, and the only override of
  /// a declared dependency of a type answers the bare type.
  package func registration(for key: AnyKey) -> AnyRegistration? {
    if let exact = store.registration(for: key) { return exact }
    if let bare = key.undeclared { return store.registration(for: bare) }
    return key.isPlain ? store.onlyDeclaredOverride(of: key) : nil
  }
}
