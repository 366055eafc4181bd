// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyDoubles

@Suite struct SecretSearchTests {
  struct Form: Sendable, CustomTestStringConvertible {
    var secret: String
    var text: String
    var name: String?
    var testDescription: String { "\(secret) in \(text)" }
  }

  /// Each text contains the secret in the named form only.
  static let forms: [Form] = [
    Form(secret: "s3cret", text: "s3cret", name: "as it is"),
    Form(secret: "s3cret", text: "a s3cret b", name: "as it is"),
    Form(secret: "s3cret", text: "s3cre", name: nil),
    Form(secret: "a\"b", text: #"a\"b"#, name: "escaped as in JSON"),
    Form(secret: "a\nb", text: #"a\nb"#, name: "escaped as in JSON"),
    Form(secret: "a\"b", text: #"a\\\"b"#, name: "escaped as in JSON, twice"),
    Form(
      secret: "a\"b", text: #"a\\\\\\\"b"#,
      name: "escaped as in JSON, twice, escaped as in JSON"),
    Form(secret: "a/b", text: #"a\/b"#, name: "escaped as in JSON"),
    Form(secret: "a/\"b", text: #"a/\"b"#, name: "escaped as in JSON"),
    Form(secret: "a/b", text: "a%2Fb", name: "percent-encoded"),
    Form(secret: "a/ b", text: "a%2F%20b", name: "percent-encoded"),
    Form(secret: "a/b", text: "a%2fb", name: "percent-encoded"),
    Form(secret: "a/b c", text: "a/b%20c", name: "percent-encoded"),
    Form(secret: "a/b c", text: "a%2Fb+c", name: "percent-encoded"),
    Form(secret: "FACE/", text: "FACE%2f", name: "percent-encoded"),
    Form(secret: "a-b", text: "a%2Db", name: "percent-encoded"),
    // Base64 after zero, one and two other bytes, in both alphabets, and escaped as in JSON.
    Form(secret: "??>>??>>", text: "Pz8+Pj8/Pj4=", name: "in base64"),
    Form(secret: "??>>??>>", text: "Pz8-Pj8_Pj4", name: "in base64"),
    Form(secret: "??>>??>>", text: #"Pz8+Pj8\/Pj4="#, name: "escaped as in JSON, in base64"),
    Form(
      secret: "??>>??>>", text: Data("a??>>??>>b".utf8).base64EncodedString(), name: "in base64"),
    Form(
      secret: "??>>??>>", text: Data("ab??>>??>>".utf8).base64EncodedString(), name: "in base64"),
    // The first or the last character that the secret determines is different.
    Form(secret: "??>>??>>", text: "YTA/Pj4/Pz4+Yg==", name: nil),
    Form(secret: "??>>??>>", text: "YWIQPz4+Pz8+Pg==", name: nil),
    Form(secret: "??>>??>>", text: "Qz8+Pj8/Pj4=", name: nil),
    Form(secret: "??>>??>>", text: "Pz8+Pj8/PkA=", name: nil),
    Form(secret: "??>>??>>", text: "Pz8+Pj8/Pj5i", name: "in base64"),
    // Base64 in lines, with their ends as they are, escaped, and escaped twice.
    Form(secret: "??>>??>>", text: "Pz8+\r\nPj8/Pj4=", name: "in base64"),
    Form(secret: "??>>??>>", text: #"Pz\r\n8+Pj8\n\t/Pj4="#, name: "escaped as in JSON, in base64"),
    Form(
      secret: "??>>??>>", text: #"Pz\\n8+Pj8\\r\\n \/Pj4="#,
      name: "escaped as in JSON, twice, in base64"),
    Form(secret: "secret", text: "c2VjnmV0", name: nil),
    // Data whose contents are encoded themselves.
    Form(
      secret: "hunter2/hunter2", text: inBase64("p=hunter2%2Fhunter2"),
      name: "in base64, percent-encoded"),
    Form(secret: "a hunter 2", text: inBase64("p=a+hunter+2"), name: "in base64"),
    Form(
      secret: "hunter2/hunter2", text: inBase64(#"{"p":"hunter2\/hunter2"}"#),
      name: "in base64, escaped as in JSON"),
    Form(
      secret: "hunter2/hunter2", text: inBase64("j=%7B%22hunter2%5C%2Fhunter2%22%7D"),
      name: "in base64, percent-encoded, escaped as in JSON"),
    Form(
      secret: "a/??>>b", text: #"":-_x \#(inBase64("p=a%2F??>>b").replacing("+", with: "-"))"#,
      name: "in base64, percent-encoded"),
    Form(
      secret: "a/??>>b", text: #"":-_x \#(inBase64("xp=a%2F??>>b").replacing("/", with: "_"))"#,
      name: "in base64, percent-encoded"),
    Form(
      secret: "hunter2/", text: "cD1o\r\ndW50ZXIy\nJTJGcGFzcw==", name: "in base64, percent-encoded"
    ),
    Form(
      secret: "hunter2/", text: #"cD1o\r\ndW50ZXIy\nJTJGcGFzcw=="#,
      name: "escaped as in JSON, in base64, percent-encoded"),
    Form(secret: "a/bcd", text: inBase64("p=a%2Fbcd"), name: nil),
    Form(secret: "a/bcde", text: inBase64("p=a%2Fbcde"), name: "in base64, percent-encoded"),
    Form(secret: "ynotnrt!", text: #"\neW5vdG5ydCE="#, name: "in base64"),
    // What is not ASCII, as some encoders write it.
    Form(secret: "pä\"ß", text: #"p\u00e4\"\u00df"#, name: "escaped as in JSON"),
    Form(secret: "pä\"ß", text: #"p\u00E4\"\u00DF"#, name: "escaped as in JSON"),
    Form(secret: "pä€", text: #"p\\u00e4\\u20ac"#, name: "escaped as in JSON, twice"),
    Form(secret: "p\u{80}", text: #"p\u0080"#, name: "escaped as in JSON"),
    Form(secret: "x😀", text: #"x\ud83d\ude00"#, name: "escaped as in JSON"),
    // Characters that need no escape, as Go, .NET and PHP escape them, in any mixture.
    Form(secret: "p&<ss>", text: #"p\u0026\u003css\u003e"#, name: "escaped as in JSON"),
    Form(secret: "p&<ss>", text: #"p\u0026\u003Css>"#, name: "escaped as in JSON"),
    Form(secret: "p&ss", text: #"p\\u0026ss"#, name: "escaped as in JSON, twice"),
    Form(secret: "s3cret", text: #"\u0073\u0033\u0063ret"#, name: "escaped as in JSON"),
    Form(secret: "a/bä😀\n", text: #"a\/b\u00e4\ud83d\uDE00\n"#, name: "escaped as in JSON"),
    Form(secret: "\t\u{8}\u{c}\r\\", text: #"\t\b\f\r\\"#, name: "escaped as in JSON"),
    Form(secret: "??>>??>>", text: #"Pz8\u002BPj8/Pj4="#, name: "escaped as in JSON, in base64"),
    Form(secret: "s3cret", text: "%733%63r%65t", name: "percent-encoded"),
    Form(secret: "a/?b", text: "a%2F%3fb", name: "percent-encoded"),
    Form(secret: "a/b", text: "a%252Fb", name: "percent-encoded, twice"),
    Form(secret: "a b", text: "a+b", name: "as it is"),
    Form(secret: "a&b/", text: #"a\u0026b%2F"#, name: "escaped as in JSON, percent-encoded"),
    Form(secret: "%41/\\n", text: #"%41\/\\n"#, name: "escaped as in JSON"),
    // A text that only looks like an escape is left as it is.
    Form(secret: "a\u{0}", text: #"a\u00"#, name: nil),
    Form(secret: "a\u{2}", text: "a%2", name: nil),
    Form(secret: "a \u{20}b", text: "a% 20b", name: nil),
    Form(secret: "a b", text: #"a\u002xb%2xb"#, name: nil),
    // Six bytes determine eight characters of base64. Fewer could be in a file by chance.
    Form(secret: "secret", text: "c2VjcmV0", name: "in base64"),
    Form(secret: "secre", text: "c2VjcmU=", name: nil),
    Form(secret: "", text: "anything", name: nil),
  ]

  private static func inBase64(_ text: String) -> String {
    Data(text.utf8).base64EncodedString()
  }

  @Test(arguments: forms) func `a secret is found in each of its forms`(form: Form) {
    #expect(SecretForms(form.secret).found(in: SearchedFile(Array(form.text.utf8))) == form.name)
  }

  @Test(arguments: [
    ("ab", "xabyab", [1, 4]), ("aa", "aaaaa", [0, 2]), ("b", "ab", [1]), ("abc", "ab", []),
    ("", "ab", []), ("ab", "", []), ("aab", "aaab", [1]),
  ])
  func `the places of a pattern do not overlap`(pattern: String, text: String, places: [Int]) {
    #expect(Array(text.utf8).places(of: Array(pattern.utf8)) == places)
  }

  @Test(arguments: [
    ("xabyabz", "x-y-z"), ("ab", "-"), ("abab", "--"), ("a", "a"), ("aab", "a-"), ("abb", "-b"),
  ])
  func `each occurrence is replaced, and everything else stays`(text: String, replaced: String) {
    #expect(text.replacingBytes(of: "ab", with: "-") == replaced)
  }
}
