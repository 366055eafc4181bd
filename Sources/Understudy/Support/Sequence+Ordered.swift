// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// All types of elements share two compiled sorts. The standard library's is compiled for each
// closure, and every copy takes 15 kB.

extension Sequence {
  /// The elements in ascending order of a number or a text. Equal ones keep their order.
  func ordered<Value: Comparable>(by value: (Element) -> Value) -> [Element] {
    let elements = Array(self)
    return positions(inOrderOf: elements.map(value)).map { elements[$0] }
  }
}

private func positions<Value: Comparable>(inOrderOf values: [Value]) -> [Int] {
  values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
}
