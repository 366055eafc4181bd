// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Replaces the type aliases of protocols with their types.
///
/// The meaning of such an alias may depend on the conforming type. Its name may be the name of
/// another type, such as `Result`, which is ambiguous in a double.
struct AliasExpander {
  let index: GraphIndex
  /// Whether all aliases of the graphs are replaced, to compare types.
  var isOfAll = false

  /// A declaration without aliases of protocols.
  func expanded(_ tokens: [Token]) -> [Token] { expanded(tokens, depth: 0) }

  private func expanded(_ tokens: [Token], depth: Int) -> [Token] {
    guard depth < 8, tokens.contains(where: isExpanded) else { return tokens }
    var expanded: [Token] = []
    var position = 0
    while position < tokens.count {
      let token = tokens[position]
      position += 1
      guard isExpanded(token), var type = underlying(token) else {
        expanded.append(token)
        continue
      }
      var space = token.spaceBefore
      // The outer types of an alias, if it does not depend on them.
      while !isMemberAlias(token), expanded.last?.text == ".",
        let outer = expanded.dropLast().last, outer.text.isWord, outer.text != "Self"
      {
        space = outer.spaceBefore
        expanded.removeLast(2)
      }
      if expanded.last?.text == "." {
        guard expanded.dropLast().last?.text == "Self" else {
          expanded.append(token)
          continue
        }
        space = expanded[expanded.count - 2].spaceBefore
        expanded.removeLast(2)
      }
      if position < tokens.count, tokens[position].text == "<", !type.parameters.isEmpty {
        let arguments = tokens[...].inside(from: position)
        type.apply(arguments)
        position = arguments.endIndex + 1
      }
      let next = position < tokens.count ? tokens[position].text : nil
      expanded += type.written(after: expanded.last?.text, before: next, space: space)
    }
    return self.expanded(expanded, depth: depth + 1)
  }

  /// The function type behind an alias, which may be generic, or `nil` for any other type.
  func function(_ tokens: [Token], depth: Int = 0) -> [Token]? {
    var name = 0
    while name + 2 < tokens.count, tokens[name + 1].text == "." { name += 2 }
    guard depth < 8, name < tokens.count, var alias = underlying(tokens[name]),
      !isMemberAlias(tokens[name])
    else { return nil }
    let arguments = name + 1
    if arguments < tokens.count {
      guard tokens[arguments].text == "<", tokens[...].closing(from: arguments) == tokens.count - 1
      else { return nil }
      alias.apply(tokens[...].inside(from: arguments))
    }
    let type = alias.type.withoutBrackets
    return FunctionType(type) == nil ? function(type, depth: depth + 1) : type
  }

  private func isExpanded(_ token: Token) -> Bool {
    guard let usr = token.usr else { return false }
    return isOfAll ? index.symbols[usr]?.isAlias == true : index.inheritedAliases.contains(usr)
  }

  private func isMemberAlias(_ token: Token) -> Bool {
    token.usr.map(index.memberAliases.contains) ?? false
  }

  private func underlying(_ token: Token) -> Alias? {
    guard let symbol = token.usr.flatMap({ index.symbols[$0] }), let type = symbol.underlyingType
    else { return nil }
    return Alias(
      parameters: symbol.tokens.prefix { $0.text != "=" }.genericParameters,
      type: type.withoutModules(index))
  }

  /// The underlying type of an alias.
  private struct Alias {
    var parameters: [String]
    var type: [Token]

    mutating func apply(_ arguments: ArraySlice<Token>) {
      let names = Dictionary(zip(parameters, arguments.split(at: ","))) { first, _ in first }
      type = type.flatMap { token -> [Token] in
        guard var argument = names[token.text].map({ Array($0) }), !argument.isEmpty else {
          return [token]
        }
        argument[0].spaceBefore = token.spaceBefore
        return argument
      }
    }

    /// The type, in parentheses if it would otherwise be another type.
    func written(after last: String?, before next: String?, space: Bool) -> [Token] {
      var type = type
      let isOne = !type.contains { ["->", "&", "any", "some"].contains($0.text) }
      let isApart =
        next.map { [",", ")", "]", ">", "{", "=", "where", ":"].contains($0) } ?? true
      let isComposition =
        type[...].split(at: "&").count > 1
        && !type.contains { ["->", "any", "some"].contains($0.text) }
      let isJoined = isComposition && (last == "&" || next == "&")
      if !(isOne || isJoined || isApart && last != "&") {
        type[0].spaceBefore = false
        type = [Token("(")] + type + [Token(")")]
      }
      if !type.isEmpty { type[0].spaceBefore = space }
      return type
    }
  }
}
