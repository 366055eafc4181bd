// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import Foundation
import Testing

@testable import UnderstudyDoubles

/// The sample's own store, recorded on a cassette.
@Suite struct `The recorded store` {
  @Test func `plays recordings without the files`() throws {
    try Scene.play { scene in
      let store = FileStore(directory: scene.file("store"))
      #expect(try store.add { _ in .earlier } == .earlier)
      // An empty environment, since `CI` in the environment of the process forbids recording.
      func double(_ mode: Cassette.Mode) throws -> SalesStoreDouble {
        let double = SalesStoreDouble()
        let tape = try Cassette(
          scene.file("tape.json").path, mode, .arguments, [], environment: [:])
        double.spy.sales.plays(tape) { try store.sales() }
        return double
      }
      #expect(try double(.once).sales() == [.earlier])
      try FileManager.default.removeItem(at: scene.file("store"))
      #expect(try store.sales().isEmpty)
      #expect(try double(.none).sales() == [.earlier])
    }
  }
}
