// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Injects an object when its owner is made, and does not keep it alive.
///
/// `nil` once nobody else keeps it, or if nothing was registered for it. A value type cannot be held weakly, and neither an
/// initialiser of a property nor an assignment can throw: where the value is of one, the test gets a violation that says
/// so, and the property is `nil`; outside a test there is nobody to tell, and the process ends with the explanation.
@propertyWrapper
public struct WeakInject<Value: Sendable>: Sendable {
  private var reference: WeakReference<Value>?

  /// What was injected, for as long as somebody else keeps it.
  public var wrappedValue: Value? {
    get { reference?.value }
    set { self = WeakInject(holding: newValue) }
  }

  /// Injects a declared dependency.
  ///
  /// - Parameters:
  ///   - dependency: What is injected: `\.session`.
  public init(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      holding: Resolver.current.resolve(
        dependency, fileID: fileID, filePath: filePath, line: line, column: column),
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Injects what is registered in a scope, shared while somebody holds it.
  ///
  /// - Parameters:
  ///   - scope: The scope that it was registered in.
  public init(
    _ scope: any Scope.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      scopedTo: scope, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Injects what is registered for the property's type.
  public init(
    named name: (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      key: Key(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  init(key: Key<Value>, at callSite: CallSite) {
    self.init(holding: Resolver.current.optionalOrTrap(key, at: callSite), at: callSite)
  }

  init(holding value: Value?, at callSite: CallSite? = nil) {
    guard let value else { return }
    let reference = WeakReference(value)
    if reference.isObject {
      self.reference = reference
    } else {
      WeakInject.refuse(value, at: callSite)
    }
  }

  /// Says that a value is no object, to the test that sees it; where there is none, the process ends.
  private static func refuse(_ value: Value, at callSite: CallSite?) {
    let name = TypeDescription.of(type(of: value as Any))
    let message = Message(
      "A value of type '\(name)' is no object, and '@WeakInject' holds objects alone.",
      facts: callSite.map { [Message.Fact("At", "\($0)")] } ?? [],
      remedies: [
        "Hold the value:  @Inject var … : \(TypeDescription.of(Value?.self))",
        "Make '\(name)' a class.",
      ])
    guard let layer = OverrideLayer.current, layer.test != nil else {
      // Nobody is there to be told, and no initialiser of a property can throw: `nil` would be a silent loss.
      fatalError("\n\(message)")
    }
    layer.record(Violation(message, at: callSite ?? layer.callSite))
  }
}

extension Resolver {
  /// Resolves for a caller whose form cannot throw and which can live with nothing.
  func optionalOrTrap<Value>(_ key: Key<Value>, at callSite: CallSite) -> Value? {
    let request = Request(key.erased, at: callSite)
    do throws(ResolutionError) {
      return try valueIfThere(for: request)
    } catch {
      guard error.isEscape else { error.trap() }
      return productionValueIfThere(for: request, insteadOf: error)
    }
  }

  /// What production answers to a question that came from nowhere.
  private func productionValueIfThere<Value>(
    for request: Request, insteadOf failure: ResolutionError
  ) -> Value? {
    ProductionAlone.answering {
      let resolution = Resolution(request, of: self, under: nil, from: nil)
      do throws(ResolutionError) {
        return try resolution.valueIfAnswered()
      } catch {
        // What is held weakly may be gone.
        if resolution.saysNothingAnswers(error) { return nil }
        failure.trap()
      }
    }
  }
}
