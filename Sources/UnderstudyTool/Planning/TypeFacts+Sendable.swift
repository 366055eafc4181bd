// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension TypeFacts {
  /// Common types of the standard library and of Foundation that are not `Sendable`.
  private static let notSendable: Set<String> = [
    "Any", "AnyObject", "AnyHashable", "AnyIterator", "AnySequence", "AnyCollection",
    "AnyBidirectionalCollection", "AnyRandomAccessCollection", "Mirror", "Unmanaged",
    "OpaquePointer", "CVaListPointer", "ManagedBuffer", "AnyKeyPath", "KeyPath", "WritableKeyPath",
    "ReferenceWritableKeyPath", "PartialKeyPath", "Thread", "RunLoop", "InputStream",
    "OutputStream", "Scanner", "Timer", "Host", "Notification", "UserDefaults", "Formatter",
    "ISO8601DateFormatter", "ByteCountFormatter", "NSObject", "NSString", "NSMutableString",
    "NSAttributedString", "NSMutableAttributedString", "NSArray", "NSMutableArray", "NSDictionary",
    "NSMutableDictionary", "NSSet", "NSMutableSet", "NSData", "NSMutableData", "NSCache",
    "NSPredicate", "Regex", "AnyRegexOutput", "AnyIndex", "KeyedDecodingContainer",
    "KeyedEncodingContainer", "LazyMapSequence", "LazyFilterSequence", "LazyDropWhileSequence",
    "LazyPrefixWhileSequence", "ManagedBufferPointer", "TaskGroup", "ThrowingTaskGroup",
    "DiscardingTaskGroup", "ThrowingDiscardingTaskGroup", "DispatchWorkItem", "DispatchData",
    "DispatchObject", "Measurement", "URLResourceValues", "URLResourceKey", "URLProtocol", "Stream",
    "Port", "PortMessage", "SocketPort", "NotificationQueue", "XMLNode", "XMLParser",
    "JSONSerialization", "PropertyListSerialization", "EnergyFormatter", "LengthFormatter",
    "MassFormatter", "NSCoder", "NSKeyedArchiver", "NSKeyedUnarchiver", "NSCalendar",
    "NSCharacterSet", "NSDateComponents", "NSEnumerator", "NSIndexPath", "NSIndexSet",
    "NSMeasurement", "NSNotification", "NSOrderedSet", "NSPersonNameComponents",
    "NSSortDescriptor", "NSTextCheckingResult", "NSTimeZone", "NSURLComponents", "NSURLRequest",
    "NSMutableURLRequest", "XMLDocument", "XMLDTD", "XMLDTDNode", "XMLElement",
    "PredicateBindings", "DispatchSourceHandler", "DispatchWorkItemFlags", "NSZone",
  ]
  /// Protocols of the standard library whose values are `Sendable`.
  private static let sendableProtocols: Set<String> = [
    "Sendable", "Error", "Actor", "AnyActor", "CodingKey", "Clock", "InstantProtocol", "Executor",
    "SerialExecutor", "TaskExecutor", "LocalizedError", "DistributedActor", "UnicodeCodec",
  ]
  /// Associated types of the standard library whose values are `Sendable`.
  private static let sendableAssociatedTypes: Set<String> = ["Failure", "Instant", "Duration"]

  /// Whether values of a type can be shared between threads. An unknown type counts as `Sendable`.
  func isSendable(_ type: TypeText) -> Bool {
    isSendable(type.withoutSelf.tokens[...], depth: 0)
  }

  /// Whether values of a type can be shared between threads, with every part of it known.
  func isCertainlySendable(_ type: TypeText) -> Bool {
    isSendable(type)
      && type.tokens.allSatisfy { token in
        guard token.text.first?.isLetter == true, let usr = token.usr else { return true }
        return index.symbols[usr] != nil || usr.hasPrefix("s:S") || usr.hasPrefix("s:s")
      }
  }

  private func isSendable(_ type: ArraySlice<Token>, depth: Int) -> Bool {
    if type.first(["->"]) != nil {
      return FunctionType(Array(type))?.attributes.contains { $0.text == "@Sendable" || $0.isActor }
        ?? false
    }
    if let any = type.first(["any"]) { return isSendable(existential: type[(any + 1)...]) }
    if type.first(["&"]) != nil { return isSendable(existential: type) }
    // The type that `(any P).Type` stands for is unknown.
    if type.last?.text == "Type", type.contains(where: { $0.text == "any" }) { return false }
    var position = type.startIndex
    while position < type.endIndex {
      let token = type[position]
      if ["(", "[", "<"].contains(token.text) {
        let parts = type.inside(from: position)
        guard arePartsSendable(parts, depth: depth) else { return false }
        position = parts.endIndex + 1
        continue
      }
      let isMember = position > type.startIndex && type[position - 1].text == "."
      let isMetatype = type.last?.text == "Type"
      position += 1
      // The outer type does not determine whether the nested type is `Sendable`.
      let isAround =
        position + 1 < type.endIndex && type[position].text == "."
        && type[position + 1].text != "Type"
      if isAround { continue }
      if isMember, isAssociated(token) {
        guard isMetatype || isAssociatedSendable(token, type.path(to: position - 1), depth) else {
          return false
        }
        continue
      }
      guard isSendable(token, isMember, isMetatype: isMetatype, depth: depth) else { return false }
    }
    return true
  }

  /// The parts in brackets: elements with or without labels, or a key and a value.
  private func arePartsSendable(_ parts: ArraySlice<Token>, depth: Int) -> Bool {
    parts.split(at: ",").flatMap { $0.split(at: ":") }.allSatisfy { isSendable($0, depth: depth) }
  }

  private func isSendable(_ token: Token, _ isMember: Bool, isMetatype: Bool, depth: Int) -> Bool {
    if !isMember, depth < 8, let type = pinned[token.text] {
      return isSendable(type.tokens[...], depth: depth + 1)
    }
    guard let usr = token.usr, let symbol = index.symbols[usr] else {
      if isMember { return true }
      if unsharedNames.contains(token.text) { return false }
      if Self.notSendable.contains(token.text), !isMetatype { return false }
      let isPointer = token.text.hasPrefix("Unsafe") && token.text != "UnsafeContinuation"
      // The names say it for the classes that Linux has in modules of their own.
      let isForeignClass =
        token.usr.map { $0.hasPrefix("c:objc(cs)") && ModuleName.imported(for: $0) == nil } ?? false
      return !isPointer && !isForeignClass
    }
    if !isMember, unsharedNames.contains(token.text) { return false }
    switch symbol.kind.identifier {
    case "swift.typealias":
      guard depth < 8, let underlying = symbol.underlyingType else { return true }
      return isSendable(underlying[...], depth: depth + 1)
    case "swift.class", "swift.struct", "swift.enum":
      if symbol.declarationFragments?.first?.spelling == "@MainActor" { return true }
      return index.allConformances(of: usr).contains(StandardProtocol.sendable)
    default: return true
    }
  }

  /// Whether a member of a type is an associated type of its protocol.
  private func isAssociated(_ token: Token) -> Bool {
    guard let usr = token.usr else { return false }
    return index.symbols[usr].map { $0.kind.identifier == "swift.associatedtype" }
      ?? usr.hasSuffix("Qa")
  }

  /// Whether an associated type is `Sendable` by its declaration, by a clause, or because its
  /// actual type is known and `Sendable`.
  private func isAssociatedSendable(_ token: Token, _ path: [Token]?, _ depth: Int) -> Bool {
    if let path, depth < 8,
      constraints(of: path).contains(where: isSendableProtocol)
        || meanings(of: path).contains(where: { isSendable($0.tokens[...], depth: depth + 1) })
    {
      return true
    }
    guard let symbol = token.usr.flatMap({ index.symbols[$0] }) else {
      return Self.sendableAssociatedTypes.contains(token.text)
    }
    return symbol.tokens.contains(where: isSendableProtocol)
  }

  /// Whether one of the protocols of an existential is `Sendable`. For a metatype this is unknown.
  private func isSendable(existential type: ArraySlice<Token>) -> Bool {
    guard type.last?.text != "Type" else { return false }
    return type.split(at: "&").contains { part in
      part.prefix { $0.text != "<" }.contains(where: isSendableProtocol)
    }
  }

  private func isSendableProtocol(_ token: Token) -> Bool {
    // Whether the toolchain's graph is read depends on other protocols.
    guard let usr = token.usr, !index.toolchain.contains(usr), let symbol = index.symbols[usr]
    else {
      return Self.sendableProtocols.contains(token.text)
    }
    guard symbol.isProtocol else { return false }
    let inherited = index.allConformances(of: usr)
    return inherited.contains { StandardProtocol.all[$0]?.isSendable == true }
  }
}
