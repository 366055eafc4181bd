// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation
public import Understudy

/// A stream that takes text. Tasks can share it.
///
/// ```swift
/// @Inject(\.standardOutput) var output
/// output.write("Sold.\n")
/// ```
public protocol TextWriting: Sendable {
  /// Writes text as it is, without a line end.
  func write(_ text: String)
}

extension TextWriting {
  /// Writes a line.
  public func writeLine(_ text: String = "") { write(text + "\n") }
}

/// One of the process's two output streams.
public enum StandardStream: TextWriting {
  /// The standard output.
  case output
  /// The standard error.
  case error

  /// Writes text as it is. Text that the stream does not take is lost, as with `print`.
  public func write(_ text: String) {
    switch self {
    // `print` has a buffer of its own. Writing through it keeps the order of the output.
    case .output: print(text, terminator: "")
    case .error: try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
  }
}

/// A stream that records its text.
public final class RecordedText: TextWriting {
  private let recorded = Lock<[String]>([])

  /// Makes an empty stream.
  public init() {}

  /// Keeps the text.
  public func write(_ text: String) {
    recorded.withLock { $0.append(text) }
  }

  /// Everything that was written, in order.
  public var text: String { recorded.withLock { $0 }.joined() }

  /// The text of each call of `write`, in order.
  public var writes: [String] { recorded.withLock { $0 } }
}

extension TextWriting where Self == RecordedText {
  /// A stream that records its text.
  public static var recorded: RecordedText { RecordedText() }
}

extension Dependencies {
  /// The standard output of the process.
  public static var standardOutput: Dependency<any TextWriting> { declaredOutput }

  /// The standard error of the process.
  public static var standardError: Dependency<any TextWriting> { declaredError }
}

private let declaredOutput = Dependency<any TextWriting>(function: "standardOutput") {
  StandardStream.output
}
private let declaredError = Dependency<any TextWriting>(function: "standardError") {
  StandardStream.error
}
