// Part of an example of Understudy: a command-line tool.
// SPDX-License-Identifier: MIT

import Tickets
import Understudy
import UnderstudyCompatibility

var words = Array(CommandLine.arguments.dropFirst())
do {
  try OverrideProfile.start(oneOf: profiles, arguments: &words)
} catch {
  PrintTickets.exit(withError: error)
}
PrintTickets.main(words)
