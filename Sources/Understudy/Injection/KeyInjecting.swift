// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The common forms of the wrappers that resolve one key: `@Inject`, `@LazyInject`, `@WeakInject`
/// and `@WeakLazyInject`.
///
/// You do not conform to it.
public protocol KeyInjecting {
  /// The type of the injected value.
  associatedtype Value

  /// Injects the value that is registered for a key.
  init(key: Key<Value>, at callSite: CallSite)
}

extension KeyInjecting {
  /// Injects the value that is registered for a key.
  public init(
    _ key: Key<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(key: key, at: CallSite(fileID, filePath, line, column))
  }

  /// Injects the instance of a scope. It is shared while something retains it.
  ///
  /// A type that is both a scope and a qualifier needs the label: `scopedTo:`.
  public init(
    _ scope: any Scope.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(key: Key(scopedTo: scope), at: CallSite(fileID, filePath, line, column))
  }

  /// Gives the compiler a message for a property whose type is not the type of the dependency, and
  /// for a static that is no dependency.
  @available(*, unavailable, message: "the static must be a 'Dependency' of the property's type")
  @_disfavoredOverload
  public init(_ dependency: (Dependencies.Type) -> Any) {
    fatalError("The compiler accepts no call of this.")
  }
}

extension Resolver {
  /// The value of a request whose caller cannot throw.
  package func injected<Value>(_ request: Request) -> Injected<Value> {
    var request = request
    request.keepsErrors = true
    return injected(request, .current)
  }

  /// The value of a request that keeps errors.
  func injected<Value>(_ request: Request, _ caller: Surroundings) -> Injected<Value> {
    do throws(ResolutionError) {
      return .value(try value(for: request, caller))
    } catch {
      return insteadOfEscape(error) { () throws(ResolutionError) in try value(for: request) }
    }
  }

  package func injectedIfThere<Value>(_ request: Request) -> Injected<Value?> {
    var request = request
    request.keepsErrors = true
    return kept { [request] () throws(ResolutionError) in try valueIfThere(for: request) }
  }

  /// The value or the error that a wrapper keeps of a resolution.
  package func kept<Value>(_ value: () throws(ResolutionError) -> Value) -> Injected<Value> {
    do throws(ResolutionError) { return .value(try value()) } catch {
      return insteadOfEscape(error, value)
    }
  }

  /// What a wrapper keeps for an error. If the request lost its context, which is reported already,
  /// production answers the forms that cannot throw.
  private func insteadOfEscape<Value>(
    _ error: ResolutionError, _ value: () throws(ResolutionError) -> Value
  ) -> Injected<Value> {
    guard error.isEscape, let value = try? ProductionAlone.answering(value) else {
      return .missing(MissingValue(error))
    }
    return .substitute(value, MissingValue(error))
  }
}
