// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// The part of AppKit that the sources use, as Apple's documentation declares it.

public import Foundation

/// The user's programs.
open class NSWorkspace: NSObject {
  /// The one of this process.
  open class var shared: NSWorkspace { NSWorkspace() }
  /// Opens a URL. Returns false if no program has opened it.
  open func open(_ url: URL) -> Bool { false }
}
