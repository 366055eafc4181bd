// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What `help` prints.
enum HelpText {
  /// The text for a command; `nil` if there is none of that name.
  static func text(for command: String?) -> String? {
    switch command {
    case nil: general
    case "doubles": doubles
    case "version": "understudy-tool version\n\nPrints the version of the tool."
    case "help": "understudy-tool help [<command>]\n\nPrints what a command does."
    default: nil
    }
  }

  static let commands = ["doubles", "version", "help"]

  private static let general = """
    understudy-tool <command>

    Commands:
      doubles   Writes a double for every chosen protocol, from the compiler's symbol graphs.
      version   Prints the version of the tool.
      help      Prints what a command does: 'understudy-tool help doubles'.
    """

  private static let doubles = """
    understudy-tool doubles --symbol-graph <path> --output <directory> [<option>...]

    Writes one file for every chosen protocol. A file that would not change is not touched; a file
    that was edited by hand is left as it is. As a plugin, which finds the graphs by itself:

      swift package understudy doubles --target <target> --output <directory> [<option>...]

    Protocols are chosen with --protocol, or else by a line of their documentation comment:

      - Understudy: double

    Options:
      --symbol-graph <path>  A file or a directory of files '.symbols.json'; repeatable. Give the
                             graphs of the modules as well whose protocols are inherited.
      --module <name>        Only protocols of this module; repeatable.
      --protocol <name>      A name, with or without the module; '*' and '?' are wild; repeatable.
      --output <directory>   Where the files go.
      --check                Write nothing; status 1 if a file is missing or stale.
      --explain              Say what becomes of every requirement.
      --force                Replace files that were edited by hand, too.
    """
}
