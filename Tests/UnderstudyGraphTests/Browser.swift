// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyGraph

/// A headless Chromium that opens pages and evaluates expressions in them.
///
/// `UNDERSTUDY_BROWSER` is its path. `.ci/run` finds or installs one and sets the variable. With
/// `UNDERSTUDY_PICTURES` the screenshots stay in that folder to be looked at.
struct Browser {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static let path = ProcessInfo.processInfo.environment["UNDERSTUDY_BROWSER"]
  private static let pictures = ProcessInfo.processInfo.environment["UNDERSTUDY_PICTURES"]

  private let directory: URL

  /// Runs a block with its own browser.
  static func run<Result>(_ body: (Browser) throws -> Result) throws -> Result {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "understudy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(Browser(directory: directory))
  }

  /// The size of a page's window, and whether the system is in dark mode.
  struct Window: Hashable, Sendable, CaseIterable, CustomTestStringConvertible {
    let width: Int
    let isDark: Bool

    static let usual = Window(width: 1400, isDark: false)
    static let allCases = [1400, 420].flatMap { width in
      [false, true].map { Window(width: width, isDark: $0) }
    }

    var testDescription: String { "\(width)\(isDark ? "-dark" : "")" }
  }

  /// The height of every page. The browser's own controls take a part of the window.
  static let height = 740

  /// Opens a page, evaluates an expression in it, and returns the result.
  func evaluate<Value: Decodable>(
    _ expression: String, in page: String, fragment: String = "", window: Window = .usual,
    as type: Value.Type = Value.self
  ) throws -> Value {
    // The expression is evaluated once fonts and pictures are loaded.
    let script = """
      window.addEventListener("load", async () => {
        const result = JSON.stringify(await (\(expression)));
        parent.postMessage(btoa(unescape(encodeURIComponent(result))), "*");
      });
      """
    // The page's own policy stays in force, with the hash of this one script added.
    let allowed = page.replacing(
      "script-src '", with: "script-src 'sha256-\(SHA256.base64(of: script))' '", maxReplacements: 1
    )
    try open(
      allowed.replacing("</body>", with: "<script>\(script)</script></body>"), fragment, window)
    let document = try run("--dump-dom", frame.absoluteString, in: window)
    guard
      let match = String(decoding: document, as: UTF8.self)
        .firstMatch(of: /<pre id="evaluated"[^>]*>([^<]*)<\/pre>/),
      let json = Data(base64Encoded: String(match.1))
    else { throw Failure(description: "The page posted no result.") }
    return try JSONDecoder().decode(Value.self, from: json)
  }

  /// Takes a picture of a page.
  func picture(
    of page: String, named name: String, fragment: String = "", window: Window = .usual
  ) throws -> Data {
    try open(page, fragment, window)
    let picture = directory.appending(path: "picture.png")
    _ = try run("--screenshot=\(picture.path())", frame.absoluteString, in: window)
    let data = try Data(contentsOf: picture)
    if let folder = Browser.pictures {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try data.write(to: URL(filePath: folder).appending(path: name))
    }
    return data
  }

  private var frame: URL { directory.appending(path: "frame.html") }

  /// Writes a page, and a second one that shows it in a frame, since a window cannot be narrower
  /// than 500 pixels.
  private func open(_ page: String, _ fragment: String, _ window: Window) throws {
    try Data(page.utf8).write(to: directory.appending(path: "page.html"))
    let outer = """
      <!doctype html><body style="margin: 0"><iframe src="page.html\(fragment)" width="\(window.width)"
      height="\(Browser.height)" style="border: 0; display: block"></iframe><script>
      onmessage = event => {
        const result = document.createElement("pre");
        result.id = "evaluated";
        result.textContent = event.data;
        document.body.append(result);
      };
      </script></body>
      """
    try Data(outer.utf8).write(to: frame)
  }

  private func run(_ arguments: String..., in window: Window) throws -> Data {
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
        "--blink-settings=preferredColorScheme=\(window.isDark ? 0 : 1)",
        "--user-data-dir=\(directory.appending(path: "profile").path())",
      ] + arguments
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    // Foundation's own wait races with its wake-up on Linux.
    let isOver = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in isOver.signal() }
    try process.run()
    isOver.wait()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "The browser ended with \(process.terminationStatus).")
    }
    return try Data(contentsOf: output)
  }
}

extension Trait where Self == ConditionTrait {
  /// Enabled only if a browser is given.
  static var browser: ConditionTrait {
    .enabled(if: Browser.path != nil, "UNDERSTUDY_BROWSER says no Chromium; .ci/run looks for one")
  }
}
