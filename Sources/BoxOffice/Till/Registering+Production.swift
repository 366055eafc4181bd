// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

public import Understudy

extension Registering {
  /// Registers what production is made of, besides what is declared: all of it, here and nowhere
  /// else.
  ///
  /// What depends on the command line is registered by type. The mailer is what a file of services says
  /// that it is. Nothing is made yet: each block runs when somebody asks.
  public func registerProduction(_ settings: Settings) {
    register(settings)
    register { r in SeasonFile(try r.resolve(Settings.self).season) as any SeasonSource }
    register { r in FileStore(directory: try r.resolve(Settings.self).store) as any SalesStore }
    register { r in try r.resolve((any Mailer).self, named: "mailer") }
    register { Till() }
    register(autowiring: Report.init(source:store:))
  }
}
