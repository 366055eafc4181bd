// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyDefinitions

@Suite struct `Uses of properties in sources` {
  func uses(_ source: String) -> [String] {
    PropertyUse.uses(in: source, named: "App.swift").map {
      "\($0.origin) \($0.path) \($0.type ?? "-")\($0.mayBeMissing ? " may be missing" : "")"
    }
  }

  @Test(arguments: [
    ("@Property(\"a.b\") var x: String", "App.swift:1:11 a.b String"),
    ("@Property(\"a\") private(set) var x: [Int]?", "App.swift:1:11 a [Int]? may be missing"),
    ("@Property(\"a\") var x = 3", "App.swift:1:11 a - may be missing"),
    ("@Property(\"a\")\n  var x: Int = 3", "App.swift:1:11 a Int may be missing"),
    ("@Property(\"a\") var x: [String: URL]\nlet y = 1", "App.swift:1:11 a [String:URL]"),
    ("let x: Int = try r.property(\"a['b.c']\")", "App.swift:1:29 a['b.c'] Int"),
    (
      "var x: [String: Int]? = try await self.r!.property(\"a\")",
      "App.swift:1:52 a [String:Int]? may be missing"
    ),
    ("let x = try r.property(\"a\") as Int?", "App.swift:1:24 a Int? may be missing"),
    ("f(try r.property(\"a\") as Int)", "App.swift:1:18 a Int"),
    ("f(x: y == r.property(\"a\"))", "App.swift:1:22 a -"),
    ("r.property(\"a\", as: Optional<Int>.self)", "App.swift:1:12 a Optional<Int> may be missing"),
    ("let x: Int = 1; return try r.property(\"a\")", "App.swift:1:39 a -"),
    ("r.property(\"a\", as: Foundation.URL.self)", "App.swift:1:12 a Foundation.URL"),
    ("r.property(\"a\\\"b\", as: Int?.self)", "App.swift:1:12 a\"b Int? may be missing"),
    ("@Inject(namedBy: \"logger.kind\") var l: any Logger", "App.swift:1:18 logger.kind String"),
    ("/* /* */ */ r.property(#\"a\"#)", "App.swift:1:24 a -"),
    ("@UnderstudyDefinitions.Property(\"a\") var x: Int", "App.swift:1:33 a Int"),
    ("@UnderstudyDefinitions::Property(\"a\") var x: Int", "App.swift:1:34 a Int"),
    ("@Property<[Int]?>(\"a\") var x", "App.swift:1:19 a [Int]? may be missing"),
    ("r.property(\"esc\\u{2e}aped\")", "App.swift:1:12 esc.aped -"),
    ("r.property(#\"a\\#u{2E}b\\n\"#)", "App.swift:1:12 a.b\\n -"),
    ("r.property(\"['\\t\\0\\r\\n']\")", "App.swift:1:12 ['\t\0\r\n'] -"),
    ("let q = #\"\"\"#; r.property(\"a\")", "App.swift:1:27 a -"),
    ("let q = ##\"\"\"#\"##; r.property(\"a\")", "App.swift:1:31 a -"),
    ("let q = #\"\"\"\n\"#\n\"\"\"#; r.property(\"a\")", "App.swift:3:18 a -"),
    ("let q = ##\"\"\"\"#\n\"\"\"##; r.property(\"a\")", "App.swift:2:19 a -"),
    ("let quote = /\"/; r.property(\"a\")", "App.swift:1:29 a -"),
    ("f(/[^\\/\"]\\//, #/ a/\"/#, ##/\n\"/#\n/##, r.property(\"a\"))", "App.swift:3:17 a -"),
    ("let x = y / 2 + r.property(\"a\") / z", "App.swift:1:28 a -"),
    ("x = y/r.property(\"a\") / f(1)/g[2]/r.z", "App.swift:1:18 a -"),
    ("a(/, r.property(\"a\")) / 2", "App.swift:1:17 a -"),
    ("a(/, g[1], r.property(\"a\"))/2", "App.swift:1:23 a -"),
    ("@Property(\"a\") var x: Int = 4 /2", "App.swift:1:11 a Int may be missing"),
    ("@Property(\"a\") var x: Int!", "App.swift:1:11 a Int! may be missing"),
    ("let x = try r.property(\"a\") ?? 4", "App.swift:1:24 a - may be missing"),
    ("let x = try r.property(\"a\") ? 4 : 5", "App.swift:1:24 a -"),
    ("f(try r.property(\"a\")) ?? 4", "App.swift:1:18 a -"),
    ("if let x: Int = try r.property(\"a\") {}", "App.swift:1:32 a Int may be missing"),
    ("guard b, let x: Int = try r.property(\"a\") else {}", "App.swift:1:38 a Int may be missing"),
    ("let x: Int = (try? r.property(\"a\")) ?? 3", "App.swift:1:31 a - may be missing"),
    ("let x = try? await r.property(\"a\", as: Int.self)", "App.swift:1:31 a Int may be missing"),
    ("switch k { case .on: y = try r.property(\"a\") }", "App.swift:1:41 a -"),
    ("if kind == .struct, try r.property(\"a\") {}", "App.swift:1:36 a -"),
  ])
  func `are found in every form whose path is a literal`(source: String, use: String) {
    #expect(uses(source) == [use])
  }

