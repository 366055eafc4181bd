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
    case "version": "understudy-tool version\n\nPrints the version of the tool."
    case "upgrade": "understudy-tool upgrade\n\nPrints how to get another version of the tool."
    case "help": "understudy-tool help [<command>]\n\nPrints what a command does."
    default: nil
    }
  }

  static let commands = ["doubles", "wire", "validate", "graph", "version", "upgrade", "help"]

  private static let general = """
    understudy-tool <command>

    Commands:
      doubles   Writes a double for every chosen protocol, from the compiler's symbol graphs.
      wire      Writes an assembly that registers every component.
      validate  Checks the wiring and writes nothing.
      graph     Draws the wiring: Mermaid, DOT, JSON, text or HTML.
      version   Prints the version of the tool.
      upgrade   Prints how to get another version.
      help      Prints what a command does: 'understudy-tool help doubles'.
    """

  static let upgrade = """
    The tool is a part of the package Understudy and has its version. To get another one:

      1. Change the version of Understudy in your Package.swift, or run 'swift package update'.
      2. Generate again: 'swift package understudy doubles --write', 'swift package understudy wire'.

    To see which files would change, use 'doubles --check' and 'wire --check'.
    """

  private static let doubles = """
    understudy-tool doubles --symbol-graph <path> --output <directory> [<option>...]

    Writes one file for every chosen protocol. Files that would not change are not touched, and
    files that were edited by hand stay. The plugin finds the symbol graphs itself:

      swift package understudy doubles --target <target> --output <directory> [<option>...]

    Choose protocols with --protocol, or with a line in their documentation comments:

      - Understudy: double

    The plugin needs no options. Without --output, it writes the "doubles" of the configuration. Without a
    configuration, it prints a plan: which doubles go below which tests. With --write it writes them.

    Options:
      --symbol-graph <path>  A file or a directory of files '.symbols.json'; repeatable. Also
                             give the graphs of modules whose protocols are inherited.
      --module <name>        Only protocols of this module; repeatable.
      --protocol <name>      A name, with or without the module; '*' and '?' are wild; repeatable.
      --output <directory>   The directory of the files. '-' prints them instead. A name that
                             ends in '.swift' puts all doubles in one file.
      --config <file>        The configuration. By default 'understudy.json', if it exists.
      --access <level>       internal, package or public, for doubles that several test targets
                             share. By default internal.
      --write                Write even without --output.
      --check                Write nothing; status 1 if a file is missing or stale.
      --explain              Print the result for every requirement. Without --output or --write,
                             nothing is written.
      --force                Replace files that were edited by hand.
      --package <directory>  Refuse an output outside this directory. The plugin sets it.
    """

  private static let wire = """
    understudy-tool wire --symbol-graph <path> --output <path> [<option>...]

    Writes one assembly that registers every component of a module. The plugin finds the symbol
    graphs itself:

      swift package understudy wire --target <target> --output <path> [<option>...]

    Mark a component with a line in its documentation comment:

      - Understudy: component [cached|once|eager|notCached] [named <name>]
                               [choosing <parameter> by <property>]

    If there is an error, nothing is written. Every error is printed in the format of the compiler.

    Options:
    \(wiringOptions)
      --output <path>           The file, or the directory of <name>.swift. '-' prints it instead.
      --name <name>             The assembly. By default the name of the file, or <module>Wiring.
      --access <level>          internal, package or public.
      --import <module>         A further import; repeatable.
      --lifecycle <lifecycle>   For components without one: notCached, cached, once or eager.
      --resolved-output <file>  The file for the results that other modules read.
    \(propertyOptions)
      --check                   Write nothing; status 1 if a file is missing or stale.
      --force                   Replace files that were edited by hand.
    """

  private static let propertyOptions = """
      --properties <file>       A file of properties, JSON or a property list; '*' and '?' are wild;
                                repeatable. The last file with a property wins.
      --properties-from <cmd>   A command of the shell that prints properties as JSON; repeatable.
    """

  private static let validate = """
    understudy-tool validate --symbol-graph <path> [<option>...]

    Checks the wiring and writes nothing. Prints every error with its place.

    With --properties it also checks every place in the module's sources that reads a configuration
    property by a literal path: the files must contain it, unless it is optional, with the right type.

    Options:
    \(wiringOptions)
    \(propertyOptions)
    """

  private static let graph = """
    understudy-tool graph --symbol-graph <path> [<option>...]

    Draws the components and their dependencies. Prints the drawing, or writes it to a file.

    Options:
    \(wiringOptions)
      --format <format>         mermaid (the default), dot, json, text or html.
      --output <file>           The file. By default the drawing is printed.
      --force                   Replace a file that is not a drawing.
    """

  private static let wiringOptions = """
      --symbol-graph <path>     A file or a directory of files '.symbols.json'; repeatable.
      --module <name>           Only this module; repeatable.
      --config <file>           The configuration. By default 'understudy.json', if it exists.
      --resolved <file>         The results of another module; repeatable.
      --provided <type>         A type that is registered by hand; repeatable.
      --package <directory>     Refuse an output outside this directory. The plugin sets it.
    """
}
