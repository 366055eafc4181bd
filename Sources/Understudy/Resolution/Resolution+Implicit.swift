// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Types that need no registration of their own: `T?` and `[T]` are nothing or one, and all of them.
extension Resolution {
  func implicitValue() throws(ResolutionError) -> Value? {
    guard let type = Value.self as? any ImplicitlyResolvable.Type else {
      record(.missed, nil)
      return nil
    }
    return try implicitValue(of: type)
  }

  /// The same, waiting for what they are made of.
  func asyncImplicitValue() async throws(ResolutionError) -> Value? {
    guard let type = Value.self as? any ImplicitlyResolvable.Type else {
      record(.missed, nil)
      return nil
    }
    return try await asyncImplicitValue(of: type)
  }

  func implicitValue<Implicit: ImplicitlyResolvable>(
    of type: Implicit.Type
  ) throws(ResolutionError) -> Value {
    noteUnregistered()
    var parts: [Claimed] = []
    do throws(ResolutionError) {
      let value = try Implicit.resolve(
        request, of: resolver, under: top, from: start, claiming: &parts)
      settle(parts)
      return exactly(value)
    } catch {
      putBack(parts)
      throw error
    }
  }

  private func asyncImplicitValue<Implicit: ImplicitlyResolvable>(
    of type: Implicit.Type
  ) async throws(ResolutionError) -> Value {
    noteUnregistered()
    var parts: [Claimed] = []
    do throws(ResolutionError) {
      let value = try await Implicit.resolveAsync(
        request, of: resolver, under: top, from: start, claiming: &parts)
      settle(parts)
      return exactly(value)
    } catch {
      putBack(parts)
      throw error
    }
  }

  /// A value, where its type is known by another name. (A cast of the value itself would flatten
  /// optionals.)
  private func exactly<Implicit>(_ value: Implicit) -> Value {
    (Exactly(value: value) as AnyObject as! Exactly<Value>).value
  }
}

/// Carries a value to where its type is known by another name.
private final class Exactly<Value> {
  let value: Value

  init(value: Value) {
    self.value = value
  }
}
