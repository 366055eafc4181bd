// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Resolver {
  /// Begins a chain of injections into targets of a type. End it with `register()`.
  public func into<Target>(_ type: Target.Type) -> Injections<Target> {
    Injections(self, InjectionKey(type))
  }

  /// Begins a chain of injections into targets of a type. End it with `register()`.
  public func into<Target>(injectable type: Target.Type) -> Injections<Target> { into(type) }

  /// Begins a chain of injections under a text, beside another chain for the same type.
  public func into<Target>(_ type: Target.Type, under text: String) -> Injections<Target> {
    Injections(self, InjectionKey(text))
  }

  /// Runs the injections of an object: every chain for its class, its superclasses and the
  /// protocols that it conforms to, in the order of registration. The chains of a parent run first,
  /// except those that this resolver replaces.
  ///
  /// Without a chain it does nothing. The object is retained until all chains have run.
  ///
  /// - Parameters:
  ///   - target: The target of the injections.
  /// - Throws: `ResolutionError`, if a block fails or returns another object, or if a property of a
  ///   chain with `.fail` cannot be resolved.
  public func resolve<Target: AnyObject>(
    into target: Target, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) throws(ResolutionError) {
    let callSite = CallSite(fileID, filePath, line, column)
    var held = target
    try inject(into: &held, at: callSite)
    if held !== target { throw failure(TargetReplaced(), of: Target.self, at: callSite) }
  }

  /// Runs the injections of a value, as those of an object.
  ///
  /// - Parameters:
  ///   - target: The target of the injections.
  /// - Throws: `ResolutionError`, as for an object. Properties that were injected before stay so.
  public func resolve<Target>(
    into target: inout Target, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) throws(ResolutionError) {
    try inject(into: &target, at: CallSite(fileID, filePath, line, column))
  }

  private func inject<Target>(
    into target: inout Target, at callSite: CallSite
  ) throws(ResolutionError) {
    for injection in inheritedInjections {
      do {
        try injection.apply(to: &target, from: self, at: callSite)
      } catch let error as ResolutionError {
        throw error
      } catch {
        throw failure(error, of: Target.self, at: callSite)
      }
    }
  }

  private func failure(
    _ error: any Error, of target: Any.Type, at callSite: CallSite
  ) -> ResolutionError {
    let key = AnyKey(type: target)
    return ResolutionError(.failed(error), key: key, path: [key], callSite: callSite)
  }

  /// The keys of the registered chains, in the order of registration.
  public var injectables: [InjectionKey] { injections.keys }

  /// Removes the chain of injections into a type, without those under a text. Returns `false` if
  /// there is none.
  @discardableResult
  public func unregister<Target>(injectable type: Target.Type) -> Bool {
    injections.remove([InjectionKey(type)]) > 0
  }

  /// Removes some chains of injections, and returns their number.
  @discardableResult
  public func unregister(injectables keys: some Sequence<InjectionKey>) -> Int {
    injections.remove(Set(keys))
  }
}

/// The error of a block that returned another object, which `resolve(into:)` cannot hand over.
private struct TargetReplaced: Error, CustomStringConvertible {
  var description: String {
    "A block of its injections returned another object. Pass a variable: resolve(into: &target)"
  }
}
