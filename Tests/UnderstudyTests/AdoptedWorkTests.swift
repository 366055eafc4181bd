// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Testing
import UnderstudyTesting

@testable import Understudy

/// A single test that adopts escaped work, in its own process so that no other test is live.
@Suite struct `Adopted work` {
  @Test func `gets the answers of the only live test that adopts it`() async {
    await #expect(processExitsWith: .success) {
      for way in WayOut.allCases {
        for isCarried in [false, true] {
          let stage = Stage("adopts \(way) \(isCarried)", adoptsEscapedWork: true)
          let arrivals = await stage.play {
            let context = OverrideContext.current
            return await way.send {
              isCarried
                ? context.run { stage.ask(line: way.line) } : stage.ask(line: way.line)
            }
          }
          #expect(!arrivals.isEmpty)
          #expect(arrivals.filter { $0.value != "double" }.isEmpty, "\(way)")
        }
      }
    }
  }

  @Test func `of an object that is older than an adopting test is no late override`() async {
    await #expect(processExitsWith: .success) {
      struct Sender: Sendable {
        @LazyInject var postman: any Postman
        @Inject var provider: Provider<any Postman>
      }
      let resolver = Resolver()
      resolver.register { RealPostman() as any Postman }
      let sender = withResolver(resolver) { Sender() }
      let layer = Stage.root("adopts", of: resolver, adoptsEscapedWork: true)
      layer.register { PostmanDouble() as any Postman }
      // A case of XCTest runs under its layer, on a thread that belongs to no test.
      let names = await Task.detached {
        OverrideLayer.binding(layer) {
          [sender.postman.name, (try? sender.provider().name) ?? "nobody"]
        }
      }.value
      precondition(names == ["double", "double"], "\(names)")
      let violations = layer.end()
      precondition(violations.isEmpty, "\(violations)")
    }
  }

  @Test func `gets the test's answer for an alias of an overridden type`() async {
    await #expect(processExitsWith: .success) {
      let stage = Stage("adopts optionals and arrays", adoptsEscapedWork: true)
      let names = await stage.play {
        await elsewhere {
          [
            try? stage.resolver.resolve((any Postman)?.self)?.name,
            try? stage.resolver.resolve([any Postman].self).map(\.name).joined(),
          ]
        }
      }
      #expect(names == ["double", "double"])
    }
  }

  @Test func `gets an override of a layer stack that has forked`() async {
    await #expect(processExitsWith: .success) {
      RunIssues.claim(fileID: "UnderstudyTests/Stage.swift")
      let resolver = Resolver()
      resolver.register { RealPostman() as any Postman }
      let root = Stage.root("forked", of: resolver, adoptsEscapedWork: true)
      let pushed = [Passage(), Passage()]
      let asked = Passage()
      await OverrideLayer.binding(root) {
        await withTaskGroup(of: Void.self) { group in
          for index in 0...1 {
            group.addTask {
              await withOverrides(.check(.unusedOverride, .off), of: resolver) {
                if index == 0 { $0.register { PostmanDouble() as any Postman } }
              } operation: {
                pushed[index].open()
                await asked.wait()
              }
            }
          }
          for gate in pushed { await gate.wait() }
          let isRefused = await elsewhere {
            (try? resolver.resolve(
              (any Postman).self, fileID: "UnderstudyTests/Stage.swift", line: 3021)) == nil
          }
          #expect(isRefused)
          asked.open()
          await group.waitForAll()
        }
      }
      #expect(RunIssues.take(mentioning: "'forked'").map(\.callSite.line) == [3021])
      _ = root.end()
    }
  }

  @Test(arguments: [Company.besideATestThatOverridesIt, .besideATestThatDoesNot])
  func `is not adopted while another test is live`(company: Company) async {
    await #expect(processExitsWith: .success) { [company] in
      RunIssues.claim(fileID: "UnderstudyTests/Stage.swift")
      for way in WayOut.allCases {
        let stage = Stage("adopts \(way)", company, adoptsEscapedWork: true)
        let arrivals = await stage.play { await way.send { stage.ask(line: way.line) } }
        let isLost = arrivals.contains { !$0.keptContext }
        let wrong = arrivals.filter { ($0.value == "double") != $0.keptContext }
        #expect(wrong.isEmpty, "who answers \(way)")
        let lines = RunIssues.take(mentioning: stage.name).map(\.callSite.line)
        #expect(lines == (isLost ? [way.line] : []), "what is reported of \(way): \(lines)")
      }
    }
  }
}
