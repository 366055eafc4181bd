// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

@Suite struct SuppressedConformancesTests {
  private static let source = """
    public enum Slip: ~Copyable { case seat }
    public struct View<Pixel>: ~Escapable where Pixel: Sendable { @_lifetime(immortal) init() {} }
    public struct Tag { public var number: Int }
    """

  private func suppressed(_ source: String?) throws -> (copyable: [String], escapable: [String]) {
    let index = GraphIndex(try Fixtures.read("Kiosk")) { uri in
      uri == "file:///Kiosk.swift" ? source : nil
    }
    func own(_ types: Set<String>) -> [String] {
      types.filter { $0.hasPrefix("s:5Kiosk") }.map(index.name).sorted()
    }
    return (own(index.noncopyable), own(index.nonescapable))
  }

  @Test func `spans cannot escape, and those that can change are not copied`() {
    let known = SuppressedConformances([:], [:])
    #expect(
      known.nonescapable == [
        "s:s4SpanV", "s:s7RawSpanV", "s:s8UTF8SpanV", "s:s11MutableSpanV", "s:s14MutableRawSpanV",
        "s:s10OutputSpanV", "s:s13OutputRawSpanV",
      ])
    #expect(
      known.noncopyable == [
        "s:s11MutableSpanV", "s:s14MutableRawSpanV", "s:s10OutputSpanV", "s:s13OutputRawSpanV",
        "s:15Synchronization5MutexV", "s:15Synchronization6AtomicV",
        "s:12_Concurrency11ExecutorJobV",
      ])
  }

  @Test func `the source of a type supplements its graph`() throws {
    let found = try suppressed(Self.source)
    #expect(found.copyable == ["Slip"])
    #expect(found.escapable == ["View"])
  }

  @Test(arguments: [nil, "", "public enum Other: ~Copyable {}\n// changed since"] as [String?])
  func `without its source a consumed type may be noncopyable`(source: String?) throws {
    let found = try suppressed(source)
    #expect(found.copyable == ["Tag"])
    #expect(found.escapable == [])
  }

  @Test(
    arguments: [
      (": Sendable,\n  ~Copyable\n{", ["Slip"], []), ("\n:~Escapable{", [], ["Slip"]),
      (": ~Copyable, ~Escapable {", ["Slip"], ["Slip"]), (" {}; struct A: ~Copyable {", [], []),
      ("<T: ~Copyable>: Sendable where T: ~Copyable {", [], []),
    ] as [(String, [String], [String])])
  func `a clause is read up to the body`(clause: String, copyable: [String], escapable: [String])
    throws
  {
    let found = try suppressed("public enum Slip" + clause)
    #expect(found.copyable.filter { $0 == "Slip" } == copyable)
    #expect(found.escapable == escapable)
  }

  @Test func `a noncopyable value is handled, and an impossible double is refused`() throws {
    let output = try DoublesOutput(
      Fixtures.read("Kiosk"), Selection(patterns: ["*"], modules: []), source: { _ in Self.source })
    #expect(
      output.explanation == [
        "IssuerDouble: Kiosk.Issuer", "  handler  issue()  — It is answered by a function.",
        "ReaderDouble: Kiosk.Reader",
        "  handler  sum(_:scale:)  — 'values' cannot escape and goes to the answering function.",
        "TaggerDouble: Kiosk.Tagger", "  spy      tag(_:)",
      ])
    #expect(
      output.refusals == [
        "No double for 'Kiosk.Window': the result of 'make()' cannot escape, and no double can "
          + "declare its lifetime dependency."
      ])
    #expect(output.summary == "3 doubles: 1 spy, 2 handlers, 0 refusals; 1 protocol refused.")
    #expect(
      output.files.flatMap(\.plan.members).flatMap(\.spies).map(\.type) == [
        "Spy<Void, @Sendable () -> Slip, Never>",
        "Spy<Int, @Sendable (Span<Int>) throws -> Int, any Error>", "Spy<Tag, Int, Never>",
      ])
  }

  /// The graph is from the extractor:
  ///
  /// ```swift
  /// public struct File: ~Copyable {
  ///   public enum Mode: Sendable { case read }
  /// }
  /// public struct Crate<Value: ~Copyable>: Sendable {
  ///   public enum Side: Sendable { case left }
  /// }
  /// public typealias Access = File.Mode
  /// public protocol Opener: Sendable {
  ///   func open(_ mode: File.Mode, or other: Access, on side: Crate<File>.Side) throws -> Int
  ///   func modes() -> [File.Mode]
  ///   func pointer() -> UnsafePointer<File>
  ///   func crate() -> Crate<File>
  ///   func type() -> File.Type
  ///   func file() -> File?
  /// }
  /// ```
  @Test func `a type is copied although it names one that cannot be copied`() throws {
    let output = try DoublesOutput(
      Fixtures.read("Nook"), Selection(patterns: ["Opener"], modules: []),
      source: { _ in "public struct File: ~Copyable {" })
    #expect(
      output.explanation == [
        "OpenerDouble: Nook.Opener", "  spy      open(_:or:on:)", "  spy      modes()",
        "  spy      pointer()", "  spy      crate()", "  spy      type()",
        "  handler  file()  — It is answered by a function.",
      ])
  }
}
