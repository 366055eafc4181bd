// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The module of a symbol without a graph, as far as its unique identifier contains it.
enum ModuleName {
  /// The modules of Foundation on platforms where there are several.
  private static let foundation: Set<String> = [
    "FoundationEssentials", "FoundationInternationalization", "Foundation",
  ]

  /// The module that a Swift identifier begins with: `s:`, the length, the name.
  static func written(in usr: String) -> String? {
    guard usr.hasPrefix("s:") else { return nil }
    let rest = usr.dropFirst(2)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard let length = Int(digits), length > 0, !digits.hasPrefix("0") else { return nil }
    let name = rest.dropFirst(digits.count).prefix(length)
    return name.count == length ? String(name) : nil
  }

  /// The modules that are a part of Foundation on Apple's platforms.
  static let partsOfFoundation: Set<String> = ["FoundationNetworking", "FoundationXML"]

  /// The beginnings of the names of `FoundationNetworking` and `FoundationXML` in Objective-C.
  private static let networking = [
    "NSURLSession", "NSURLRequest", "NSMutableURLRequest", "NSURLResponse", "NSHTTPURLResponse",
    "NSURLCache", "NSCachedURLResponse", "NSURLCredential", "NSURLProtectionSpace", "NSURLProtocol",
    "NSURLAuthenticationChallenge", "NSHTTPCookie",
  ]

  /// The module to import for an identifier, by its name on all platforms. It is the name on Linux
  /// for a type that Linux has in a module of its own.
  static func imported(for usr: String) -> String? {
    if usr == "s:10Foundation10URLRequestV" { return "FoundationNetworking" }
    for kind in ["c:objc(cs)", "c:objc(pl)"] where usr.hasPrefix(kind) {
      let name = usr.dropFirst(kind.count)
      if name.hasPrefix("NSXML") { return "FoundationXML" }
      return networking.contains(where: name.hasPrefix) ? "FoundationNetworking" : nil
    }
    return written(in: usr).map { foundation.contains($0) ? "Foundation" : $0 }
  }

  /// The module that declares a parent of a protocol.
  static func declaring(_ usr: String) -> String? { written(in: usr) ?? naming(usr) }

  /// The module that qualifies a type, also for types of the toolchain, whose identifiers contain
  /// none.
  static func naming(_ usr: String) -> String? {
    if let module = imported(for: usr) { return module }
    // An associated type has no module.
    if usr.hasSuffix("Qa") { return nil }
    if usr.hasPrefix("s:Sc") { return "_Concurrency" }
    return usr.hasPrefix("s:s") || usr.hasPrefix("s:S") ? "Swift" : nil
  }
}
