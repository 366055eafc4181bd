// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

@Suite struct `The double of a protocol with a superclass` {
  private func output(
    of graph: String = "Hull", isOfOtherPackage: Bool = false,
    replacing names: KeyValuePairs<String, String> = [:], isReversed: Bool = false,
    source: String? = "import UIKit"
  ) throws -> DoublesOutput {
    var text = try Fixtures.text("Graphs/\(graph).symbols.json")
    for (name, other) in names { text = text.replacing(name, with: other) }
    var file = try SymbolGraphFile(Data(text.utf8), path: "\(graph).symbols.json")
    if isReversed { file.graph.relationships.reverse() }
    file.isOfOtherPackage = isOfOtherPackage
    return try DoublesOutput([file], Selection(patterns: ["*"])) { _ in source }
  }

  private func lines(_ name: String, in output: DoublesOutput) throws -> [Substring] {
    let file = try #require(output.files.first { $0.plan.name == "\(name)Double" })
    return file.content.text.split(separator: "\n")
  }

  @Test func `declares and overrides what the class does not fulfil`() throws {
    let lines = try lines("Framed", in: output())
    #expect(lines.contains("nonisolated final class FramedDouble: Frame, Hull.Framed {"))
    #expect(lines.contains("  override var count: Int {"))
    #expect(lines.contains("  func show() {"))
    #expect(!lines.contains { $0.contains("width") })
    #expect(lines.contains("  /// - `count`, which overrides a member of the class."))
    #expect(lines.contains("  /// The members of `Frame` are not forwarded."))
    #expect(lines.contains("import Hull"))
  }

