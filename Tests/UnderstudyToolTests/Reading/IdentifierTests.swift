// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

/// Names from sources and graphs, as generated code has to write them.
@Suite struct IdentifierTests {
  struct Spelling: Sendable {
    var word: String
    var name: String
    var type: String
    var argument: String
    var label: String

    init(_ word: String, _ name: String, type: String, argument: String, label: String) {
      (self.word, self.name, self.type) = (word, name, type)
      (self.argument, self.label) = (argument, label)
    }
  }

  static let spellings: [Spelling] = [
    Spelling("a", "a", type: "a", argument: "a", label: "a"),
    Spelling("_1", "_1", type: "_1", argument: "_1", label: "_1"),
    Spelling("_", "`_`", type: "`_`", argument: "_", label: "_"),
    Spelling("größe", "größe", type: "größe", argument: "größe", label: "größe"),
    Spelling("class", "`class`", type: "`class`", argument: "class", label: "class"),
    Spelling("inout", "`inout`", type: "`inout`", argument: "`inout`", label: "`inout`"),
    Spelling("var", "`var`", type: "`var`", argument: "var", label: "`var`"),
    Spelling("let", "`let`", type: "`let`", argument: "let", label: "`let`"),
    Spelling("some", "some", type: "`some`", argument: "some", label: "some"),
    Spelling("1a", "`1a`", type: "`1a`", argument: "`1a`", label: "`1a`"),
    Spelling("a b", "`a b`", type: "`a b`", argument: "`a b`", label: "`a b`"),
    Spelling("a-b", "`a-b`", type: "`a-b`", argument: "`a-b`", label: "`a-b`"),
    Spelling("a`b\n", "`a_b_`", type: "`a_b_`", argument: "`a_b_`", label: "`a_b_`"),
  ]

  @Test(arguments: spellings.indices) func `are quoted if they need it`(index: Int) {
    let spelling = Self.spellings[index]
    #expect(spelling.word.escaped == spelling.name)
    #expect(spelling.word.escapedType == spelling.type)
    #expect(spelling.word.escapedArgument == spelling.argument)
    #expect(spelling.word.escapedLabel == spelling.label)
  }

  static let operators: [(String, Bool)] = [
    ("+", true), ("<=", true), ("...", true), ("≤", true), ("×", true), ("÷", true), ("§", true),
    ("¡", true), ("≤\u{301}", true), ("⟶", true), ("〃", true), ("⸀", true), ("■", true),
    ("✔", true), ("➀", false),
    ("", false),
    ("a", false), ("+a", false), ("é", false), ("(", false), ("²", false), ("À", false),
  ]

  @Test(arguments: operators.indices) func `are distinguished from operators`(index: Int) {
    let (text, isOperator) = Self.operators[index]
    #expect(text.isOperator == isOperator)
  }

  static let modules: [(String, String?, String?)] = [
    ("s:4Shop6BasketV", "Shop", "Shop"), ("s:4Shop", "Shop", "Shop"), ("s:1A1BV", "A", "A"),
    ("s:5Shop", nil, nil),
    ("s:10Foundation4DataV", "Foundation", "Foundation"),
    ("s:20FoundationEssentials4DataV", "Foundation", "Foundation"),
    ("s:30FoundationInternationalization6LocaleV", "Foundation", "Foundation"),
    ("c:4Shop6BasketV", nil, nil), ("s:04Shop", nil, nil), ("s:0", nil, nil), ("s:", nil, nil),
    ("s:s5ErrorP", nil, "Swift"), ("s:SQ", nil, "Swift"), ("s:ScA", nil, "_Concurrency"),
    ("s:Sci7FailureQa", nil, nil), ("x", nil, nil),
  ]

  @Test(arguments: modules.indices) func `contain their module`(index: Int) {
    let (usr, imported, naming) = Self.modules[index]
    #expect(ModuleName.imported(for: usr) == imported)
    #expect(ModuleName.naming(usr) == naming)
  }

  /// The literal at the beginning of each text ends at the bar.
  static let literals: [String] = [
    #""a"|b"#, #""|"#, #""a\"b"|"#, #""\\"|""#, ##"#"a"b"#|c"##, ##"#"a\"#|"##, ##"#"a\#"#b"#|"##,
    #""\(b)"|c"#, #""\(b("c"))"|d"#, #""\("(")"|d"#, #""\(b(c)(d))"|e"#, #""""a"b"""|c"#,
    ##"#"\(a"#|)"##, ##"#"\#("a")"#|b"##, #""a\"#, #""a"#, #""\(a"#, #""\(")")"|x"#,
  ]

  @Test(arguments: literals) func `are not searched for in literals`(text: String) {
    let bar = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let whole = bar.joined()[...]
    #expect(
      whole.endOfLiteral(at: whole.startIndex)
        == whole.index(whole.startIndex, offsetBy: bar[0].count))
  }

  @Test(arguments: ["a", "#a", "", "##"]) func `are not literals`(text: String) {
    #expect(text[...].endOfLiteral(at: text.startIndex) == nil)
  }
}
