// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Protocols that inherit from protocols of the standard library and of Foundation.

import Foundation

protocol Adds: AdditiveArithmetic {}
protocol Numbers: Numeric { func rounded() -> Self }
protocol SignedNumbers: SignedNumeric {}
protocol LiteralIntegers: ExpressibleByIntegerLiteral {}
protocol LiteralStrings: ExpressibleByStringLiteral { var text: String { get } }
protocol LiteralArrays: ExpressibleByArrayLiteral {}
protocol LiteralDictionaries: ExpressibleByDictionaryLiteral {}
protocol LiteralBooleans: ExpressibleByBooleanLiteral {}
protocol LiteralFloats: ExpressibleByFloatLiteral {}
protocol LiteralNil: ExpressibleByNilLiteral {}
protocol LiteralInterpolations: ExpressibleByStringInterpolation {}
protocol Strides: Strideable { var name: String { get } }
protocol TextStreams: TextOutputStream {}
protocol TextStreamables: TextOutputStreamable {}
protocol Reflectables: CustomReflectable {}
protocol SequenceOf: Sequence { func name() -> String }
protocol Bytes: ContiguousBytes {}
protocol Instants: InstantProtocol {}
protocol Clocks: Clock {}
protocol Generators: RandomNumberGenerator {}
protocol Algebra: SetAlgebra {}
protocol DurationLike: DurationProtocol {}
protocol Playground: CustomPlaygroundDisplayConvertible {}
protocol LocalizedErrors: LocalizedError { var code: Int { get } }
protocol Recoverable: RecoverableError {}
protocol CustomErrors: CustomNSError {}
protocol Floats: FloatingPoint {}
protocol BinaryFloats: BinaryFloatingPoint { func name() -> String }
protocol Integers: BinaryInteger {}
protocol SignedIntegers: SignedInteger {}
protocol UnsignedIntegers: UnsignedInteger {}
protocol Widths: FixedWidthInteger { func checksum() -> Int }
protocol CollectionKind: Collection { var name: String { get } }
protocol RandomAccess: RandomAccessCollection {}
protocol MutableElements: MutableCollection { var name: String { get } }
protocol ReplaceableElements: RangeReplaceableCollection {}
protocol LazyElements: LazySequenceProtocol {}
protocol Flags: OptionSet { func name() -> String }
protocol PrintedArguments: CVarArg {}
protocol Interpolations: StringInterpolationProtocol {}
protocol PlatformNumbers {
  func interval() -> TimeInterval
  func decimal() -> Decimal
  func width() -> CGFloat
  func progress() -> (TimeInterval, [Decimal])
  func code() -> CInt
  func index() -> [Int].Index
}

// The tool extracts the symbol graphs of these parents' modules.
protocol OwnEncoder: Swift.Encoder { func finish() -> String }
protocol OwnDecoder: Swift.Decoder {}
protocol KeyedWriting: KeyedEncodingContainerProtocol {}
protocol SingleReading: SingleValueDecodingContainer {}
protocol Spans: RangeExpression {}
protocol Patterns: RegexComponent {}
protocol ConsumingPatterns: CustomConsumingRegexComponent {}
protocol Styles: FormatStyle { var name: String { get } }
protocol Comparators: SortComparator {}
protocol StringKeys: AttributedStringKey {}

// No class can conform to these.
protocol OwnText: StringProtocol {}
protocol Codecs: UnicodeCodec {}
protocol Bits: BitwiseCopyable {}
