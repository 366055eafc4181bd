// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

public import Understudy

extension Registering {
  /// Registers everything that production consists of, apart from declared dependencies. Nothing
  /// is registered elsewhere.
  ///
  /// The settings come from files and the command line. A file of services chooses the mailer.
  /// A test must override the mailer. The generated `BoxOfficeWiring` has the rest.
  /// No block runs before the first request.
  public func registerProduction(_ settings: Settings) {
    register(settings)
    register(inTests: .mustBeOverridden) { r in
      try r.resolve((any Mailer).self, named: "mailer")
    }
    install(BoxOfficeWiring())
  }
}
