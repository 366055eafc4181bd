// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Resolver {
  /// Resolves some keys, in their order. A key without a registration, or whose weakly held object
  /// is gone, is left out.
  ///
  /// - Parameters:
  ///   - keys: The requested keys, such as those that `filter` found.
  ///   - argument: The argument of each block.
  ///   - lifecycle: The lifecycle of the requests. `.cached` honours the registrations.
  /// - Returns: The values.
  /// - Throws: `ResolutionError`, if one of the blocks fails.
  public func resolve<Value, Argument>(
    all keys: some Sequence<Key<Value>>, with argument: Argument = NoArgument(),
    lifecycle: Lifecycle = .cached, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(ResolutionError) -> [Value] {
    let callSite = CallSite(fileID, filePath, line, column)
    return try values(
      of: keys.lazy.map { key in
        Request(key.erased, lifecycle: lifecycle, argument: .passed(argument), at: callSite)
      })
  }

  /// The values of some requests, in their order, without those that nothing answers. If one fails,
  /// the claims of all are put back.
  func values<Value>(of requests: some Sequence<Request>) throws(ResolutionError) -> [Value] {
    try claiming { (claims) throws(ResolutionError) -> [Value] in
      var values: [Value] = []
      for request in requests {
        if let value: Value = try valueIfThere(for: request, claiming: &claims) {
          values.append(value)
        }
      }
      return values
    }
  }

  /// Creates a value of several parts. The claims for the parts are final if it is created, and are
  /// put back otherwise.
  package func claiming<Whole, Failure: Error>(
    _ body: (inout [Claim]) throws(Failure) -> Whole
  ) throws(Failure) -> Whole {
    var claims: [Claim] = []
    do throws(Failure) {
      let whole = try body(&claims)
      for claim in claims { claim.settle() }
      return whole
    } catch {
      for claim in claims { claim.restore() }
      throw error
    }
  }
}
