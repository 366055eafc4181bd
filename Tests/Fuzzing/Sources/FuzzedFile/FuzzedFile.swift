// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation

/// A folder of this process, for readers that take a path instead of bytes.
public enum FuzzedFile {
  /// The folder, which is created at the first use.
  public static let folder: URL = {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "understudy-fuzzing-\(ProcessInfo.processInfo.processIdentifier)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      preconditionFailure("\(error)")
    }
    return folder
  }()

  /// Writes bytes to a file of the folder, and returns its path.
  public static func write(_ start: UnsafePointer<UInt8>?, _ count: Int, to name: String) -> String
  {
    let file = folder.appending(path: name)
    do {
      try Data(UnsafeBufferPointer(start: start, count: count)).write(to: file)
    } catch {
      preconditionFailure("\(error)")
    }
    return file.path(percentEncoded: false)
  }
}
