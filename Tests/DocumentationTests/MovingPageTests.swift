// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

/// In Swift 6 mode, most statements of an older system that share an object fail until the object
/// is `Sendable`. So the pages say that first.
@Suite struct `A page about moving here` {
  private static let systems = [
    "MovingHere/Blade", "MovingHere/Deli", "MovingHere/Dose", "MovingHere/Factory",
    "MovingHere/Guise9", "MovingHere/GuiseSwift3", "MovingHere/Needle", "MovingHere/Resolver",
    "MovingHere/SwiftDependencies", "MovingHere/Swinject", "PriorSystems",
  ]

  @Test(arguments: systems)
  func `begins with what must be Sendable, and what to do`(name: String) throws {
    #expect(Self.saysIt(try Page(path: "Docs/\(name).md").text))
  }

  @Test func `without that at its start is found`() {
    let link = "must be `Sendable`. [Five ways](README.md#sendable)"
    #expect(Self.saysIt("# Coming from nowhere\n\nAn object \(link)"))
    #expect(!Self.saysIt("# Coming from nowhere\n\nIt is old.\n\nAn object \(link)"))
    #expect(!Self.saysIt("# Coming from nowhere\n\nAn object must be `Sendable`."))
  }

  private static func saysIt(_ page: String) -> Bool {
    let paragraphs = page.split(separator: "\n\n")
    guard paragraphs.count > 1 else { return false }
    return ["must be `Sendable`", "README.md#sendable)"].allSatisfy(paragraphs[1].contains)
  }
}
