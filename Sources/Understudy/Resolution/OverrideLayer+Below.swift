// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// What would be answered if this layer had nothing more to say: its own override so far, or what lies
  /// below.
  package func resolveSoFar<Value>(
    _ key: Key<Value>, at callSite: CallSite
  ) throws(ResolutionError) -> Value {
    let request = Request(key.erased, declared: key.erased.declaredDefault, at: callSite)
    return try Resolution<Value>(request, of: resolver, under: self, from: self).value()
  }
}
