// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation
public import Understudy

// Mac Catalyst has AppKit without `NSWorkspace`.
#if os(macOS)
  internal import AppKit
#elseif canImport(UIKit)
  internal import UIKit
#endif

/// Opens a URL in the program that the user has for it.
///
/// ```swift
/// @Inject(\.openURL) var openURL
/// await openURL(help)
/// ```
public struct URLOpener: Sendable {
  private let open: @Sendable (URL) async -> Bool

  /// Makes an opener that calls `open`, which returns false if no program opened the URL.
  public init(_ open: @escaping @Sendable (URL) async -> Bool) {
    self.open = open
  }

  /// Opens a URL.
  ///
  /// - Returns: False if no program opened it.
  @discardableResult
  public func callAsFunction(_ url: URL) async -> Bool { await open(url) }

  /// The system's way to open a URL: `NSWorkspace`, `UIApplication`, or `xdg-open` on Linux. A
  /// watch opens URLs from its views only.
  public static var system: URLOpener {
    URLOpener { url in
      #if os(macOS)
        await MainActor.run { NSWorkspace.shared.open(url) }
      #elseif os(watchOS)
        false
      #elseif canImport(UIKit)
        await UIApplication.shared.open(url)
      #else
        await opened(url, by: "xdg-open")
      #endif
    }
  }

  /// Keeps the URLs in a recorder, and returns that they were opened.
  public static func recorded(by recorder: RecordedURLs) -> URLOpener {
    URLOpener {
      recorder.record($0)
      return true
    }
  }

  /// Opens nothing, and returns that no program opened the URL.
  public static var refusing: URLOpener { URLOpener { _ in false } }

  #if !os(macOS) && !canImport(UIKit)
    static func opened(_ url: URL, by program: String) async -> Bool {
      await withCheckedContinuation { done in
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program, url.absoluteString]
        process.terminationHandler = { done.resume(returning: $0.terminationStatus == 0) }
        do { try process.run() } catch { done.resume(returning: false) }
      }
    }
  #endif
}

/// Keeps the URLs that a program opens.
public final class RecordedURLs: Sendable {
  private let recorded = Lock<[URL]>([])

  /// Makes a recorder without URLs.
  public init() {}

  /// The URLs so far.
  public var urls: [URL] { recorded.withLock { $0 } }

  fileprivate func record(_ url: URL) {
    recorded.withLock { $0.append(url) }
  }
}

extension Dependencies {
  /// Opens URLs.
  public static var openURL: Dependency<URLOpener> { declaredURLOpener }
}

private let declaredURLOpener = Dependency<URLOpener>(
  inTests: .mustBeOverridden, function: "openURL"
) { .system }
