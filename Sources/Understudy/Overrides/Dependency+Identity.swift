// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Dependency {
  /// The dependency that a key path names, for a caller that overrides, counts or shares it. A
  /// computed static that calls a declaring function has no identity: that is an issue of the test,
  /// and without tests it ends the process.
  package static func identified(
    _ path: (Dependencies.Type) -> Dependency, at callSite: CallSite
  ) -> Dependency {
    var dependency = path(Dependencies.self)
    checkIdentity(of: &dependency, at: callSite)
    return dependency
  }

  /// Checks a dependency for a caller that resolves it. Only a shared instance needs an identity.
  package static func checkSharing(of dependency: inout Dependency, at callSite: CallSite) {
    guard dependency.registration.lifecycle == .cached else { return }
    checkIdentity(of: &dependency, at: callSite)
  }

  /// Checks a dependency to which only the caller and possibly a stored static refer.
  package static func checkIdentity(of dependency: inout Dependency, at callSite: CallSite) {
    guard let declaration = dependency.registration.key.declaration,
      let function = declaration.function, isKnownUniquelyReferenced(&dependency)
    else { return }
    let type = TypeDescription.of(Value.self)
    let violation = Violation(
      Message(
        "'\(function)' declares '\(type)' anew at each access, so two dependencies of it are not told apart.",
        facts: [
          Message.Fact("Declared", "\(declaration.callSite)"), Message.Fact("Used", "\(callSite)"),
        ],
        remedies: [
          // The name of the function has its labels: `live(_:)`.
          "Store it:  static let … = \(function.prefix { $0 != "(" })(…)",
          "Declare it in its static:  "
            + "static var …: Dependency<\(TypeDescription.code(Value.self))> { Dependency { … } }",
        ]),
      at: callSite)
    // The caller cannot throw, and there is no test to report on.
    guard TestHosts.areAny else { fatalError("\n\(violation)") }
    TestHosts.report(violation)
  }
}

extension Request {
  /// The request of a wrapper for a declared dependency.
  package init<Value>(_ path: (Dependencies.Type) -> Dependency<Value>, at callSite: CallSite) {
    var dependency = path(Dependencies.self)
    Dependency.checkSharing(of: &dependency, at: callSite)
    self.init(
      dependency.erasedKey, declared: dependency.registration, at: callSite, keepsErrors: true)
  }
}
