// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

internal import Foundation
public import Understudy

/// The program: what the executable runs, and what a test can run without one.
public enum Program {
  /// Runs one command.
  ///
  /// - Parameters:
  ///   - words: The command line, without the program's name.
  ///   - resolver: What production is registered on, and asked for.
  /// - Returns: What the process tells its caller.
  public static func run(_ words: [String], on resolver: Resolver = .main) -> ProgramStatus {
    withResolver(resolver) {
      @Inject(\.console) var console
      do {
        try run(CommandLineWords(words), on: resolver, console)
        return .done
      } catch let error as BoxOfficeError {
        console.complain(error.description)
        return error.status
      } catch {
        console.complain("\(error)")
        return .file
      }
    }
  }

  private static func run(
    _ words: CommandLineWords, on resolver: Resolver, _ console: any Console
  ) throws {
    let settings = Settings(season: words[.season], store: words[.store])
    resolver.registerProduction(settings)
    switch words.command {
    case .help: console.say(help)
    case .report: console.say(try resolver.resolve(Report.self).text())
    case .sell:
      let order = try SellOrder(words)
      let currency = try resolver.resolve((any SeasonSource).self).season().currency
      order.registerDiscount(on: resolver)
      console.say(try order.sell(on: resolver).sentence(in: currency))
      let outbox = try resolver.resolve(Settings.self).outbox
      console.say("The receipt is in \(outbox.shortPath).")
    case .rehearse: try Rehearsal(words, of: settings, on: resolver).run(console)
    }
  }

  static let help = """
    Sells seats for the performances of a season.

    box-office sell --performance ID --seats A1,A2 [--patron NAME] [--discount PERCENT]
        Sells seats, keeps the sale in the store and writes a receipt to the store's outbox.
    box-office report
        Prints how many seats are sold, and what was taken, for each performance.
    box-office rehearse [options of sell]
        Makes a sale with a layer of fakes over production; prints who answered for what, and
        that production's store is untouched. Picks free seats itself if told none.
    box-office help
        Prints this.

    --season FILE  the season, as JSON; the sample that comes with the program unless given
    --store DIR    where sales are kept; ./\(Settings.usualStore) unless given

    --understudy-profile NAME
                   runs with the profile's doubles under everything; so does UNDERSTUDY_PROFILE.
                   There is 'rehearsal': sales go to a folder of their own that is thrown away.

    Exit status: 0 done, 1 the sale is refused, 2 the command line is wrong, 3 a file is.
    """
}
