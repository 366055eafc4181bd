// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension Resolver {
  /// The property of a layer that takes the place of an object around a property which lies below
  /// that layer, so that the caller does not see it; `nil` if there is none.
  ///
  /// What lay there when the layer said so has nothing answer for it in the layer. This is for what
  /// came later.
  func propertyHiding(_ key: AnyKey, under top: OverrideLayer?) -> Key<PropertyValue>? {
    guard var layer = top?.nearest(of: self), let path = key.name?.base as? String,
      let steps = try? PropertyPath(path).steps, steps.count > 1
    else { return nil }
    let around = (1..<steps.count).map { PropertyPath(Array(steps.prefix($0))).description }
    while layer.registration(for: key) == nil {
      for path in around {
        let outer = Key<PropertyValue>(named: path)
        if let found = layer.registration(for: outer.erased)?.metadata as? PropertyMetadata,
          !found.isObject, !found.isGone
        {
          return outer
        }
      }
      guard let next = layer.next(of: self) else { return nil }
      layer = next
    }
    return nil
  }
}
