// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The members that a double needs for a protocol of the standard library.
///
/// A build has no symbol graph of the standard library. There are recipes for two kinds of
/// protocols: for those that are commonly inherited, so that most runs extract no graph, and for
/// those whose graph is not enough. A graph omits requirements with an underscore, and most of a
/// collection's requirements have default implementations under conditions.
struct StandardProtocol {
  /// A member with a fixed body. `NAME` is replaced with the name of the double.
  enum Member: String, Hashable {
    case equals =
      "nonisolated static func == (left: NAME, right: NAME) -> Bool { left === right }"
    case hash =
      "nonisolated func hash(into hasher: inout Swift.Hasher) { hasher.combine(ObjectIdentifier(self)) }"
    /// The hash of a class that says itself which instances are equal.
    case constantHash = "nonisolated func hash(into hasher: inout Swift.Hasher) {}"
    case decode = "nonisolated init(from decoder: any Swift.Decoder) throws {}"
    // An encoder rejects a value that encodes nothing.
    case encode =
      "nonisolated func encode(to encoder: any Swift.Encoder) throws { try [Swift.String: Swift.String]().encode(to: encoder) }"
    case description = "nonisolated var description: String { \"NAME\" }"
    case debugDescription = "nonisolated var debugDescription: String { \"NAME\" }"

    /// The member as a declaration.
    var declaration: Declaration? {
      Declaration(parsing: rawValue.replacing("Swift.", with: "").replacing("NAME", with: "Self"))
    }
  }

  var inherited: [String] = []
  var declarations: [String] = []
  /// The associated types that a double needs only if its protocol names them, by identifier.
  var whereNamed: [String: String] = [:]
  var members: [Member] = []
  var isSendable = false
  /// The class that every conforming class inherits from on some systems.
  var superclass: String?
  /// The reason why no class of another module can conform, as a relative clause.
  var closed: String?

  static let sendable = "s:s8SendableP"

  /// Whether a unique identifier is a protocol's, even if no graph contains it.
  static func isProtocol(_ usr: String) -> Bool {
    if usr.hasPrefix("s:Sc") { return usr.count == 5 && "AIiFfh".contains(usr.suffix(1)) }
    if usr.hasPrefix("s:S"), usr.count == 4 {
      return "BEeFGHjKkLlMmQTtUXxYyZz".contains(usr.suffix(1))
    }
    return usr.hasPrefix("c:objc(pl)") || usr.hasPrefix("s:") && usr.hasSuffix("P")
  }

  static let actor = "s:ScA"
  static let identifiable = "s:s12IdentifiableP"

  /// The recipes, by the unique identifier of the protocol.
  static let all: [String: StandardProtocol] = [
    sendable: StandardProtocol(isSendable: true),
    "s:s16SendableMetatypeP": StandardProtocol(),
    "s:s8CopyableP": StandardProtocol(),
    "s:s9EscapableP": StandardProtocol(),
    "s:s8AnyActorP": StandardProtocol(isSendable: true),
    actor: StandardProtocol(isSendable: true),
    "s:s5ErrorP": StandardProtocol(isSendable: true),
    "s:10Foundation14LocalizedErrorP": StandardProtocol(
      inherited: ["s:s5ErrorP"], isSendable: true),
    "s:20FoundationEssentials14LocalizedErrorP": StandardProtocol(
      inherited: ["s:s5ErrorP"], isSendable: true),
    "s:11Observation10ObservableP": StandardProtocol(),
    "s:s9CodingKeyP": StandardProtocol(
      inherited: ["s:s23CustomStringConvertibleP", "s:s28CustomDebugStringConvertibleP"],
      declarations: [
        "init?(stringValue: String)", "init?(intValue: Int)", "var stringValue: String { get }",
        "var intValue: Int? { get }",
      ], isSendable: true),
    "s:SQ": StandardProtocol(members: [.equals]),
    "s:SH": StandardProtocol(inherited: ["s:SQ"], members: [.hash]),
    "s:SL": StandardProtocol(
      inherited: ["s:SQ"], declarations: ["static func < (left: Self, right: Self) -> Bool"]),
    "s:Se": StandardProtocol(members: [.decode]),
    "s:SE": StandardProtocol(members: [.encode]),
    identifiable: StandardProtocol(
      declarations: ["associatedtype ID: Hashable", "var id: ID { get }"]),
    "s:s23CustomStringConvertibleP": StandardProtocol(members: [.description]),
    "s:s28CustomDebugStringConvertibleP": StandardProtocol(members: [.debugDescription]),
    "s:s25LosslessStringConvertibleP": StandardProtocol(
      inherited: ["s:s23CustomStringConvertibleP"],
      declarations: ["init?(_ description: String)"]),
    "s:SY": StandardProtocol(
      declarations: [
        "associatedtype RawValue", "init?(rawValue: RawValue)", "var rawValue: RawValue { get }",
      ]),
    "s:s12CaseIterableP": StandardProtocol(
      declarations: [
        "associatedtype AllCases = [Self]", "static var allCases: AllCases { get }",
      ]),
    "s:St": StandardProtocol(
      declarations: ["associatedtype Element", "mutating func next() -> Element?"]),
    "s:ST": StandardProtocol(
      declarations: [
        "associatedtype Element",
        "associatedtype Iterator: IteratorProtocol where Iterator.Element == Element",
        "func makeIterator() -> Iterator",
      ]),
    "s:ScI": StandardProtocol(
      declarations: ["associatedtype Element", "mutating func next() async throws -> Element?"]),
    "s:Sci": StandardProtocol(
      declarations: [
        "associatedtype Element",
        "associatedtype AsyncIterator: AsyncIteratorProtocol"
          + " where AsyncIterator.Element == Element",
        "func makeAsyncIterator() -> AsyncIterator",
      ],
      whereNamed: [
        "s:Sci7FailureQa":
          "associatedtype Failure: Error where AsyncIterator.Failure == Failure"
      ]),
  ].merging(literals) { $1 }.merging(numbers) { $1 }.merging(others) { $1 }
}
