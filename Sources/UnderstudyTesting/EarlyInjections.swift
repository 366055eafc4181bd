// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Understudy

/// A wrapper that resolves its value when its owner is created.
private protocol EagerInjection {
  static var injectedType: any Any.Type { get }
}

extension Inject: EagerInjection {
  static var injectedType: any Any.Type { Value.self }
}

extension InjectAll: EagerInjection {
  static var injectedType: any Any.Type { Element.self }
}

extension WeakInject: EagerInjection {
  static var injectedType: any Any.Type { Value.self }
}

extension OverrideLayer {
  /// Notes the overrides for all tests that no request used, and whose type was injected before the
  /// layer: the object holds production's value. A wrapper does not know its name, so overrides
  /// with a name are left out.
  package func note(_ injections: EarlyInjections) {
    for override in sharedOverrides where !override.has(.used) && override.key.name == nil {
      for (path, type) in injections.found where override.key.type == type {
        noteMissed(.early(path), for: override.key)
      }
    }
  }
}

/// The eager wrappers in the stored properties of an object, and in those of its properties.
///
/// They are searched before the code under test runs. Later, other threads could change the object,
/// or it could have an `unowned` reference to one that is gone, which ends the process if it is
/// read.
package struct EarlyInjections {
  fileprivate private(set) var found: [(path: String, type: any Any.Type)] = []
  private var seen: Set<ObjectIdentifier> = []

  /// Most objects of a test have few properties. More are not searched.
  private var left = 500

  /// The wrappers of an object, without those of a superclass `root`.
  package init(of object: AnyObject, upTo root: (any AnyObject.Type)? = nil) {
    seen.insert(ObjectIdentifier(object))
    search(Mirror(reflecting: object), "\(type(of: object))", depth: 0, upTo: root)
  }

  private mutating func search(
    _ mirror: Mirror, _ path: String, depth: Int, upTo root: (any AnyObject.Type)? = nil
  ) {
    if let root, mirror.subjectType == root { return }
    // Reflecting an object of a generic class ends the process if it stores a noncopyable value,
    // such as a `Box<Mutex<Int>>`. So the wrappers of generic classes are not found.
    if mirror.subjectType is any AnyObject.Type, "\(mirror.subjectType)".contains("<") { return }
    for child in mirror.children {
      guard left > 0 else { return }
      left -= 1
      let isOptional = mirror.displayStyle == .optional
      let name =
        isOptional
        ? "" : child.label.map { ".\($0.hasPrefix("_") ? String($0.dropFirst()) : $0)" } ?? ""
      if let wrapper = child.value as? any EagerInjection {
        found.append((path + name, type(of: wrapper).injectedType))
        continue
      }
      let inner = Mirror(reflecting: child.value)
      if inner.displayStyle == .class,
        !seen.insert(ObjectIdentifier(child.value as AnyObject)).inserted
      {
        continue
      }
      if depth < 3 { search(inner, path + name, depth: depth + 1) }
    }
    if let next = mirror.superclassMirror { search(next, path, depth: depth, upTo: root) }
  }
}
