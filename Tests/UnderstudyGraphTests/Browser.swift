// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// A Chromium without a window, which opens pages and says what it sees.
///
/// `UNDERSTUDY_BROWSER` is where it is; `.ci/run` looks for one, or installs it, and sets that. With
/// `UNDERSTUDY_PICTURES` the pictures are kept in that folder, for a person to look at.
struct Browser {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static let path = ProcessInfo.processInfo.environment["UNDERSTUDY_BROWSER"]
  private static let pictures = ProcessInfo.processInfo.environment["UNDERSTUDY_PICTURES"]

  private let directory: URL

  /// Runs a block with a browser of its own.
  static func run<Result>(_ body: (Browser) throws -> Result) throws -> Result {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "understudy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(Browser(directory: directory))
  }

  /// Opens a page, evaluates an expression in it, and returns what that is.
  func evaluate<Value: Decodable>(
    _ expression: String, in page: String, fragment: String = "", as type: Value.Type = Value.self
  ) throws -> Value {
    // What is after `onload` is measured once fonts and pictures are there.
    let script = """
      <script>window.addEventListener("load", async () => {
        const out = document.createElement("pre");
        out.id = "evaluated";
        out.hidden = true;
        out.textContent = btoa(unescape(encodeURIComponent(JSON.stringify(await (\(expression))))));
        document.body.append(out);
      });</script>
      """
    let file = try write(page.replacingOccurrences(of: "</body>", with: script + "</body>"))
    let document = try run("--dump-dom", file.absoluteString + fragment)
    guard
      let match = String(decoding: document, as: UTF8.self)
        .firstMatch(of: /<pre id="evaluated"[^>]*>([^<]*)<\/pre>/),
      let json = Data(base64Encoded: String(match.1))
    else { throw Failure(description: "The page said nothing.") }
    return try JSONDecoder().decode(Value.self, from: json)
  }

  /// Takes a picture of a page.
  func picture(of page: String, named name: String, fragment: String = "") throws -> Data {
    let file = try write(page)
    let picture = directory.appending(path: "picture.png")
    _ = try run("--screenshot=\(picture.path())", file.absoluteString + fragment)
    let data = try Data(contentsOf: picture)
    if let folder = Browser.pictures {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try data.write(to: URL(filePath: folder).appending(path: name))
    }
    return data
  }

  private func write(_ page: String) throws -> URL {
    let file = directory.appending(path: "page.html")
    try Data(page.utf8).write(to: file)
    return file
  }

  private func run(_ arguments: String...) throws -> Data {
    let path = try #require(Browser.path)
    let output = directory.appending(path: "output")
    _ = FileManager.default.createFile(atPath: output.path(), contents: nil)
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments =
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
        "--disable-dev-shm-usage", "--force-device-scale-factor=1", "--window-size=1400,900",
        "--virtual-time-budget=20000",
        "--user-data-dir=\(directory.appending(path: "profile").path())",
      ] + arguments
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "The browser ended with \(process.terminationStatus).")
    }
    return try Data(contentsOf: output)
  }
}

extension Trait where Self == ConditionTrait {
  /// Only where a browser is given.
  static var browser: ConditionTrait {
    .enabled(if: Browser.path != nil, "UNDERSTUDY_BROWSER says no Chromium; .ci/run looks for one")
  }
}
