// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// Wraps the answer without further overrides of this layer: its own override so far, or the
  /// answer of the layers below. The answer and the wrapper are created under this layer, so this
  /// layer also answers the requests for their parts.
  package func wrappingSoFar<Value, Wrapper>(
    _ key: Key<Value>, at callSite: CallSite, _ wrap: (Value) throws -> Wrapper
  ) throws -> Wrapper {
    try OverrideLayer.binding(self) {
      let request = Request(key.erased, at: callSite)
      let caller = Surroundings(top: self)
      let value: Value = try Resolution(request, of: resolver, for: caller, from: store).value()
      // Only the wrapper has the value, so the following override is not too late for it.
      log.forgetCaptures(of: key.erased, at: callSite)
      return try wrap(value)
    }
  }
}
