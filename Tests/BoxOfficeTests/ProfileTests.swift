// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import Foundation
import Testing

/// Runs the program as a UI test of another package would.
struct `The executable under a profile` {
  @Test(arguments: [true, false])
  func `sells into its own folder`(isChosenByEnvironment: Bool) throws {
    try Scene.play { scene in
      let words = ["sell", "--performance", "ghost-light", "--seats", "A1"]
      let outcome =
        if isChosenByEnvironment {
          try scene.start(words, profile: "rehearsal").outcome()
        } else {
          try scene.start(words + ["--understudy-profile=rehearsal"], profile: "").outcome()
        }
      #expect(outcome.complaint == "")
      #expect(outcome.status == ProgramStatus.done.rawValue)
      #expect(outcome.output.hasPrefix("Sold A1 for 'ghost-light' to a patron: 12.50 GBP, sale 1."))
      #expect(outcome.output.contains("The receipt is in box-office-rehearsal-"))
      #expect(!FileManager.default.fileExists(atPath: scene.file("box-office-data").path))
    }
  }

  @Test func `that does not exist changes nothing, and lists the existing ones`() throws {
    try Scene.play { scene in
      let words = ["sell", "--performance", "ghost-light", "--seats", "A1"]
      let outcome = try scene.start(words, profile: "live").outcome()
      #expect(outcome.status == ProgramStatus.usage.rawValue)
      #expect(outcome.complaint == "box-office: No profile 'live'. There is only rehearsal.\n")
      #expect(outcome.output == "")
      #expect(try scene.contents(of: "") == [:])
    }
  }

  @Test func `without a name is reported like any option without a value`() throws {
    try Scene.play { scene in
      let outcome = try scene.start(["report", "--understudy-profile"], profile: "").outcome()
      #expect(outcome.status == ProgramStatus.usage.rawValue)
      #expect(outcome.complaint == "box-office: '--understudy-profile' needs a value.\n")
    }
  }
}
