// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Recipes for literals, numbers, collections and other protocols that are seldom inherited.
extension StandardProtocol {
  static let literals: [String: StandardProtocol] = [
    "s:s27ExpressibleByIntegerLiteralP": StandardProtocol(declarations: [
      "associatedtype IntegerLiteralType = Int",
      "init(integerLiteral value: IntegerLiteralType)",
    ]),
    "s:s25ExpressibleByFloatLiteralP": StandardProtocol(declarations: [
      "associatedtype FloatLiteralType = Double",
      "init(floatLiteral value: FloatLiteralType)",
    ]),
    "s:s27ExpressibleByBooleanLiteralP": StandardProtocol(declarations: [
      "associatedtype BooleanLiteralType = Bool",
      "init(booleanLiteral value: BooleanLiteralType)",
    ]),
    "s:s33ExpressibleByUnicodeScalarLiteralP": StandardProtocol(declarations: [
      "associatedtype UnicodeScalarLiteralType = String",
      "init(unicodeScalarLiteral value: UnicodeScalarLiteralType)",
    ]),
    "s:s43ExpressibleByExtendedGraphemeClusterLiteralP": StandardProtocol(
      inherited: ["s:s33ExpressibleByUnicodeScalarLiteralP"],
      declarations: [
        "associatedtype ExtendedGraphemeClusterLiteralType = String",
        "init(extendedGraphemeClusterLiteral value: ExtendedGraphemeClusterLiteralType)",
      ]),
    "s:s26ExpressibleByStringLiteralP": StandardProtocol(
      inherited: ["s:s43ExpressibleByExtendedGraphemeClusterLiteralP"],
      declarations: [
        "associatedtype StringLiteralType = String",
        "init(stringLiteral value: StringLiteralType)",
      ]),
    "s:s23ExpressibleByNilLiteralP": StandardProtocol(declarations: [
      "init(nilLiteral: ())"
    ]),
    "s:s25ExpressibleByArrayLiteralP": StandardProtocol(declarations: [
      "associatedtype ArrayLiteralElement",
      "init(arrayLiteral elements: ArrayLiteralElement...)",
    ]),
    "s:s30ExpressibleByDictionaryLiteralP": StandardProtocol(declarations: [
      "associatedtype Key",
      "associatedtype Value",
      "init(dictionaryLiteral elements: (Key, Value)...)",
    ]),
    "s:s32ExpressibleByStringInterpolationP": StandardProtocol(
      inherited: ["s:s26ExpressibleByStringLiteralP"],
      declarations: [
        "associatedtype StringInterpolation = DefaultStringInterpolation",
        "init(stringInterpolation: DefaultStringInterpolation)",
      ]),
  ]

