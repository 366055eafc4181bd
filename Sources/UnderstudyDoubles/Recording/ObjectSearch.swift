// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Searches the arguments of one call for objects.
///
/// It searches tuples, structures, enumerations and collections, but not objects, since another
/// thread may change them at the same time.
struct ObjectSearch {
  /// The number of values that are searched. After them, the search assumes that there are objects.
  private(set) var budget = 10_000

  /// True if a value is an object or a function, or contains one.
  mutating func finds(in value: Any) -> Bool {
    if value is any ObjectFree { return false }
    budget -= 1
    if budget < 0 || type(of: value) is AnyClass { return true }
    if let unchecked = value as? any UncheckedValue { return finds(in: unchecked.held) }
    if let call = value as? any ArgumentsHolder { return finds(in: call.heldArguments) }
    let children = Mirror(reflecting: value).children
    // A function has no children, but its captures may be objects.
    if children.isEmpty { return "\(type(of: value))".contains("->") }
    for child in children where finds(in: child.value) { return true }
    return false
  }
}

/// A type whose values contain no object of the user.
protocol ObjectFree {
  /// Whether unequal values have unequal descriptions.
  var hasExactText: Bool { get }
}

extension ObjectFree {
  var hasExactText: Bool { true }
}

extension Bool: ObjectFree {}
extension Character: ObjectFree {}
extension Double: ObjectFree {}
extension Duration: ObjectFree {}
extension Float: ObjectFree {}
extension Int: ObjectFree {}
extension Int32: ObjectFree {}
extension Int64: ObjectFree {}
extension String: ObjectFree {}
extension Substring: ObjectFree {}
extension UInt: ObjectFree {}
extension UInt8: ObjectFree {}
extension UInt32: ObjectFree {}
extension UInt64: ObjectFree {}
// A range of texts may print like another one.
extension ClosedRange: ObjectFree where Bound: ObjectFree & Numeric {}
extension Range: ObjectFree where Bound: ObjectFree & Numeric {}
extension PartialRangeFrom: ObjectFree where Bound: ObjectFree & Numeric {}
extension PartialRangeThrough: ObjectFree where Bound: ObjectFree & Numeric {}
extension PartialRangeUpTo: ObjectFree where Bound: ObjectFree & Numeric {}

/// A call whose text differs from the text of its arguments.
protocol ArgumentsHolder {
  var heldArguments: Any { get }
}

/// The object that a value is, or that an optional or `Unchecked` value contains.
func heldObject(in value: Any) -> AnyObject? {
  if let unchecked = value as? any UncheckedValue { return heldObject(in: unchecked.held) }
  if value is any OptionalValue {
    return Mirror(reflecting: value).children.first.flatMap { heldObject(in: $0.value) }
  }
  return type(of: value) is AnyClass ? value as AnyObject : nil
}

/// True if a value is an object, or contains it in its stored properties or elements.
func isHeld(_ object: AnyObject, in value: Any, depth: Int = 0) -> Bool {
  if let held = heldObject(in: value), held === object { return true }
  if let call = value as? any ArgumentsHolder {
    return isHeld(object, in: call.heldArguments, depth: depth)
  }
  let value = (value as? any UncheckedValue)?.held ?? value
  return depth < 4
    && Mirror(reflecting: value).children.contains {
      isHeld(object, in: $0.value, depth: depth + 1)
    }
}
