// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

extension JSON {
  /// The value on one line, with sorted keys.
  var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return "?" }
    return String(decoding: data, as: UTF8.self)
  }

  /// Where two values differ, as `path: recorded → asked`, in the order of the paths.
  static func differences(from recorded: JSON, to asked: JSON, at path: String) -> [String] {
    switch (recorded, asked) {
    case (.array(let old), .array(let new)):
      return (0..<max(old.count, new.count)).flatMap { index in
        differences(
          from: old.indices.contains(index) ? old[index] : nil,
          to: new.indices.contains(index) ? new[index] : nil, at: "\(path)[\(index)]")
      }
    case (.object(let old), .object(let new)):
      return Set(old.keys).union(new.keys).sorted().flatMap { key in
        differences(from: old[key], to: new[key], at: "\(path).\(key)")
      }
    default:
      return recorded == asked ? [] : ["\(path): \(recorded.line) → \(asked.line)"]
    }
  }

  private static func differences(from old: JSON?, to new: JSON?, at path: String) -> [String] {
    switch (old, new) {
    case (let old?, let new?): differences(from: old, to: new, at: path)
    case (let old?, nil): ["\(path): \(old.line) → nothing"]
    case (nil, let new?): ["\(path): nothing → \(new.line)"]
    case (nil, nil): []
    }
  }
}
