// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import Understudy
@testable import UnderstudyGraph

/// Names that try to escape from the place into which a renderer writes them.
enum HostileName: String, CaseIterable, Sendable {
  case script = "</script><script>window.ran = 1</script>"
  /// U+0600 joins the next character to a cluster, which is then not equal to "<" or "\"".
  case joinedScript = "\u{600}</script>\u{600}<script>window.ran = 1\u{600}</script>"
  case joinedImage = "\u{600}<img src=x onerror=\"window.ran = 1\">"
  case joinedAttribute = "\u{600}\"\u{600}' onclick=\"window.ran = 1"
  case markBehind = "<\u{301}img src=x onerror=window.ran=1>"
  case carriageReturn = "a\"\r\n]:::x\nn0[\"b"
  case directive = "%%{init: {'themeCSS': '* { display: none }'}}%%"
  case entity = "#quot;] &#34; &quot; `**bold**`"
  /// Mermaid removes the last semicolon of a text like this, if its colon is not escaped.
  case declaration = "style:dark, and as long as the other names"
  case backslash = "\\\", URL=\"javascript:alert(1)\\"
  case direction = "ab\u{202E}cd\u{2066}\u{200B}\u{FEFF}"
  case terminal = "\u{1B}[2J\u{1B}]0;title\u{7}\u{9B}31m"
  case tag = "a\u{E0041}\u{E007F}"

  /// A graph with the name in a key, a layer, and a member of a finding.
  func graph() -> DependencyGraph { HostileName.graph(named: rawValue) }

  static func graph(named name: String) -> DependencyGraph {
    let resolver = Resolver()
    resolver.needing(Key<Left>(named: name)).register(Prop.self, named: name) { Prop(0) }
    return withOverrides(.check(.unusedOverride, .off), of: resolver, named: name) {
      $0.register(Service.self, named: name) { Service(tries: 1) }
    } operation: {
      resolver.graph
    }
  }
}

@Suite struct `Names in drawn graphs` {
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: scalar != "\n"
    default: false
    }
  }

  @Test(arguments: HostileName.allCases, Renderer.allCases)
  func `leave no invisible character in the output`(name: HostileName, renderer: Renderer) {
    let drawn = renderer.draw(name.graph(), title: name.rawValue)
    #expect(drawn.unicodeScalars.filter(Self.isInvisible).isEmpty)
  }

  @Test(arguments: HostileName.allCases)
  func `leave no invisible character in the text and in findings`(name: HostileName) {
    let graph = name.graph()
    let printed = graph.description + graph.findings.map(\.description).joined()
    #expect(graph.findings.map(\.kind) == [.missing])
    #expect(printed.unicodeScalars.filter(Self.isInvisible).isEmpty)
    // One line for each of two nodes, an edge and the missing node.
    #expect(graph.description.split(separator: "\n").count == 4)
  }

  @Test func `are shown with Swift's escapes`() {
    #expect(
      "a\u{202E}b\n\u{7}é\u{301}".withInvisibleScalarsEscaped == "a\\u{202E}b\\n\\u{7}é\u{301}")
    #expect("plain 'é' \u{1F600}".withInvisibleScalarsEscaped == "plain 'é' \u{1F600}")
  }

  @Test(arguments: HostileName.allCases)
  func `are text of the page, not tags or attributes`(name: HostileName) throws {
    let page = name.graph().html(title: name.rawValue)
    let plain = HostileName.graph(named: "a plain name, and as long as the others").html(
      title: "plain")
    // The page has as many special characters of HTML as the page of a graph with plain names.
    func counts(_ page: String) -> [Int] {
      (["<", ">", "\""] as [Unicode.Scalar]).map { scalar in
        page.markup.unicodeScalars.count { $0 == scalar }
      }
    }
    #expect(counts(page) == counts(plain))
  }

  @Test(arguments: HostileName.allCases)
  func `are whole in JSON`(name: HostileName) throws {
    struct Graph: Decodable {
      struct Node: Decodable { let key: String }
      let nodes: [Node]
      let layers: [String]
    }
    let source = name.graph()
    let graph = try JSONDecoder().decode(Graph.self, from: Data(source.json.utf8))
    #expect(graph.nodes.map(\.key) == source.nodes.map(\.key.step))
    #expect(graph.layers == [name.rawValue])
  }

  @Test(arguments: HostileName.allCases)
  func `are one quoted label of a line in Mermaid and Graphviz`(name: HostileName) {
    let graph = name.graph()
    let label = #/\s\sn\d+\["(?:[^"%`{}:;\\]|:\ |#\w+;)*"\]:::\w+/#
    let nodes = graph.mermaid.split(separator: "\n").dropFirst().prefix(graph.nodes.count)
    #expect(nodes.allSatisfy { $0.wholeMatch(of: label.matchingSemantics(.unicodeScalar)) != nil })
    let quoted = #/\s\sn\d+ \[label="(?:[^"\\]|\\["\\])*", fillcolor="\#\w+", color="\#\w+"\]/#
    let dots = graph.dot.split(separator: "\n").dropFirst(3).prefix(graph.nodes.count)
    #expect(dots.allSatisfy { $0.wholeMatch(of: quoted.matchingSemantics(.unicodeScalar)) != nil })
  }
}

extension String {
  /// The page without its data, script and style.
  fileprivate var markup: String {
    var text = self
    for element in ["script", "style"] {
      while let start = text.firstRange(of: "<\(element)"),
        let end = text[start.lowerBound...].firstRange(of: "</\(element)>")
      {
        text.removeSubrange(start.lowerBound..<end.upperBound)
      }
    }
    return text
  }
}

@Suite struct `The policy of a page` {
  @Test(arguments: [
    ("", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
    ("abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="
    ),
    // With this length, the padding starts another block.
    (String(repeating: "a", count: 64), "/+BU/nrgy23GXDr5th1SCfQ5hR20PQulmXM33xVGaOs="),
  ])
  func `names a script by its hash`(text: String, hash: String) {
    #expect(SHA256.base64(of: text) == hash)
  }

  @Test func `allows the page's script and style, and nothing else`() {
    let page = Drawn.five.page()
    let policy = page.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)
    let script = page.firstMatch(of: /(?s)<script>(.*?)<\/script>/)
    let style = page.firstMatch(of: /(?s)<style>(.*?)<\/style>/)
    #expect(
      policy?.1 == """
        default-src 'none'; script-src 'sha256-\(SHA256.base64(of: String(script?.1 ?? "")))'; \
        style-src 'sha256-\(SHA256.base64(of: String(style?.1 ?? "")))'; base-uri 'none'; \
        form-action 'none'
        """)
  }
}
