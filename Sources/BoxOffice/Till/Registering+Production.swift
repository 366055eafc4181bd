// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

public import Understudy

extension Registering {
  /// Registers what production is made of, besides what is declared: all of it, here and nowhere
  /// else.
  ///
  /// The settings come from files and the command line. The mailer is what a file of services says that it
  /// is; `BoxOfficeWiring` is generated and has the rest. Nothing is made yet: each block runs when
  /// somebody asks.
  public func registerProduction(_ settings: Settings) {
    register(settings)
    register { r in try r.resolve((any Mailer).self, named: "mailer") }
    install(BoxOfficeWiring())
  }
}
