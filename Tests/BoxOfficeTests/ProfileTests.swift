// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import Foundation
import Testing

/// The program, started as a test of another package starts it.
struct `The executable under a profile` {
  @Test(arguments: [true, false])
  func `sells into a folder of its own`(isChosenByEnvironment: Bool) throws {
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

  @Test func `that it does not offer does nothing, and lists what it does`() throws {
    try Scene.play { scene in
      let words = ["sell", "--performance", "ghost-light", "--seats", "A1"]
      let outcome = try scene.start(words, profile: "live").outcome()
      #expect(outcome.status == ProgramStatus.usage.rawValue)
      #expect(outcome.complaint == "box-office: No profile 'live'. There is only rehearsal.\n")
      #expect(outcome.output == "")
      #expect(try scene.contents(of: "") == [:])
    }
  }

  @Test func `without a name is told as any option without a value`() throws {
    try Scene.play { scene in
      let outcome = try scene.start(["report", "--understudy-profile"], profile: "").outcome()
      #expect(outcome.status == ProgramStatus.usage.rawValue)
      #expect(outcome.complaint == "box-office: '--understudy-profile' needs a value.\n")
    }
  }
}
