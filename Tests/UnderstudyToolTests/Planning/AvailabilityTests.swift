// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

/// The systems of a double, from those of its requirements.
@Suite struct AvailabilityTests {
  private func availability(_ text: String) -> [SymbolGraph.Availability] {
    text.split(separator: " ").map { item in
      let parts = item.split(separator: ":")
      return .init(domain: String(parts[0]), introduced: .init(major: Int(parts[1]) ?? 0))
    }
  }

  @Test(
    arguments: [
      ("iOS:16 iOS:18", "iOS 18.0, *"),
      ("iOS:16 macOS:13 iOS:15", "iOS 16.0, macOS 13.0, *"),
      ("iOS:18 macCatalyst:16", "iOS 18.0, macCatalyst 18.0, *"),
      ("macCatalyst:16 iOS:15", "macCatalyst 16.0, iOS 15.0, *"),
      ("iOS:18 iOSAppExtension:15", "iOS 18.0, iOSApplicationExtension 18.0, *"),
      ("iOSAppExtension:19 iOS:18", "iOSApplicationExtension 19.0, iOS 18.0, *"),
      ("macOS:15 macOSAppExtension:12", "macOS 15.0, macOSApplicationExtension 15.0, *"),
      ("iOS:18 macCatalystAppExtension:15", "iOS 18.0, macCatalystApplicationExtension 18.0, *"),
      (
        "macCatalyst:19 iOS:18 macCatalystAppExtension:15",
        "macCatalyst 19.0, iOS 18.0, macCatalystApplicationExtension 19.0, *"
      ),
      ("macOS:15 iOSAppExtension:15", "macOS 15.0, iOSApplicationExtension 15.0, *"),
      ("tvOS:18 macCatalyst:15", "tvOS 18.0, macCatalyst 15.0, *"),
    ])
  func `a part of a system is as new as the system`(items: String, systems: String) {
    #expect(AvailabilityText.systems(availability(items)) == systems)
  }

  @Test func `an attribute has the name of a system in Swift`() {
    let unavailable = SymbolGraph.Availability(
      domain: "iOSAppExtension", isUnconditionallyUnavailable: true)
    #expect(
      AvailabilityText.withoutVersions([unavailable]) == [
        "@available(iOSApplicationExtension, unavailable)"
      ])
  }

  /// The graph is from the extractor:
  ///
  /// ```swift
  /// public struct ValueDouble: Sendable {}
  /// public protocol Value { func asDouble() -> ValueDouble }
  /// public struct Blot: Error {}
  /// public protocol Ink: Sendable {
  ///   func dip(_ done: @escaping @Sendable () throws(Blot) -> Void)
  /// }
  /// public protocol Pen { func ink() -> any Ink; func value() -> any Value }
  /// ```
  @Test func `a double that needs newer systems is returned by no other one without a stub`() throws
  {
    let files = try DoublesOutput(Fixtures.read("Quill"), Selection(patterns: ["*"], modules: []))
      .files
    let ink = try #require(files.first { $0.name == "InkDouble.swift" }?.content.text)
    #expect(ink.contains("@available(macOS 15.0, "))
    let pen = try #require(files.first { $0.name == "PenDouble.swift" }?.content.text)
    #expect(pen.contains("let ink = Spy<Void, any Ink, Never>(\"ink()\")"))
    #expect(pen.contains("placeholder: ValueDouble())"))
  }

  /// The graph is from the extractor:
  ///
  /// ```swift
  /// @available(*, deprecated) public struct Stamp: Sendable {}
  /// public protocol Clerk: Sendable {
  ///   @available(*, deprecated) func stamp(_ stamp: Stamp, times: Int) -> Int
  ///   @available(*, deprecated) var last: Stamp? { get set }
  ///   @available(*, deprecated) static func check(_ stamp: Stamp)
  ///   @available(*, deprecated) func count(_ number: Int) -> Int
  /// }
  /// ```
  @Test func `the parts of a double that name a deprecated type are deprecated`() throws {
    let output = try DoublesOutput(
      Fixtures.read("Nook"), Selection(patterns: ["Clerk"], modules: []))
    let lines = try #require(output.files.first).content.text.split(separator: "\n")
    let deprecated = lines.indices.filter { lines[$0].hasSuffix("@available(*, deprecated)") }
      .map { String(lines[$0 + 1].trimmingPrefix { $0 == " " }) }
    #expect(
      deprecated == [
        #"let stamp = Spy<(Stamp, Int), Int, Never>("stamp(_:times:)", placeholder: 0)"#,
        #"let last = SpyProperty<Stamp?>("last", placeholder: nil)"#,
        "var check: Spy<Stamp, Void, Never> {",
        "subscript(all _: Void) -> [any UnderstudyDoubles.Verifiable] { [self.check] }",
        "func stamp(_ stamp: Stamp, times: Int) -> Int {", "var last: Stamp? {",
        "static func check(_ stamp: Stamp) {",
      ])
  }
}
