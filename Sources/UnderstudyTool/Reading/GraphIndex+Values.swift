// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension GraphIndex {
  /// The pointers of the standard library, which are copied without the values that they point to.
  private static let pointers: Set<String> = ["s:SP", "s:Sp", "s:SR", "s:Sr"]

  /// Whether a value of a type is, or contains, a value of one of these types.
  ///
  /// The outer type of a nested one does not count, nor do the type of a metatype and the arguments
  /// of a generic type that is copied whatever they are.
  func holds(_ type: ArraySlice<Token>, _ types: Set<String>) -> Bool {
    var position = type.startIndex
    while position < type.endIndex {
      let token = type[position]
      var arguments: ArraySlice<Token> = []
      position += 1
      if position < type.endIndex, type[position].text == "<" {
        arguments = type.inside(from: position)
        position = type.closing(from: position) + 1
      }
      if position < type.endIndex, type[position].text == "." { continue }
      if token.usr.map(types.contains) == true { return true }
      if !isAloneInValue(token), holds(arguments, types) { return true }
    }
    return false
  }

  /// Whether no value of a generic type contains values of its arguments, or its declaration
  /// says so itself, whatever they are.
  private func isAloneInValue(_ head: Token) -> Bool {
    guard let usr = head.usr else { return false }
    return Self.pointers.contains(usr)
      || symbols[usr].map { $0.isType && !$0.isAlias && !conditional.contains(usr) } == true
  }
}
