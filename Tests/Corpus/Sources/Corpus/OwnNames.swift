// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Types with the names of types of the standard library.

protocol Executor { func run() }
struct Hasher {}
struct Encoder {}
struct Decoder {}

protocol RunsExecutors: Sendable { func start(_ executor: any Executor) -> any Executor }
protocol OwnCodable: Hashable, Codable { func close() }