  @Test func `are found in a group, one for each of its properties`() {
    let source = """
      struct ServerConfig: PropertyGroup, Equatable {
        static let path = "server"
        let url: URL
        var proxy: String?
        var host: String { url.host ?? "" }
        struct Inner { let no: Int }
        let constant: Int = 1
        let none = 1
        var some: Int = 1
        private(set) var any = 1
        lazy var late: Int = 1
        let first, second: Int, third: [String: Int]?
      }
      struct Other { let none: Int }
      """
    #expect(
      uses(source) == [
        "App.swift:2:21 server -", "App.swift:3:7 server.url URL",
        "App.swift:4:7 server.proxy String? may be missing", "App.swift:9:7 server.some Int",
        "App.swift:10:20 server.any -", "App.swift:12:7 server.first Int",
        "App.swift:12:14 server.second Int",
        "App.swift:12:27 server.third [String:Int]? may be missing",
      ])
  }

  @Test(arguments: [
    "static let path: String = \"a\"", "static var path: String { \"a\" }",
    "static var path: String { return \"a\" }", "static var path = \"a\"",
    "public static let path: Swift.String = #\"a\"#",
  ])
  func `are found in a group in every spelling of its path`(path: String) {
    let source = "struct Group: UnderstudyDefinitions.PropertyGroup {\n  let x: Int\n\(path)\n}"
    let uses = PropertyUse.uses(in: source, named: "App.swift")
    #expect(uses.map(\.path) == ["a", "a.x"])
  }

  @Test(arguments: [
    "// r.property(\"a\")", "/* r.property(\"a\") */", "\"r.property(\\\"a\\\")\"",
    "\"\"\"\nr.property(\"a\")\n\"\"\"", "r.property(\"a\\(b)\")", "r.property(path)",
    "let x = /r.property(\"a\")/", "if try /r.property(\"a\")/.wholeMatch(in: b) != nil {}",
    "f(#/r.property(\"a\")/#, of: #/\nr.property(\"a\")\n/#)", "return /\\/r.property(\"a\")/",
    "r.property(\"a\\u{110000}\")", "r.property(\"a\\u{}\")", "r.property(\"\\q\")", "#/", "/",
    "= /a\nb/",
    "@Other.Property(\"a\") var x: Int", "r.property(\"a\\u{\")", "\"\\u", "@Property<",
    "\"\\(r.string(\"(\"))\"", "@Property(\"", "/*", "`", "@Property", "struct X: PropertyGroup {",
    "#\"\"", "struct", "", "struct Route { static let path = \"a\"\nlet x: Int }",
  ])
  func `are not found in comments, in strings, or if the path is computed`(source: String) {
    #expect(uses(source).isEmpty)
  }

  @Test func `with a wrong path or type are findings with both places`() throws {
    let properties = try Properties([
      .json(
        "{\"server\": {\"url\": \"http://a\",\n \"port\": \"x\"}, \"list\": [1, \"y\"]}",
        named: "app.json")
    ])
    let source = """
      @Property("server.uri") var url: URL
      @Property("server.port") var port: Int
      @Property("server[") var bad: Int
      @Property("absent") var absent: Int?
      @Property("list") var list: [Int]
      @Property("server.url") var fine: URL
      @Property("server") var own: OwnType
      """
    let findings = properties.findings(of: PropertyUse.uses(in: source, named: "App.swift"))
    #expect(
      findings.map(\.description) == [
        """
        A required property of type 'URL' is missing.
          Property   'server.uri'
          Consulted  app.json
          At         App.swift:1:11
        Did you mean 'server.url'?
        """,
        """
        Expected 'Int', found a string.
          Property  'server.port'
          At        app.json:2:10
          Read at   App.swift:2:11
        """,
        """
        The path is malformed: a bracket is not ended.
          Property  'server['
          At        App.swift:3:11
        """,
        """
        Expected 'Int', found a string.
          Property  'list[1]'
          At        app.json:2:24
          Read at   App.swift:5:11
        """,
      ])
  }

  @Test func `of every standard type are checked`() throws {
    let properties = try Properties([.values(["a": ["b": .null]])])
    for type in PropertyScalars.all {
      for spelling in ["\(type)", "\(type)?", "[\(type)]", "[\(type)]?"] {
        let use = PropertyUse(path: "a", type: spelling, file: "App.swift", line: 1)
        #expect(!properties.findings(of: [use]).isEmpty, "\(spelling)")
      }
    }
  }

  @Test(arguments: [
    ".property(\"a\", as: Int", ".property(\"a\", as: Int.", ".property(\"a\", as:",
    ".property(\"a\"",
    ".property(", "@Property(\"a\") var a: Int {", "@Property(\"a\"",
    "@Property(\"a\") var a: Int =", ": struct G: PropertyGroup { static let path =",
    ": struct G: PropertyGroup { static var path: String { \"a\"",
  ])
  func `a source that ends too early has no end to read beyond`(source: String) {
    #expect(uses(source).count <= 1)
    #expect(uses("r" + source + "\n").count <= 1)
  }

  @Test func `are found in a group whose end is missing`() {
    #expect(
      uses("struct G: PropertyGroup { let x: Int; static var path: String { \"a\" }") == [
        "App.swift:1:65 a -", "App.swift:1:31 a.x Int",
      ])
  }

  @Test func `in endlessly nested literals do not end the process`() {
    #expect(uses(String(repeating: "\"\\(", count: 50_000)) == [])
    #expect(uses("\"\\(f(\"\\(1)\"))\"; r.property(\"a\")") == ["App.swift:1:28 a -"])
  }
}
