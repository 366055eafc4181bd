// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Protocols that inherit from protocols of the standard library and of Foundation.

import Foundation

public protocol Adds: AdditiveArithmetic {}
public protocol Numbers: Numeric { func rounded() -> Self }
public protocol SignedNumbers: SignedNumeric {}
public protocol LiteralIntegers: ExpressibleByIntegerLiteral {}
public protocol LiteralStrings: ExpressibleByStringLiteral { var text: String { get } }
public protocol LiteralArrays: ExpressibleByArrayLiteral {}
public protocol LiteralDictionaries: ExpressibleByDictionaryLiteral {}
public protocol LiteralBooleans: ExpressibleByBooleanLiteral {}
public protocol LiteralFloats: ExpressibleByFloatLiteral {}
public protocol LiteralNil: ExpressibleByNilLiteral {}
public protocol LiteralInterpolations: ExpressibleByStringInterpolation {}
public protocol Strides: Strideable { var name: String { get } }
public protocol TextStreams: TextOutputStream {}
public protocol TextStreamables: TextOutputStreamable {}
public protocol Reflectables: CustomReflectable {}
public protocol SequenceOf: Sequence { func name() -> String }
public protocol Bytes: ContiguousBytes {}
public protocol Instants: InstantProtocol {}
public protocol Clocks: Clock {}
public protocol Generators: RandomNumberGenerator {}
public protocol Algebra: SetAlgebra {}
public protocol DurationLike: DurationProtocol {}
public protocol Playground: CustomPlaygroundDisplayConvertible {}
public protocol LocalizedErrors: LocalizedError { var code: Int { get } }
public protocol Recoverable: RecoverableError {}
public protocol CustomErrors: CustomNSError {}
