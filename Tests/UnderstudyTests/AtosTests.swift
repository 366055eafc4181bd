// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTesting

@Suite struct `What atos prints` {
  @Test(
    arguments: [
      ("Checkout.buy() (in ShopTests) (/shop/Checkout.swift:12)", "/shop/Checkout.swift:12"),
      (
        "closure #1 in Shop.Checkout.buy() (in ShopTests) (/shop/Checkout.swift:7)",
        "/shop/Checkout.swift:7"
      ),
      (
        "(2) await resume partial function for closure #1 in Checkout.buy(_:) (in Shop) (/a/B.swift:3)",
        "/a/B.swift:3"
      ),
      (
        "specialized Box.map<A>(_: (B) throws -> (A, [Int : C])) -> Box<A> (in My App) (/a/B.swift:1)",
        "/a/B.swift:1"
      ),
      // A name that the demangler of that system does not know.
      ("$s4Shop8CheckoutC3buyyyYaFTQ0_ (in Shop) (/a/B.swift:40)", "/a/B.swift:40"),
      ("-[Checkout buy:from:] (in Shop) (/a/Checkout.m:24)", "/a/Checkout.m:24"),
      (
        "Checkout.buy() (in Shop.debug.dylib) (/a (in b) (c)/D (1).swift:5)",
        "/a (in b) (c)/D (1).swift:5"
      ),
      ("Checkout.buy() (in Shop) (C:12/Checkout.swift:9)", "C:12/Checkout.swift:9"),
      ("Checkout.buy() (in Shop) + 12", nil),
      ("Checkout.buy() (in Shop) (Checkout.swift:0)", nil),
      (
        "protocol witness for Mails.send(_:) in conformance LetterBox (in Shop) (<compiler-generated>:0)",
        nil
      ),
      ("0x0000000104d0c3b8 (in Shop)", nil), ("0x104d0c3b8", nil), ("(/a/B.swift:3)", nil),
    ] as [(String, String?)])
  func `has the line of a function`(text: String, place: String?) {
    let places = Atos.places(in: text + "\n").map { $0.map { "\($0.path):\($0.line)" } }
    #expect(places == [place])
  }

  @Test func `is one line for each address`() {
    let output = "f() (in A) + 4\n0x10\ng() (in A) (/a/G.swift:2)\n"
    #expect(Atos.places(in: output).map { $0?.line } == [nil, nil, 2])
    #expect(Atos.places(in: "").isEmpty)
  }

  @Test func `is asked for by addresses in memory`() {
    let arguments = Atos.arguments(
      image: "/my tests/A.xctest/A", loadedAt: 0x1_0000_0000,
      addresses: [0x1_0000_0a1f, 0x1_0000_0b2f],
      architecture: "arm64")
    #expect(
      arguments == [
        "-arch", "arm64", "-o", "/my tests/A.xctest/A", "-fullPath", "-l", "0x100000000",
        "0x100000a1f", "0x100000b2f",
      ])
  }
}
