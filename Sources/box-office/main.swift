// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import Foundation

exit(Program.main(Array(CommandLine.arguments.dropFirst())).rawValue)
