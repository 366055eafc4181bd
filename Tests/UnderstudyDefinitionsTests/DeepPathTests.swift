// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import UnderstudyDefinitions

/// The depth limit of files holds for the command line, the environment and code, too.
@Suite struct `A property that lies too deep` {
  static let keys = Array(repeating: "a", count: 129)
  static let path = keys.joined(separator: ".")
  static let reason = "it has more keys than the tree may have levels"

  private func problems(
    _ source: ValueSource, _ limits: ReadingLimits = ReadingLimits()
  ) -> [Finding.Problem]? {
    let error = #expect(throws: DefinitionError.self) { try Properties([source], limits: limits) }
    return error?.findings.map(\.problem)
  }

  @Test func `is an error on the command line, and in the environment`() throws {
    let arguments = ["--\(Self.path)=1", "--b=2"]
    #expect(problems(.arguments(arguments)) == [.malformedPath(reason: Self.reason)])
    let name = "APP__" + Self.keys.joined(separator: "__").uppercased()
    let environment = ValueSource.environment(prefix: "APP", variables: [name: "1", "APP__B": "2"])
    #expect(problems(environment) == [.tooDeep(limit: 128)])
    let short = ReadingLimits(depth: 2)
    #expect(problems(.arguments(["--a.b.c"]), short) == [.malformedPath(reason: Self.reason)])
    _ = try Properties([.arguments(["--a.b"])], limits: short)
    _ = try Properties([.arguments(["--\(Self.path.dropFirst(2))"])])
  }

  @Test func `is an error where it is set`() {
    let resolver = Resolver()
    let error = #expect(throws: DefinitionError.self) { try resolver.set(Self.path, 1) }
    #expect(error?.findings.map(\.problem) == [.malformedPath(reason: Self.reason)])
    withKnownIssue {
      withOverrides(of: resolver) {
        $0.set(Self.path, 1)
      } operation: {
      }
    } matching: { issue in
      issue.description.contains(Self.reason)
    }
  }
}
