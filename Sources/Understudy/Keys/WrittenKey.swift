// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A key of a program that does not run: only its text is known, from the program's source.
package struct WrittenKey: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

extension AnyKey {
  /// Makes a key that prints as a text and asks for nothing.
  package init(written text: String) {
    self.init(type: WrittenKey.self, name: KeyName(WrittenKey(text)))
  }
}