  static let numbers: [String: StandardProtocol] = [
    "s:s18AdditiveArithmeticP": StandardProtocol(
      inherited: ["s:SQ"],
      declarations: [
        "static var zero: Self { get }",
        "static func + (left: Self, right: Self) -> Self",
        "static func - (left: Self, right: Self) -> Self",
      ]),
    "s:Sj": StandardProtocol(
      inherited: ["s:s18AdditiveArithmeticP", "s:s27ExpressibleByIntegerLiteralP"],
      declarations: [
        "init?<Source: BinaryInteger>(exactly source: Source)",
        "associatedtype Magnitude: Comparable & Numeric",
        "var magnitude: Magnitude { get }",
        "static func * (left: Self, right: Self) -> Self",
        "static func *= (left: inout Self, right: Self)",
      ]),
    "s:s13SignedNumericP": StandardProtocol(inherited: ["s:Sj"]),
    "s:Sx": StandardProtocol(
      inherited: ["s:SL"],
      declarations: [
        "associatedtype Stride: Comparable & SignedNumeric",
        "func distance(to other: Self) -> Stride",
        "func advanced(by distance: Stride) -> Self",
      ]),
    "s:SF": StandardProtocol(
      inherited: ["s:SH", "s:Sx", "s:s13SignedNumericP"],
      declarations: [
        "associatedtype Magnitude = Self",
        "associatedtype Exponent: SignedInteger",
        "init(sign: FloatingPointSign, exponent: Exponent, significand: Self)",
        "init(signOf: Self, magnitudeOf: Self)",
        "init(_ value: Int)",
        "init<Source: BinaryInteger>(_ value: Source)",
        "static var radix: Int { get }",
        "static var nan: Self { get }",
        "static var signalingNaN: Self { get }",
        "static var infinity: Self { get }",
        "static var greatestFiniteMagnitude: Self { get }",
        "static var pi: Self { get }",
        "var ulp: Self { get }",
        "static var leastNormalMagnitude: Self { get }",
        "static var leastNonzeroMagnitude: Self { get }",
        "var sign: FloatingPointSign { get }",
        "var exponent: Exponent { get }",
        "var significand: Self { get }",
        "static func / (left: Self, right: Self) -> Self",
        "static func /= (left: inout Self, right: Self)",
        "mutating func formRemainder(dividingBy other: Self)",
        "mutating func formTruncatingRemainder(dividingBy other: Self)",
        "mutating func formSquareRoot()",
        "mutating func addProduct(_ left: Self, _ right: Self)",
        "mutating func round(_ rule: FloatingPointRoundingRule)",
        "var nextUp: Self { get }",
        "func isEqual(to other: Self) -> Bool",
        "func isLess(than other: Self) -> Bool",
        "func isLessThanOrEqualTo(_ other: Self) -> Bool",
        "func isTotallyOrdered(belowOrEqualTo other: Self) -> Bool",
        "var isNormal: Bool { get }",
        "var isFinite: Bool { get }",
        "var isZero: Bool { get }",
        "var isSubnormal: Bool { get }",
        "var isInfinite: Bool { get }",
        "var isNaN: Bool { get }",
        "var isSignalingNaN: Bool { get }",
        "var isCanonical: Bool { get }",
      ]),
    "s:SB": StandardProtocol(
      inherited: ["s:SF", "s:s25ExpressibleByFloatLiteralP"],
      declarations: [
        "associatedtype RawSignificand = UInt64",
        "associatedtype RawExponent = UInt",
        "init(sign: FloatingPointSign, exponentBitPattern: RawExponent, significandBitPattern: RawSignificand)",
        "init<Source: BinaryFloatingPoint>(_ value: Source)",
        "init?<Source: BinaryFloatingPoint>(exactly value: Source)",
        "static var exponentBitCount: Int { get }",
        "static var significandBitCount: Int { get }",
        "var exponentBitPattern: RawExponent { get }",
        "var significandBitPattern: RawSignificand { get }",
        "var binade: Self { get }",
        "var significandWidth: Int { get }",
      ]),
    "s:Sz": StandardProtocol(
      inherited: ["s:SH", "s:Sj", "s:s23CustomStringConvertibleP", "s:Sx"],
      declarations: [
        "associatedtype Magnitude = UInt",
        "associatedtype Stride = Int",
        "associatedtype Words = [UInt]",
        "static var isSigned: Bool { get }",
        "init?<Source: BinaryFloatingPoint>(exactly source: Source)",
        "init<Source: BinaryFloatingPoint>(_ source: Source)",
        "init<Source: BinaryInteger>(_ source: Source)",
        "init<Source: BinaryInteger>(truncatingIfNeeded source: Source)",
        "init<Source: BinaryInteger>(clamping source: Source)",
        "var words: Words { get }",
        "var bitWidth: Int { get }",
        "var trailingZeroBitCount: Int { get }",
        "static prefix func ~ (value: Self) -> Self",
        "static func / (left: Self, right: Self) -> Self",
        "static func /= (left: inout Self, right: Self)",
        "static func % (left: Self, right: Self) -> Self",
        "static func %= (left: inout Self, right: Self)",
        "static func &= (left: inout Self, right: Self)",
        "static func |= (left: inout Self, right: Self)",
        "static func ^= (left: inout Self, right: Self)",
        "static func <<= <Count: BinaryInteger>(left: inout Self, right: Count)",
        "static func >>= <Count: BinaryInteger>(left: inout Self, right: Count)",
      ]),
    "s:SZ": StandardProtocol(inherited: ["s:Sz", "s:s13SignedNumericP"]),
    "s:SU": StandardProtocol(inherited: ["s:Sz"]),
    "s:s17FixedWidthIntegerP": StandardProtocol(
      inherited: ["s:Sz", "s:s25LosslessStringConvertibleP"],
      declarations: [
        "static var bitWidth: Int { get }",
        "static var max: Self { get }",
        "static var min: Self { get }",
        "init(_truncatingBits bits: UInt)",
        "func addingReportingOverflow(_ other: Self) -> (partialValue: Self, overflow: Bool)",
        "func subtractingReportingOverflow(_ other: Self) -> (partialValue: Self, overflow: Bool)",
        "func multipliedReportingOverflow(by other: Self) -> (partialValue: Self, overflow: Bool)",
        "func dividedReportingOverflow(by other: Self) -> (partialValue: Self, overflow: Bool)",
        "func remainderReportingOverflow(dividingBy other: Self) -> (partialValue: Self, overflow: Bool)",
        "func dividingFullWidth(_ dividend: (high: Self, low: Magnitude)) -> (quotient: Self, remainder: Self)",
        "var nonzeroBitCount: Int { get }",
        "var leadingZeroBitCount: Int { get }",
        "var byteSwapped: Self { get }",
      ]),
  ]

  // A type has to name the constraint of its generic functions, which a graph does not contain.
  private static let serialization =
    "whose SerializationRequirement constrains requirements, which no generic class can declare"

