// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

/// The other tests that run at the same time.
enum Company: String, CaseIterable, Codable, Sendable {
  case alone, besideATestThatOverridesIt, besideATestThatDoesNot
}

/// A handmade test with a layer and a resolver of its own, so that other tests do not affect it.
struct Stage: Sendable {
  let resolver = Resolver()
  let name: String
  private let layer: OverrideLayer
  private let neighbour: OverrideLayer?

  init(_ name: String, _ company: Company = .alone, adoptsEscapedWork: Bool = false) {
    self.name = name
    resolver.register { RealPostman() as any Postman }
    resolver.register { "nobody overrides this" }
    layer = Stage.root(name, of: resolver, adoptsEscapedWork: adoptsEscapedWork)
    layer.register { PostmanDouble() as any Postman }
    if company == .alone {
      neighbour = nil
    } else {
      neighbour = Stage.root("\(name), the other", of: resolver, adoptsEscapedWork: false)
      if company == .besideATestThatOverridesIt {
        neighbour?.register { PostOffice() as any Postman }
      }
    }
  }

  /// The outermost layer of a running test, as the adapters push it.
  static func root(
    _ name: String, of resolver: Resolver, adoptsEscapedWork: Bool,
    options: OverrideOptions = []
  ) -> OverrideLayer {
    var traits = LayerTraits(of: resolver, named: name, on: nil, at: CallSite(line: 500))
    traits.test = RunningTest(name: name, adoptsEscapedWork: adoptsEscapedWork)
    traits.isBoundary = true
    traits.options = options
    return OverrideLayer(traits)
  }

  /// Runs a body beside another test, whose layer has no live guard. Without that, the guard of the
  /// body's layers could refuse the lost work of other tests of this process.
  static func besideUnguardedTest<Result>(
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    let layer = root("without a guard", of: Resolver(), adoptsEscapedWork: false)
    defer { _ = layer.end() }
    return try await body()
  }

  /// Runs an operation under the layer, and ends the layer.
  func play<Result>(_ operation: () async throws -> Result) async rethrows -> Result {
    defer {
      neighbour.map { _ = $0.end() }
      _ = layer.end()
    }
    return try await OverrideLayer.binding(layer, operation: operation)
  }

  /// The name of the resolved postman, or the reason of the failure.
  func ask(line: Int) -> String {
    do throws(ResolutionError) {
      return try resolver.resolve((any Postman).self, line: line).name
    } catch {
      return error.description
    }
  }
}
