// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension Resolver {
  /// The property of a layer that has replaced an object around a property from below, and so hides
  /// that property. `nil` if there is none.
  ///
  /// Members that existed when the layer set its value are already hidden. This is for members that
  /// were added later.
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