  static let others: [String: StandardProtocol] = [
    "s:ScF": StandardProtocol(
      declarations: ["func enqueue(_ job: consuming ExecutorJob)"], isSendable: true),
    "s:Scf": StandardProtocol(inherited: ["s:ScF"], isSendable: true),
    "s:Sch": StandardProtocol(inherited: ["s:ScF"], isSendable: true),
    "s:12_Concurrency5ClockP": StandardProtocol(
      declarations: [
        "associatedtype Duration",
        "associatedtype Instant: InstantProtocol where Instant.Duration == Duration",
        "var now: Instant { get }",
        "var minimumResolution: Instant.Duration { get }",
        "func sleep(until deadline: Instant, tolerance: Instant.Duration?) async throws",
      ], isSendable: true),
    "s:s10SetAlgebraP": StandardProtocol(
      inherited: ["s:SQ", "s:s25ExpressibleByArrayLiteralP"],
      declarations: [
        "associatedtype Element",
        "init()",
        "func contains(_ member: Element) -> Bool",
        "func union(_ other: Self) -> Self",
        "func intersection(_ other: Self) -> Self",
        "func symmetricDifference(_ other: Self) -> Self",
        "mutating func insert(_ member: Element) -> (inserted: Bool, memberAfterInsert: Element)",
        "mutating func remove(_ member: Element) -> Element?",
        "mutating func update(with member: Element) -> Element?",
        "mutating func formUnion(_ other: Self)",
        "mutating func formIntersection(_ other: Self)",
        "mutating func formSymmetricDifference(_ other: Self)",
      ]),
    "s:Sl": StandardProtocol(
      inherited: ["s:ST"],
      declarations: [
        "associatedtype Index: Comparable",
        "var startIndex: Index { get }",
        "var endIndex: Index { get }",
        "subscript(position: Index) -> Element { get }",
        "func index(after index: Index) -> Index",
      ]),
    "s:SK": StandardProtocol(
      inherited: ["s:Sl"],
      declarations: [
        "func index(before index: Index) -> Index"
      ]),
    "s:Sk": StandardProtocol(inherited: ["s:SK"]),
    "s:SM": StandardProtocol(
      inherited: ["s:Sl"],
      declarations: [
        "subscript(position: Index) -> Element { get set }"
      ]),
    "s:Sm": StandardProtocol(
      inherited: ["s:Sl"],
      declarations: [
        "init()",
        "mutating func replaceSubrange<Elements: Collection>(_ range: Range<Index>, with elements: Elements) where Elements.Element == Element",
      ]),
    "s:s20LazySequenceProtocolP": StandardProtocol(inherited: ["s:ST"]),
    "s:s22LazyCollectionProtocolP": StandardProtocol(inherited: ["s:Sl"]),
    "s:s9OptionSetP": StandardProtocol(
      inherited: ["s:s10SetAlgebraP"],
      declarations: [
        "associatedtype Element = Self",
        "associatedtype ArrayLiteralElement = Self",
        "associatedtype RawValue",
        "init(rawValue: RawValue)",
        "var rawValue: RawValue { get }",
      ]),
    "s:s7CVarArgP": StandardProtocol(declarations: ["var _cVarArgEncoding: [Int] { get }"]),
    "s:10Foundation16NSObjectProtocolP": StandardProtocol(superclass: StandardClass.objects[0]),
    "c:objc(pl)NSObject": StandardProtocol(superclass: StandardClass.objects[1]),
    "s:Sy": StandardProtocol(closed: "which only String and Substring may conform to"),
    "s:s12UnicodeCodecP": StandardProtocol(
      closed: "and no generic class can have 'where ForwardParser.Encoding == Self'"),
    "s:s15BitwiseCopyableP": StandardProtocol(closed: "which no class can conform to"),
    "s:s10SIMDScalarP": StandardProtocol(closed: "which no class can conform to"),
    "s:11Distributed0A5ActorP": StandardProtocol(
      closed: "which only distributed actors can conform to"),
    "s:11Distributed0A11ActorSystemP": StandardProtocol(closed: serialization),
    "s:11Distributed0A23TargetInvocationEncoderP": StandardProtocol(closed: serialization),
    "s:11Distributed0A23TargetInvocationDecoderP": StandardProtocol(closed: serialization),
    "s:11Distributed0A29TargetInvocationResultHandlerP": StandardProtocol(closed: serialization),
    "s:s27StringInterpolationProtocolP": StandardProtocol(declarations: [
      "associatedtype StringLiteralType = String",
      "init(literalCapacity: Int, interpolationCount: Int)",
      "mutating func appendLiteral(_ literal: StringLiteralType)",
      "mutating func appendInterpolation<Value>(_ value: Value)",
    ]),
    "s:10Foundation13CustomNSErrorP": StandardProtocol(inherited: ["s:s5ErrorP"], isSendable: true),
  ]
}
