// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// Reads a file as its contents demand: JSON, or a property list in XML or binary form.
package enum DocumentReader {
  /// Reads a file within limits. It does not follow a symbolic link unless the limits say so.
  /// Messages name the file by its path, or by another name.
  package static func read(
    file path: String, named name: String? = nil, limits: ReadingLimits = ReadingLimits()
  ) throws(DefinitionError) -> Node {
    let source = SourceName(name ?? path)
    return try read(try bytes(of: path, source, limits), from: source, limits: limits)
  }

  /// Reads bytes. The first ones reveal a property list, and anything else is read as JSON.
  package static func read(
    _ bytes: [UInt8], from source: SourceName, limits: ReadingLimits = ReadingLimits()
  ) throws(DefinitionError) -> Node {
    if bytes.starts(with: Array("bplist".utf8)) {
      return try BinaryPropertyListReader.read(bytes, from: source, limits: limits)
    }
    let first = bytes.first { ![0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if first == UInt8(ascii: "<") {
      return try XMLPropertyListReader.read(bytes, from: source, limits: limits)
    }
    return try JSONReader.read(bytes, from: source, limits: limits)
  }

  private static func bytes(
    of path: String, _ source: SourceName, _ limits: ReadingLimits
  ) throws(DefinitionError) -> [UInt8] {
    func failure(_ problem: Finding.Problem) -> DefinitionError {
      DefinitionError(problem, at: Origin(source))
    }
    let manager = FileManager.default
    var file = path
    if limits.followsSymbolicLinks {
      file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
    let attributes: [FileAttributeKey: Any]
    do {
      attributes = try manager.attributesOfItem(atPath: file)
    } catch {
      throw failure(error.isMissingFile ? .fileMissing : .fileUnreadable(reason: error.reason))
    }
    switch attributes[.type] as? FileAttributeType {
    case .typeRegular: break
    case .typeDirectory: throw failure(.notARegularFile(kind: "a directory"))
    case .typeSymbolicLink: throw failure(.notARegularFile(kind: "a symbolic link"))
    default: throw failure(.notARegularFile(kind: "a device, a socket or a pipe"))
    }
    guard let handle = FileHandle(forReadingAtPath: file) else {
      throw failure(.fileUnreadable(reason: "access was denied"))
    }
    defer { try? handle.close() }
    // One byte more than the limit reveals a file that has grown since its size was read.
    let size = (attributes[.size] as? Int) ?? 0
    guard size <= limits.byteCount else { throw failure(.tooLarge(limit: limits.byteCount)) }
    let data: Data?
    do {
      data = try handle.read(upToCount: min(limits.byteCount, .max - 1) + 1)
    } catch {
      throw failure(.fileUnreadable(reason: error.reason))
    }
    guard let data else { return [] }
    guard data.count <= limits.byteCount else { throw failure(.tooLarge(limit: limits.byteCount)) }
    return [UInt8](data)
  }
}

extension Error {
  /// True if a file or a directory does not exist.
  var isMissingFile: Bool { (self as? CocoaError)?.code == .fileReadNoSuchFile }

  /// True if a part of a path is a file, and more parts follow.
  var isNotADirectory: Bool { (underlying as? POSIXError)?.code == .ENOTDIR }

  /// The reason why a file cannot be read, in the system's words.
  var reason: String { underlying.localizedDescription }

  private var underlying: any Error { (self as? CocoaError)?.underlying ?? self }
}
