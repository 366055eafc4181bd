// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

// The samples of Docs/Observing.md.

private struct Palette: Sendable {}

private protocol Painted: AnyObject, Sendable {
  func apply(_ palette: Palette)
}

private final class Banner: Painted {
  let palettes = Spy<Palette, Void, Never>("apply(_:)")

  func apply(_ palette: Palette) { palettes(palette) }
}

@Suite struct `The page about observers` {
  private let resolver = Resolver()

  @Test func `shows an observer of failures`() throws {
    let observation = resolver.observe { event in
      guard let error = event.error else { return }
      print("\(event.key) failed at \(event.callSite): \(error)")
    }
    resolver.register { 7 }
    try #expect(resolver.resolve(Int.self) == 7)
    observation.cancel()
  }

  @Test func `shows an observer of each value`() throws {
    let palette = Palette()
    resolver.observeValues { value, event in
      if event.kind == .created, let view = value as? any Painted { view.apply(palette) }
    }
    resolver.register(lifecycle: .cached) { Banner() }
    for _ in 0..<2 { _ = try resolver.resolve(Banner.self) }
    let banner = try resolver.resolve(Banner.self)
    #expect(banner.palettes.calls.count == 1)
  }
}
