// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension Resolver {
  /// The list for the optional members that are read. It is only needed if a layer checks for
  /// overrides of unknown keys.
  func membersToNote(isOptional: Bool) -> PropertyDecoder.MemberList? {
    guard let layer = OverrideLayer.ofCaller?.nearest(of: self),
      layer.stack.contains(where: { $0.options.weight(of: .unknownKey) != .off })
    else { return nil }
    return PropertyDecoder.MemberList(isOptional: isOptional)
  }

  /// Marks the overrides of optional members that were read as known, so that `enforce: true`
  /// accepts them.
  func noteMayBeMissing(_ members: PropertyDecoder.MemberList?, at path: String) {
    guard let members, let (keys, rest) = try? path.propertyPath().splitAtIndex, rest.isEmpty else {
      return
    }
    for member in members.mayBeMissing {
      let path = PropertyPath(keys.steps + member).description
      noteMayBeMissing(.property(path), under: .ofCaller)
    }
  }

  /// The same for the override of one key that answers under a layer.
  func noteMayBeMissing(_ key: AnyKey, under top: OverrideLayer?) {
    var layer = top?.nearest(of: self)
    while let next = layer {
      if let found = next.registration(for: key) { return found.mark(.answeredKnownKey) }
      layer = next.next(of: self)
    }
  }
}
