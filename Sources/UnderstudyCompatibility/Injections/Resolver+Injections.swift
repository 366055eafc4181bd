// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Resolver {
  /// Begins a chain of injections into targets of a type; `register()` ends it.
  public func into<Target>(_ type: Target.Type) -> Injections<Target> {
    Injections(self, InjectionKey(type))
  }

  /// Begins a chain of injections into targets of a type; `register()` ends it.
  public func into<Target>(injectable type: Target.Type) -> Injections<Target> { into(type) }

  /// Begins a chain of injections under a text, beside another chain for the same type.
  public func into<Target>(_ type: Target.Type, under text: String) -> Injections<Target> {
    Injections(self, InjectionKey(text))
  }

  /// Injects into an object by every chain that is registered for its class, for one that it
  /// inherits from and for each protocol that it conforms to, in the order of registering.
  ///
  /// Does nothing if there is none. The object is held until all is injected.
  ///
  /// - Parameters:
  ///   - target: What is injected into.
  /// - Throws: `ResolutionError`, if a block fails, or if nothing answers where the chain says
  ///   `.fail`.
  public func resolve<Target: AnyObject>(
    into target: Target, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) throws(ResolutionError) {
    var held = target
    try inject(
      into: &held, at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Injects into a value, as into an object.
  ///
  /// - Parameters:
  ///   - target: What is injected into.
  /// - Throws: `ResolutionError`, as into an object; what was injected before stays.
  public func resolve<Target>(
    into target: inout Target, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) throws(ResolutionError) {
    try inject(
      into: &target, at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  private func inject<Target>(
    into target: inout Target, at callSite: CallSite
  ) throws(ResolutionError) {
    for injection in injections.all {
      do {
        try injection.apply(to: &target, from: self, at: callSite)
      } catch let error as ResolutionError {
        throw error
      } catch {
        throw ResolutionError(
          .failed(error), key: AnyKey(type: Target.self), path: [AnyKey(type: Target.self)],
          callSite: callSite)
      }
    }
  }

  /// What tells the registered injections apart, in the order of registering.
  public var injectables: [InjectionKey] { injections.keys }

  /// Removes the injections into a type; false if there are none.
  @discardableResult
  public func unregister<Target>(injectable type: Target.Type) -> Bool {
    injections.remove([InjectionKey(type)]) > 0
  }

  /// Removes some injections, and says how many there were.
  @discardableResult
  public func unregister(injectables keys: some Sequence<InjectionKey>) -> Int {
    injections.remove(Set(keys))
  }
}
