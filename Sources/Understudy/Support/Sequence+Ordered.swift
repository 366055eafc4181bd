// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// All types of elements share two compiled sorts. The standard library's is compiled for each
// closure, and every copy takes 15 kB.

extension Sequence {
  /// The elements in ascending order of a number. Equal ones keep their order.
  func ordered(by number: (Element) -> Int) -> [Element] {
    let elements = Array(self)
    return positions(inOrderOf: elements.map(number)).map { elements[$0] }
  }

  /// The elements in ascending order of a text. Equal ones keep their order.
  func ordered(by text: (Element) -> String) -> [Element] {
    let elements = Array(self)
    return positions(inOrderOf: elements.map(text)).map { elements[$0] }
  }
}

private func positions<Value: Comparable>(inOrderOf values: [Value]) -> [Int] {
  values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
}
