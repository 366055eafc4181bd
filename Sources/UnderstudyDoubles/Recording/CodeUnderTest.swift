// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

#if os(Linux)
  internal import Runtime
#endif

/// The place in the code under test that called a double.
///
/// A double written by hand calls its spy in its own method, so the spy's call site is a line of the double. The stack
/// has the caller of that method. It is looked at for messages alone.
enum CodeUnderTest {
  // The frames of this package, of witnesses and of the double lie above the caller.
  private static var depth: Int { 32 }

  /// The caller of the double's method that called a spy at `callSite`; `nil` if the spy was called directly, or where the
  /// stack cannot be read: there is no debug information, or the system is not Linux.
  static func caller(of name: CallName, at callSite: CallSite) -> String? {
    #if os(Linux)
      guard let stack = try? Backtrace.capture(limit: depth, images: nil).symbolicated() else {
        return nil
      }
      let frames = stack.frames.compactMap { frame -> (symbol: String, path: String, line: Int)? in
        guard let symbol = frame.symbol, let place = symbol.sourceLocation, place.line > 0 else {
          return nil
        }
        return (symbol.name, place.path, place.line)
      }
      let file = "\(callSite.filePath)"
      guard
        let method = frames.firstIndex(where: { $0.path == file && $0.line == callSite.line }),
        name.isNamed(by: frames[method].symbol)
      else { return nil }
      // A witness lies between, in no file of its own.
      let caller = frames[(method + 1)...].first { !name.isNamed(by: $0.symbol) }
      return caller.map { "\(fileID(of: $0.path)):\($0.line)" }
    #else
      return nil
    #endif
  }

  /// The module and the file, as `#fileID` spells them, where the path has the usual folders of a package.
  private static func fileID(of path: String) -> String {
    let parts = path.split(separator: "/")
    let root = parts.lastIndex { $0 == "Sources" || $0 == "Tests" }
    guard let file = parts.last, let root, root + 2 < parts.count else {
      return parts.suffix(2).joined(separator: "/")
    }
    return "\(parts[root + 1])/\(file)"
  }
}
