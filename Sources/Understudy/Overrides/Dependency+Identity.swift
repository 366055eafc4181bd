// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Dependency {
  /// The dependency that a key path names, for a caller that overrides, counts or shares it.
  ///
  /// A dependency that a function declares is known by its object. If a computed static calls the
  /// function, each access makes another object: nothing could be overridden or shared, and nothing
  /// tells two such statics apart. That is an issue of the test; without tests the process ends.
  package static func identified(
    _ path: (Dependencies.Type) -> Dependency, at callSite: CallSite
  ) -> Dependency {
    var dependency = path(Dependencies.self)
    checkIdentity(of: &dependency, at: callSite)
    return dependency
  }

  /// The same for a caller that resolves it: only a shared instance needs to be found again.
  package static func checkSharing(of dependency: inout Dependency, at callSite: CallSite) {
    guard dependency.registration.lifecycle == .cached else { return }
    checkIdentity(of: &dependency, at: callSite)
  }

  /// The same for a dependency that only the caller refers to, besides a static that stores it.
  package static func checkIdentity(of dependency: inout Dependency, at callSite: CallSite) {
    guard let declaration = dependency.registration.key.declaration,
      let function = declaration.function, isKnownUniquelyReferenced(&dependency)
    else { return }
    let type = TypeDescription.of(Value.self)
    let violation = Violation(
      Message(
        "'\(function)' declares '\(type)' anew at each access, so two dependencies of it are not told apart.",
        facts: [
          Message.Fact("Declared", "\(declaration.callSite)"),
          Message.Fact("Used", "\(callSite)"),
        ],
        remedies: [
          "Store it:  static let … = \(function)",
          "Declare it in its static:  static var …: Dependency<\(type)> { Dependency { … } }",
        ]),
      at: callSite)
    // The form cannot throw, and there is no test to report on.
    guard TestHosts.areAny else { fatalError("\n\(violation)") }
    TestHosts.report(violation)
  }
}

extension Request {
  /// A request for the declared dependency that a key path names.
  init<Value>(_ path: (Dependencies.Type) -> Dependency<Value>, at callSite: CallSite) {
    var dependency = path(Dependencies.self)
    Dependency.checkSharing(of: &dependency, at: callSite)
    self.init(dependency.erasedKey, declared: dependency.registration, at: callSite)
  }
}
