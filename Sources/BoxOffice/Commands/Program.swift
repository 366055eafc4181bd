// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

internal import Foundation
public import Understudy
internal import UnderstudyDefinitions

/// The program. The executable runs it, and a test can run it in its own process.
public enum Program {
  /// Runs one command.
  ///
  /// - Parameters:
  ///   - words: The command line, without the program's name.
  ///   - resolver: The resolver of production.
  /// - Returns: The exit status of the process.
  public static func run(_ words: [String], on resolver: Resolver = .main) -> ProgramStatus {
    withResolver(resolver) {
      @Inject(\.console) var console
      do {
        try run(CommandLineWords(words), on: resolver, console)
        return .done
      } catch let error as BoxOfficeError {
        console.complain(error.description)
        return error.status
      } catch let error as DefinitionError {
        for finding in error.findings { console.complain(finding.inOneLine) }
        return .file
      } catch {
        console.complain("\(error)")
        return .file
      }
    }
  }

  private static func run(
    _ words: CommandLineWords, on resolver: Resolver, _ console: any Console
  ) throws {
    guard words.command != .help else { return console.say(help) }
    let setup = try Setup(words)
    let settings = setup.settings
    resolver.install(setup)
    resolver.registerProduction(settings)
    switch words.command {
    case .help: break
    case .report: console.say(try resolver.resolve(Report.self).text())
    case .sell:
      let order = try SellOrder(words)
      let currency = try resolver.resolve((any SeasonSource).self).season().currency
      order.registerDiscount(on: resolver)
      let sale = try order.sell(on: resolver)
      console.say(sale.sentence(in: currency))
      let outbox = try resolver.resolve(Settings.self).outbox
      if Outbox(directory: outbox).has(sale.number) {
        console.say("The receipt is in \(outbox.shortPath).")
      }
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

    --season FILE    the season, as JSON; the sample that comes with the program unless given
    --store DIR      where sales are kept; ./box-office-data unless given
    --settings FILE  settings, as JSON or a property list, over those that come with the program:
                     season, store, outbox, pricing.standby.minutes, pricing.standby.percent
    --services FILE  definitions of services, over those that come with the program: "mailer",
                     of class BoxOffice.Outbox or BoxOffice.LetterBox

    A variable such as BOX_OFFICE__STORE or BOX_OFFICE__PRICING__STANDBY__PERCENT wins over the
    files, and an option over all.

    --understudy-profile NAME
                   runs with the profile's doubles under everything; so does UNDERSTUDY_PROFILE.
                   There is 'rehearsal': sales go to a temporary folder of each process's own.

    Exit status: 0 done, 1 the sale is refused, 2 the command line is wrong, 3 a file is.
    """
}
