// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

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
