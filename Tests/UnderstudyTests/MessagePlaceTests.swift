// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting
import XCTest

@testable import Understudy

private struct Bell: Sendable {}

/// The remedies of a message fit the place of the mistake. `PerformanceTests` covers XCTest.
@Suite struct `The place of a mistake` {
  #if os(Linux) || os(macOS)
    @Test func `in a program has no remedy that mentions tests`() async {
      await #expect(processExitsWith: .success) {
        TestHosts.install(nil)
        let text = resolutionError { try Resolver().resolve(Bell.self, line: 41) }?.description
        #expect(
          text == """
            No registration for 'Bell'.
              At         UnderstudyTests/MessagePlaceTests.swift:41
              Consulted  production of an unnamed resolver (0 registrations)
            To fix:  Register it:  resolver.register { … as Bell }
            """)
      }
    }
  #endif

  @Test func `in a Swift Testing test has the trait as a remedy`() {
    let text = resolutionError { try Resolver(named: "tower").resolve(Bell.self, line: 42) }
    #expect(
      text?.description == """
        No registration for 'Bell'.
          At         UnderstudyTests/MessagePlaceTests.swift:42
          Consulted  production of 'tower' (0 registrations)
        To fix, do one of these:
          • Register it:  resolver.register { … as Bell }
          • Override it:  withOverrides(of: …) { $0.register { … as Bell } } operation: { … }
        """)
  }

  @Test func `under many overrides has their number, and under few their keys`() {
    func consulted(_ count: Int) -> String? {
      let resolver = Resolver()
      let text = withLayer(of: resolver, named: "bells") { layer in
        for number in 0..<count { layer.register(number, named: number) }
      } operation: {
        resolutionError { try resolver.resolve(Bell.self) }?.description
      }
      return text?.split(separator: "\n").first { $0.contains("Consulted") }
        .map { String($0.trimmingPrefix("  Consulted  ").prefix { $0 != "p" }) }
    }
    #expect(consulted(0) == "layer 'bells' (0 registrations), ")
    #expect(consulted(2) == "layer 'bells' (Int named 0, Int named 1), ")
    #expect(consulted(6) == "layer 'bells' (6 registrations), ")
  }

  @Test func `in a child resolver has its parents`() {
    let session = Resolver(named: "session", parent: Resolver(named: "app"))
    let text = resolutionError { try session.resolve(Bell.self) }?.description
    #expect(
      text?.contains(
        "Consulted  production of 'session' (0 registrations), production of 'app' (0 registrations)\n"
      ) == true)
  }

  @Test func `in the main resolver does not name it`() {
    let text = resolutionError { try Resolver.main.resolve(Bell.self) }?.description
    #expect(text?.contains(/Consulted  production \(\d+ registrations?\)/) == true, "\(text ?? "")")
  }
}

/// A case of XCTest is told of what its class can override.
final class MessagePlaceCase: OverridesTestCase {
  func testAdvisesMembersOfTheClass() {
    let place = MessagePlace.current
    XCTAssertEqual(
      place.overriding(AnyKey(type: Bell.self)), "overrides.register { … as Bell }")
    XCTAssertEqual(
      place.allowing("Bell.self", trait: ""),
      "override var allowedTypes: [any Any.Type] { [Bell.self] }")
    XCTAssertEqual(
      place.option(".strict"), "override var overrideOptions: OverrideOptions { .strict }")
    for text in [place.layer(isOfAnother: true), place.overridingAnother] {
      XCTAssertEqual(text, "override var overriddenResolver: Resolver { … }")
    }
  }

  func testAdvisesMembersOfTheClassForAFailingRequest() {
    let resolver = Resolver()
    let error = withLayer(of: resolver) {
      $0.decorate(Bell.self) { $0 }
    } operation: {
      resolutionError { try resolver.resolve(Bell.self) }
    }
    XCTAssertEqual(
      error?.description.contains(
        "Override it instead:  overrides.register { … as Bell }"), true,
      "\(String(describing: error))")
  }
}

/// A case of another class has no such members.
final class PlainMessagePlaceCase: XCTestCase {
  func testAdvisesALayerOfItsOwn() {
    let place = MessagePlace.current
    XCTAssertEqual(
      place.overriding(AnyKey(type: Bell.self)),
      "withOverrides { $0.register { … as Bell } } operation: { … }")
    XCTAssertEqual(
      place.allowing("Bell.self", trait: ""),
      "withOverrides(allowing: Bell.self) { _ in } operation: { … }")
    XCTAssertEqual(place.option(".strict"), "withOverrides(.strict) { … } operation: { … }")
    XCTAssertEqual(place.layer(), "final class …: OverridesTestCase")
  }
}

/// No message of this package contains an address.
@Suite struct `A private type in a message` {
  private struct Cause: Sendable {}
  private struct Broken: Error { let cause = Cause() }

  @Test func `is named without an address, in errors and in the tree`() throws {
    struct Local: Error { let cause = Cause() }
    let resolver = Resolver()
    resolver.register { (_: Cause) throws -> Int in throw Broken() }
    resolver.register { () throws -> String in throw Local() }
    let layer = try withLayer(of: resolver) { _ in
    } operation: {
      for error in [
        resolutionError { try resolver.resolve(Int.self, with: Cause()) },
        resolutionError { try resolver.resolve(String.self) },
      ] {
        let text = try #require(error?.description)
        #expect(text.contains("cause: ") && !text.contains("unknown context"), "\(text)")
      }
      resolver.register { (_: [Cause]) in 1.5 }
      _ = try resolver.resolve(Double.self, with: [Cause()])
      return try #require(OverrideLayer.current)
    }
    #expect(layer.log.tree.contains("Cause()") && !layer.log.tree.contains("unknown context"))
  }
}
