// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a wrapper holds: a value, or the error that it will report where the value is read.
@frozen
@usableFromInline
package enum Injected<Value> {
  case value(Value)
  case missing(MissingValue)

  /// The value. Reading a missing one reports the error and ends the process.
  @inlinable
  var valueOrTrap: Value {
    switch self {
    case .value(let value): value
    case .missing(let missing): missing.trap()
    }
  }

  func get() throws(ResolutionError) -> Value {
    switch self {
    case .value(let value): return value
    case .missing(let missing):
      missing.noteUse()
      throw missing.error
    }
  }

  var isAvailable: Bool { if case .value = self { true } else { false } }

  func map<Other>(_ transform: (Value) -> Other) -> Injected<Other> {
    switch self {
    case .value(let value): .value(transform(value))
    case .missing(let missing): .missing(missing)
    }
  }
}

extension Injected: Sendable where Value: Sendable {}

/// A value that could not be had when it was asked for. It does no harm until it is read.
@usableFromInline
package final class MissingValue: Sendable {
  package let error: ResolutionError
  private let layer: OverrideLayer?
  private let test: RunningTest?

  package init(_ error: ResolutionError) {
    self.error = error
    layer = OverrideLayer.current
    let host = TestHosts.current.flatMap { $0.expectsExit ? nil : $0 }
    test = layer?.test ?? host.flatMap { $0.testOfCallingTask() ?? $0.runningCase() }
  }

  /// Reports the error on the test, and ends the process with the same message.
  @usableFromInline
  package func trap() -> Never {
    var message = error.message
    if let test { message.facts.append(Message.Fact("Test", "'\(test.name)'")) }
    // An exit test looks at what the process writes.
    if let host = TestHosts.current, !host.expectsExit {
      host.report(Violation(message, at: error.callSite))
    }
    fatalError("\n\(message)")
  }

  /// Reports the error on the test, for a caller that can go on without the value. Without a test
  /// the process ends.
  func reportOrTrap() {
    guard test != nil || TestHosts.areAny, TestHosts.current?.expectsExit != true else { trap() }
    let violation = Violation(error.message, at: error.callSite)
    if let layer, layer.test != nil {
      layer.record(violation)
    } else {
      TestHosts.report(violation)
    }
  }

  /// Reports that a value was used which the test had forbidden.
  func noteUse() {
    if error.isForbidden { reportOrTrap() }
  }
}

extension ResolutionError {
  /// Reports this on the calling test, and ends the process: for callers whose form cannot throw.
  package func trap() -> Never { MissingValue(self).trap() }
}

extension Resolver {
  /// The value of a declared dependency for a wrapper.
  @inlinable
  func injected<Value>(_ dependency: Dependency<Value>, at callSite: CallSite) -> Injected<Value> {
    if let instance = cachedInstance(for: dependency.erasedKey, at: callSite) {
      return .value(instance.strongValue(as: Value.self))
    }
    return uncachedInjected(dependency, at: callSite)
  }

  @usableFromInline
  func uncachedInjected<Value>(
    _ dependency: Dependency<Value>, at callSite: CallSite
  ) -> Injected<Value> {
    injected(Request(dependency.erasedKey, declared: dependency.registration, at: callSite))
  }

  /// The value of a key for a wrapper.
  func injected<Value>(_ key: Key<Value>, at callSite: CallSite) -> Injected<Value> {
    injected(Request(key.erased, at: callSite))
  }

  /// The value of a request whose caller cannot throw.
  package func injected<Value>(_ request: Request) -> Injected<Value> {
    var request = request
    request.keepsErrors = true
    do throws(ResolutionError) {
      return .value(try value(for: request))
    } catch {
      return insteadOfEscape(error) { [request] () throws(ResolutionError) in
        try Resolution(request, of: self, under: nil, from: nil).value()
      }
    }
  }

  /// The same; `nil` if nothing answers.
  func injectedIfThere<Value>(_ key: Key<Value>, at callSite: CallSite) -> Injected<Value?> {
    injectedIfThere(Request(key.erased, at: callSite))
  }

  /// The same; `nil` if nothing answers.
  func injectedIfThere<Value>(_ request: Request) -> Injected<Value?> {
    var request = request
    request.keepsErrors = true
    do throws(ResolutionError) {
      return .value(try valueIfThere(for: request))
    } catch {
      return insteadOfEscape(error) { [request] () throws(ResolutionError) in
        let resolution = Resolution(request, of: self, under: nil, from: nil)
        do throws(ResolutionError) {
          return try resolution.valueIfAnswered()
        } catch {
          // An object that is held weakly may be gone.
          if resolution.saysNothingAnswers(error) { return nil }
          throw error
        }
      }
    }
  }

  /// What a wrapper keeps for an error. Where the request lost its context, which is reported
  /// already, production answers.
  private func insteadOfEscape<Value>(
    _ error: ResolutionError, _ production: () throws(ResolutionError) -> Value
  ) -> Injected<Value> {
    guard error.isEscape, let value = try? ProductionAlone.answering(production) else {
      return .missing(MissingValue(error))
    }
    return .value(value)
  }
}
