// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The text of `help`.
enum HelpText {
  /// The text for a command, or `nil` if there is no such command.
  static func text(for command: String?) -> String? {
    switch command {
    case nil: general
    case "doubles": doubles
    case "wire": wire
    case "validate": validate
    case "graph": graph
    case "needs": needs
    case "version": "understudy-tool version\n\nPrints the version of the tool."
    case "upgrade": "understudy-tool upgrade\n\nPrints how to get another version of the tool."
    case "help": "understudy-tool help [<command>]\n\nPrints what a command does."
    default: nil
    }
  }

  static let commands = [
    "doubles", "wire", "validate", "graph", "needs", "version", "upgrade", "help",
  ]

  private static let general = """
    understudy-tool <command>

    Commands:
      doubles   Writes a double for every chosen protocol, from the compiler's symbol graphs.
      wire      Writes an assembly that registers what says that it is a component.
      validate  Checks the wiring and writes nothing.
      graph     Draws the wiring: Mermaid, DOT, JSON, text or HTML.
      needs     Prints the modules whose symbol graphs the doubles need, too.
      version   Prints the version of the tool.
      upgrade   Prints how to get another version.
      help      Prints what a command does: 'understudy-tool help doubles'.
    """

  static let upgrade = """
    The tool is a part of the package Understudy and has its version. To get another one:

      1. Change the version of Understudy in your Package.swift, or run 'swift package update'.
      2. Generate again: 'swift package understudy doubles --write', 'swift package understudy wire'.

    Before that, 'doubles --check' and 'wire --check' say which files would change.
    """

  private static let doubles = """
    understudy-tool doubles --symbol-graph <path> --output <directory> [<option>...]

    Writes one file for every chosen protocol. A file that would not change is not touched; a file
    that was edited by hand is left as it is. As a plugin, which finds the graphs by itself:

      swift package understudy doubles --target <target> --output <directory> [<option>...]

    Protocols are chosen with --protocol, or else by a line of their documentation comment:

      - Understudy: double

    The plugin needs no options. Without --output it writes what "doubles" of the configuration says. Without a
    configuration it says which doubles would go below which tests, and writes them with --write.

    Options:
      --symbol-graph <path>  A file or a directory of files '.symbols.json'; repeatable. Give the
                             graphs of the modules as well whose protocols are inherited.
      --module <name>        Only protocols of this module; repeatable.
      --protocol <name>      A name, with or without the module; '*' and '?' are wild; repeatable.
      --output <directory>   Where the files go; '-' prints them instead, and a name that ends in
                             '.swift' is one file for all of them.
      --config <file>        A configuration; else 'understudy.json', if it is there.
      --write                Write without --output, too.
      --check                Write nothing; status 1 if a file is missing or stale.
      --explain              Say what becomes of every requirement.
      --force                Replace files that were edited by hand, too.
      --package <directory>  Refuse an output outside of it; the plugin says so.
    """

  private static let needs = """
    understudy-tool needs --symbol-graph <path> [--module <name>...] [--protocol <name>...]

    Prints the modules that the chosen protocols name and whose symbol graphs are not given, one a line.
    Give 'doubles' the graphs of those as well; the plugin does.
    """

  private static let wire = """
    understudy-tool wire --symbol-graph <path> --output <path> [<option>...]

    Writes one assembly that registers every component of a module, and what makes it is given. As a
    plugin, which finds the graphs by itself:

      swift package understudy wire --target <target> --output <path> [<option>...]

    A component says so in its documentation comment:

      - Understudy: component [cached|once|eager|notCached] [named <name>]
                               [choosing <parameter> by <property>]

    Nothing is written if anything is wrong; every error is printed, as a compiler prints it.

    Options:
    \(wiringOptions)
      --output <path>           The file, or the directory of <name>.swift; '-' prints it instead.
      --name <name>             The assembly; else as the file is called, or <module>Wiring.
      --access <level>          internal, package or public.
      --import <module>         Imported besides what is found; repeatable.
      --lifecycle <lifecycle>   Of components that say none: notCached, cached, once or eager.
      --resolved-output <file>  Where the results go that other modules read.
    \(propertyOptions)
      --check                   Write nothing; status 1 if a file is missing or stale.
      --force                   Replace files that were edited by hand, too.
    """

  private static let propertyOptions = """
      --properties <file>       A file of properties, JSON or a property list; '*' and '?' are wild;
                                repeatable, the last that says one wins.
      --properties-from <cmd>   A command of the shell that prints properties as JSON; repeatable.
    """

  private static let validate = """
    understudy-tool validate --symbol-graph <path> [<option>...]

    Checks what 'wire' would write, and writes nothing. Prints every error with its place.

    With --properties it also checks every place of the module's sources that reads a configuration
    property by a literal path: that the files say it, unless it may be missing, and as what.

    Options:
    \(wiringOptions)
    \(propertyOptions)
    """

  private static let graph = """
    understudy-tool graph --symbol-graph <path> [<option>...]

    Draws what 'wire' would write: who needs whom. Prints it, or writes it to a file.

    Options:
    \(wiringOptions)
      --format <format>         mermaid (the default), dot, json, text or html.
      --output <file>           Where it goes, instead of being printed.
    """

  private static let wiringOptions = """
      --symbol-graph <path>     A file or a directory of files '.symbols.json'; repeatable.
      --module <name>           Only this module; repeatable.
      --config <file>           A configuration; else 'understudy.json', if it is there.
      --resolved <file>         The results of another module; repeatable.
      --provided <type>         A type that is registered by hand; repeatable.
      --package <directory>     Refuse an output outside of it; the plugin says so.
    """
}
