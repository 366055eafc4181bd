// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// Resolves what is registered for some keys, in their order. A key that nothing answers, or whose
  /// object held weakly is gone, is left out (G9-34).
  ///
  /// - Parameters:
  ///   - keys: What is asked for, such as what `filter` found.
  ///   - lifecycle: What to do with the values; `.cached` honours the registrations.
  ///   - fileID: Where it is asked for.
  ///   - filePath: Where it is asked for.
  ///   - line: Where it is asked for.
  ///   - column: Where it is asked for.
  /// - Returns: The values.
  /// - Throws: `ResolutionError`, if one of the blocks fails.
  public func resolve<Value>(
    _ keys: some Sequence<Key<Value>>, lifecycle: Lifecycle = .cached,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) throws(ResolutionError) -> [Value] {
    try resolveEach(
      keys, with: nil, lifecycle,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Resolves what is registered for some keys, in their order, with an argument for each block; keys
  /// that nothing answers are left out (G9-34).
  ///
  /// - Parameters:
  ///   - keys: What is asked for.
  ///   - argument: What the blocks get.
  ///   - lifecycle: What to do with the values; `.cached` honours the registrations.
  ///   - fileID: Where it is asked for.
  ///   - filePath: Where it is asked for.
  ///   - line: Where it is asked for.
  ///   - column: Where it is asked for.
  /// - Returns: The values.
  /// - Throws: `ResolutionError`, if one of the blocks fails.
  public func resolve<Value, Argument>(
    _ keys: some Sequence<Key<Value>>, with argument: Argument, lifecycle: Lifecycle = .cached,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) throws(ResolutionError) -> [Value] {
    try resolveEach(
      keys, with: PassedArgument(argument), lifecycle,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Resolves what is registered for a key, for a caller who says where it is asked for.
  @inlinable
  package func resolve<Value>(
    _ key: Key<Value>, at callSite: CallSite
  ) throws(ResolutionError) -> Value {
    try value(for: key, .cached, nil, at: callSite)
  }

  /// Resolves what is registered for a key, for a caller that asks at a place of its own; `nil` if nothing answers.
  package func resolveIfThere<Value>(
    _ key: Key<Value>, at callSite: CallSite
  ) throws(ResolutionError) -> Value? {
    var request = Request(key.erased, declared: key.erased.declaredDefault, at: callSite)
    request.mayBeMissing = true
    return try valueIfThere(for: request)
  }

  private func resolveEach<Value>(
    _ keys: some Sequence<Key<Value>>, with argument: PassedArgument?, _ lifecycle: Lifecycle,
    at callSite: CallSite
  ) throws(ResolutionError) -> [Value] {
    try claiming { (claimed) throws(ResolutionError) -> [Value] in
      var values: [Value] = []
      for key in keys {
        var request = Request(
          key.erased, declared: key.erased.declaredDefault, lifecycle: lifecycle,
          argument: argument, at: callSite)
        request.mayBeMissing = true
        if let value: Value = try valueIfThere(for: request, claiming: &claimed) {
          values.append(value)
        }
      }
      return values
    }
  }

  /// The value, or `nil` if nothing answers or the object that is held weakly is gone.
  func valueIfThere<Value>(for request: Request) throws(ResolutionError) -> Value? {
    try claiming { (claimed) throws(ResolutionError) -> Value? in
      try valueIfThere(for: request, claiming: &claimed)
    }
  }

  private func valueIfThere<Value>(
    for request: Request, claiming claimed: inout [Claimed]
  ) throws(ResolutionError) -> Value? {
    let top = try layerOfCaller(request)
    let resolution = Resolution<Value>(request, of: self, under: top, from: top, isPart: true)
    do throws(ResolutionError) {
      if let value = try resolution.valueIfAnswered() {
        claimed += resolution.claimed
        return value
      }
    } catch {
      guard resolution.saysNothingAnswers(error) else { throw error }
    }
    let answer = answer(to: request, from: top, boundary: top?.boundary)
    Construction.current?.tracker?.add(
      Provenance(
        of: request.key, answer: answer.map { .registration($0.registration) } ?? .nothing,
        level: answer?.level ?? 0, resolver: self))
    return nil
  }
}
