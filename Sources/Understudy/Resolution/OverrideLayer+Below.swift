// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// What would be answered if this layer had nothing more to say: its own override so far, or what
  /// lies below.
  private func resolveSoFar<Value>(
    _ key: Key<Value>, at callSite: CallSite
  ) throws(ResolutionError) -> Value {
    let request = Request(key.erased, at: callSite)
    return try Resolution(request, of: resolver, under: self, from: store).value()
  }

  /// Wraps what would be answered if this layer had nothing more to say. That is made, and wrapped,
  /// under this layer: what it is made of is answered by it too.
  package func wrappingSoFar<Value, Wrapper>(
    _ key: Key<Value>, at callSite: CallSite, _ wrap: (Value) throws -> Wrapper
  ) throws -> Wrapper {
    try OverrideLayer.binding(self) {
      let value = try resolveSoFar(key, at: callSite)
      // Only the wrapper has it, so the override that follows is not too late for it.
      log.forgetCaptures(of: key.erased, at: callSite)
      return try wrap(value)
    }
  }
}