  @Test func `inherits from a class that only its package can inherit from`() throws {
    for name in ["OfShut", "OfQuiet"] {
      #expect(try lines(name, in: output()).contains("@testable import Hull"))
    }
    let refusals = try output(isOfOtherPackage: true).refusals
    #expect(
      refusals.filter { $0.contains("OfShut") || $0.contains("OfQuiet") } == [
        "No double for 'Hull.OfQuiet': it inherits from the class Quiet, none of whose initialisers"
          + " is visible to a double; give it a public 'init()'.",
        "No double for 'Hull.OfShut': it inherits from the class Shut, which is not open outside its"
          + " package.",
      ])
  }

  @Test func `is refused with the reason`() throws {
    #expect(
      try output().refusals == [
        "No double for 'Hull.FrameObject': it inherits from the class NSObject, and no class can be"
          + " a subclass of Frame and NSObject.",
        "No double for 'Hull.NamedSized': it inherits from the class Sized, which has no 'init()'"
          + " for the double's 'init(name:)' to call; give it one.",
        "No double for 'Hull.OfWhole': it inherits from the class Whole, which is final; remove 'final',"
          + " since the double is a subclass.",
        "No double for 'Hull.OfWorker': it inherits from the class Worker, and the symbol graph of"
          + " its superclass Foundation.Operation was not given.",
        "No double for 'Hull.Renamed': it inherits from the class Frame, whose 'Frame.title' does"
          + " not fulfil the requirement, and cannot be overridden.",
        "No double for 'Hull.WatchingActor': it inherits from NSObjectProtocol, and no actor can be a"
          + " subclass.",
      ])
  }

  @Test func `is refused if a member or an initialiser of the class does not fit`() throws {
    #expect(
      try output(of: "Keel").refusals == [
        "No double for 'Keel.DecodedScreen': it inherits from the class Screen, whose 'init()' is"
          + " on an actor, and the double's 'init(from:)' is not.",
        "No double for 'Keel.MadeFlags': it inherits from the class Flags, which has no 'init()'"
          + " for the double's 'init(name:)' to call; give it one.",
        "No double for 'Keel.MadeKit': it inherits from the class Kit, which has no 'init()' for"
          + " the double's 'init(name:)' to call; make its designated initialisers public.",
        "No double for 'Keel.MadeScreen': it inherits from the class Screen, whose 'init()' is on"
          + " an actor, and the double's 'init(name:)' is not.",
        "No double for 'Keel.MappingRack': it inherits from the class BookRack, whose 'Rack.map(_:)'"
          + " has a type that depends on unknown arguments of a superclass.",
        "No double for 'Keel.NamedScreen': it inherits from the class Screen, whose 'Screen.name'"
          + " does not fulfil the requirement, and cannot be overridden.",
        "No double for 'Keel.OfRequiredKit': it inherits from the class RequiredKit, whose"
          + " required 'RequiredKit.init()' no double can inherit.",
        "No double for 'Keel.OtherLoader': it inherits from the class Loader, whose"
          + " 'Loader.load()' does not fulfil the requirement, and cannot be overridden.",
        "No double for 'Keel.PlainFlag': it inherits from the class Flag, which has no 'init()'"
          + " for the double's 'init()' to call; give it one.",
        "No double for 'Keel.PuttingRack': it inherits from the class BookRack, whose"
          + " 'Rack.put(_:)' has a type that depends on unknown arguments of a superclass.",
        "No double for 'Keel.SizedLoader': it inherits from the class Loader, whose 'Loader.size'"
          + " does not fulfil the requirement, and cannot be overridden.",
      ])
  }

  /// No graph has such a member.
  @Test func `is refused if an unavailable member of the class has the name of a requirement`()
    throws
  {
    let refusal =
      "No double for 'Hull.Framed': it inherits from the class Frame, whose unavailable"
      + " 'Frame.show()' has the name of the requirement."
    for (source, isRefused) in [
      ("extension Frame { @available(*, unavailable) public func show() {} }", true),
      ("extension Hull.Frame { @available(*, unavailable) open func show() throws {} }", false),
      ("extension Frame { @available(*, unavailable) public func show(_ id: Int) {} }", false),
      ("extension Frame { @available(*, unavailable) private func show() {} }", false),
      ("extension Sized { @available(*, unavailable) public func show() {} }", false),
    ] {
      #expect(try output(source: source).refusals.contains(refusal) == isRefused, "\(source)")
    }
  }

  @Test func `is refused if the source of the class is missing, and it declares a member`() throws {
    let refusals = try output(source: nil).refusals
    #expect(
      refusals.contains(
        "No double for 'Hull.Framed': it inherits from the class Frame, and the source of Frame,"
          + " which may have an unavailable 'show()', was not given."))
    #expect(try output(source: nil).files.count > 0)
  }

  /// The members of a class that no graph has, with a graph's text.
  private func hiddenMembers(
    _ texts: [String], source: (String) -> String?
  ) throws -> [HiddenMember]? {
    let files = try texts.map { try SymbolGraphFile(Data($0.utf8), path: "Hull.symbols.json") }
    return GraphIndex(files, source: source).hiddenMembers(of: "s:4Hull5FrameC")
  }

  @Test(
    arguments: [
      "file://@__swiftmacro_4Hull5Frame4PartfMm_.swift", "@__swiftmacro_4Hull5Frame4PartfMm_.swift",
      "file:///tmp/swift-generated-sources/@__swiftmacro_4Hull5Frame4PartfMm_.swift",
    ])
  func `needs no source of an expanded macro`(address: String) throws {
    let place = #""file:///Hull.swift", "position": {"line": 6,"#
    let graph = try Fixtures.text("Graphs/Hull.symbols.json")
    let text = graph.replacing(place, with: place.replacing("file:///Hull.swift", with: address))
    #expect(text != graph)
    #expect(try hiddenMembers([text]) { $0 == "file:///Hull.swift" ? "" : nil } == [])
    #expect(try hiddenMembers([text]) { _ in nil } == nil)
    let other = graph.replacing(place, with: place.replacing("Hull.swift", with: "Other.swift"))
    #expect(try hiddenMembers([other]) { $0 == "file:///Hull.swift" ? "" : nil } == nil)
  }

  @Test func `has no members of a class with the same name in another module`() throws {
    let graph = try Fixtures.text("Graphs/Hull.symbols.json")
    let other = graph.replacing("Hull", with: "Stow")
    for (source, count) in [
      ("class Frame { @available(*, unavailable) public func show() {} }", 0),
      ("extension Frame { @available(*, unavailable) public func show() {} }", 1),
    ] {
      let members = try hiddenMembers([graph, other]) { $0.contains("Stow") ? source : "" }
      #expect(members?.count == count, "\(source)")
    }
  }

  @Test(arguments: ["required init", "required convenience init"])
  func `says required where it overrides a required initialiser with an optional parameter`(
    head: String
  ) throws {
    let place = #""Int", "preciseIdentifier": "s:Si"}, {"kind": "text", "spelling": ")"}]"#
    let words =
      head.hasSuffix("convenience init")
      ? #""required"}, {"kind": "text", "spelling": " "}, {"kind": "keyword", "spelling": "convenience"}"#
      : #""required"}"#
    let output = try output(
      of: "Keel",
      replacing: [place: place.replacing(")", with: "?)"), #""required"}"#: words])
    let lines = try lines("MadeLoader", in: output)
    #expect(lines.contains("  required convenience init(code: Int?) {"))
  }

  @Test func `is the same whatever the order in the graph is`() throws {
    let (one, other) = try (output(of: "Keel"), output(of: "Keel", isReversed: true))
    #expect(one.files.map(\.content.text) == other.files.map(\.content.text))
    #expect(one.refusals == other.refusals)
  }

  private let without = "Without init(forwardingTo:) and init(tape:errors:live:)"

  @Test func `calls init() of the class only if the call is clear and on no other actor`() throws {
    for (name, line) in [
      "OfFlags": "'Flags' has no 'init()'", "OfMainMade": "'MainMade' has no 'init()'",
      "OfKit": "'Kit' has no 'init()'",
    ] {
      let lines = try lines(name, in: output(of: "Keel"))
      #expect(lines.contains("  // \(without): \(line)."))
    }
  }

  @Test func `has members beside those that it cannot override`() throws {
    let lines = try lines("MadeLoader", in: output(of: "Keel"))
    #expect(lines.contains("  required convenience init(code: Int) {"))
    #expect(lines.contains("  convenience init(text: String) {"))
    let rack = try self.lines("LabelledRack", in: output(of: "Keel"))
    #expect(rack.contains("  func put(_ items: [Int], by: Int) {"))
  }

  @Test func `is another double's answer only if it has init()`() throws {
    let gives = try #require(output().files.first { $0.plan.name == "GivesDouble" })
    #expect(gives.plan.members.flatMap(\.spies).map(\.placeholder) == ["FramedDouble()", nil])
    #expect(
      try lines("OfSized", in: output())
        .contains("  // \(without): 'Sized' has no 'init()'."))
  }

  @Test func `is the same on Apple's systems as on Linux`() throws {
    let names: KeyValuePairs = [
      "s:10Foundation16NSObjectProtocolP": "c:objc(pl)NSObject",
      "s:10Foundation8NSObjectC": "c:objc(cs)NSObject",
    ]
    let other = try output(replacing: names)
    for name in ["Watching", "Viewing"] {
      #expect(try lines(name, in: other) == lines(name, in: output()))
    }
    let lines = try lines("Watching", in: other)
    #expect(lines.contains("nonisolated final class WatchingDouble: NSObject, Hull.Watching {"))
    #expect(lines.contains("import Foundation"))
  }

  @Test func `has the superclass of Objective-C that its protocol names`() throws {
    let other = try output(replacing: [
      "s:10Foundation8NSObjectC": "c:objc(cs)UIViewController", "NSObject\"": "UIViewController\"",
      // It has a parent of Objective-C, too.
      "{\"kind\": \"inheritsFrom\", \"source\": \"s:4Hull7ViewingP\"": """
      {"kind": "conformsTo", "source": "s:4Hull7ViewingP", "target": "c:objc(pl)NSObject"},
      {"kind": "inheritsFrom", "source": "s:4Hull7ViewingP"
      """,
    ])
    let lines = try lines("Viewing", in: other)
    #expect(lines.contains("@MainActor"))
    #expect(lines.contains("  import UIKit"))
    #expect(lines.contains("final class ViewingDouble: UIViewController, Hull.Viewing {"))
  }
}
