// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import Foundation
import XCTest

final class FileStoreCase: XCTestCase {
  func testASaleIsThereForTheNextStore() throws {
    try Scene.play { scene in
      let store = FileStore(directory: scene.file("deep/store"))
      XCTAssertEqual(try store.sales(), [])
      XCTAssertFalse(FileManager.default.fileExists(atPath: scene.file("deep").path))
      XCTAssertEqual(try store.add { _ in .earlier }, .earlier)
      XCTAssertEqual(try FileStore(directory: scene.file("deep/store")).sales(), [.earlier])
    }
  }

  func testASaleThatIsRefusedWritesNothing() throws {
    try Scene.play { scene in
      let store = FileStore(directory: scene.directory)
      _ = try store.add { _ in .earlier }
      let before = try Data(contentsOf: store.file)
      XCTAssertThrowsError(
        try store.add { _ in throw BoxOfficeError.soldOut(performance: "godot") })
      XCTAssertEqual(try Data(contentsOf: store.file), before)
    }
  }

  func testAFileThatWasCutIsNeverWrittenOver() throws {
    try Scene.play { scene in
      let store = FileStore(directory: scene.directory)
      _ = try store.add { _ in .earlier }
      let whole = try Data(contentsOf: store.file)
      for length in 0..<whole.count - 1 {
        let cut = whole.prefix(length)
        try cut.write(to: store.file)
        XCTAssertThrowsError(try store.add { _ in .earlier }, "\(length) bytes") {
          guard case .damagedSales? = $0 as? BoxOfficeError else { return XCTFail("\($0)") }
        }
        XCTAssertEqual(try Data(contentsOf: store.file), cut, "\(length) bytes")
      }
    }
  }

  func testAnUnwritableStoreSaysWhichAndWhy() throws {
    try Scene.play { scene in
      try scene.write("", to: "file")
      let store = FileStore(directory: scene.file("file/store"))
      XCTAssertThrowsError(try store.add { _ in .earlier }) {
        guard case .unwritable(let path, let reason)? = $0 as? BoxOfficeError else {
          return XCTFail("\($0)")
        }
        XCTAssertTrue(path.hasSuffix("file/store"), path)
        XCTAssertEqual(reason, "Not a directory")
      }
    }
  }

  func testThreadsLoseNoSale() throws {
    try Scene.play { scene in
      let directory = scene.directory
      DispatchQueue.concurrentPerform(iterations: 40) { _ in
        // Each thread has its own store. They share only the file.
        _ = try? FileStore(directory: directory).add { sales in
          Sale(
            number: sales.count + 1, performance: "godot", seats: [], patron: "", total: .zero,
            soldAt: .dayBefore)
        }
      }
      XCTAssertEqual(
        try FileStore(directory: directory).sales().map(\.number), Array(1...40))
    }
  }
}
