// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

internal import Foundation

extension Error {
  /// The system's reason why a file could not be read or written: `No such file or directory`.
  var fileReason: String {
    var error: any Error = self
    while let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error {
      error = underlying
    }
    let code = (error as NSError).code
    guard (error as NSError).domain == NSPOSIXErrorDomain, let code = Int32(exactly: code) else {
      return error.localizedDescription
    }
    // Safety: the text belongs to the C library, and is copied at once.
    return unsafe String(cString: strerror(code))
  }
}

extension URL {
  /// The path as a person in the working directory would write it.
  var shortPath: String {
    var path = path(percentEncoded: false)
    if path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let here = FileManager.default.currentDirectoryPath
    return path.hasPrefix("\(here)/") ? String(path.dropFirst(here.count + 1)) : path
  }
}
