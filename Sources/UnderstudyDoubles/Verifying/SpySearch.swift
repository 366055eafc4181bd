// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The spies of a double.
struct SpySearch {
  private(set) var spies: [any Verifiable] = []
  /// True if a spy is possible, even if none was created yet.
  private var hasPlace = false
  /// The places that reflection cannot see.
  private var hidden: [String] = []
  // The objects that were visited, since they may refer to each other.
  private var known: Set<ObjectIdentifier> = []

  // A graph of objects may be large, but the spies of a double are near its root.
  private static var depthLimit: Int { 16 }
  // If the first elements of a collection have no spy, the others have none either.
  private static var sampleCount: Int { 64 }

  init(_ double: Any) {
    search(double, at: "", depth: 0)
  }

  func problems(in double: Any, at callSite: CallSite) -> [Violation] {
    let name = TypeDescription.of(type(of: double))
    let hidden = hidden.map { path in
      Violation(
        Message(
          "'\(name)' may have a spy in '\(path)', which cannot be inspected.",
          facts: [Message.Fact("At", "\(callSite)")],
          remedies: ["Pass that spy itself."]),
        severity: .warning, at: callSite)
    }
    guard spies.isEmpty, !hasPlace else { return hidden }
    return hidden + [
      Violation(
        Message(
          "'\(name)' has no spy.",
          facts: [Message.Fact("At", "\(callSite)")],
          remedies: ["Pass the spies themselves, or the double that has them."]),
        at: callSite)
    ]
  }

  /// The problems that are errors. Reports the warnings.
  func errors(in double: Any, at callSite: CallSite) -> [Violation] {
    problems(in: double, at: callSite).filter { problem in
      if problem.severity == .error { return true }
      problem.report()
      return false
    }
  }

  /// Adds the spies of a value. Returns false if it cannot have any.
  @discardableResult
  private mutating func search(_ value: Any, at path: String, depth: Int) -> Bool {
    if let spy = value as? any Verifiable {
      spies.append(spy)
      return true
    }
    if let list = value as? any StaticSpyList {
      spies += list[all: ()]
      return true
    }
    if let optional = type(of: value) as? any OptionalValue.Type,
      optional.wrapped is any Verifiable.Type
    {
      hasPlace = true
    }
    guard depth < SpySearch.depthLimit else { return false }
    var mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .class {
      guard known.insert(ObjectIdentifier(value as AnyObject)).inserted else { return false }
    }
    var found = false
    if [.collection, .set, .dictionary].contains(mirror.displayStyle) {
      for (position, element) in mirror.children.enumerated() {
        if position >= SpySearch.sampleCount, !found { break }
        if search(element.value, at: "\(path)[\(position)]", depth: depth + 1) { found = true }
      }
      return found
    }
    while true {
      for child in mirror.children {
        let path = path.isEmpty ? child.label ?? "" : "\(path).\(child.label ?? "")"
        // Reflection shows an empty tuple for a noncopyable value such as a mutex.
        if child.value is Void, mirror.displayStyle != .tuple, depth < 2 { hidden.append(path) }
        if search(child.value, at: path, depth: depth + 1) { found = true }
      }
      guard let superclass = mirror.superclassMirror else { return found }
      mirror = superclass
    }
  }
}
