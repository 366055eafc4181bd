// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles
import UnderstudyTesting

@testable import Corpus
@testable import CorpusOfFive

// The target's default isolation is the main actor, and the build generates the doubles.

@Suite struct `Doubles in a target on the main actor` {
  @Test func `return values that are not Sendable`() {
    let double = OnMainResultDouble()
    double.spy.find.returns(Document(text: "a"))
    #expect(double.find(1).text == "a")
    double.document = Document(text: "b")
    #expect(double.document.text == "b")
    OnMainResultDouble.spy.make.returns(Unchecked(Document(text: "c")))
    #expect(OnMainResultDouble.make(3).text == "c")
  }

  @Test func `have handlers`() async {
    let double = OnMainClosureDouble()
    double.spy.each.returns { body in body(1) }
    var sum = 0
    double.each { sum += $0 }
    #expect(sum == 1)
    double.spy.name.returns("b")
    #expect(await name(double) == "b")
  }

  @concurrent private func name(_ value: some OnMainClosure) async -> String { value.name(2) }

  @Test func `may be of protocols with members on another actor`() async {
    let double = OnTwoActorsDouble()
    double.spy.show.returns(1)
    #expect(double.show("a") == 1)
    let shared = OnTwoActorsSharedDouble()
    shared.spy.cook.returns(2)
    #expect(await cook(shared) == 2)
    shared.level = 3
    #expect(shared.level == 3)
  }

  @Kitchen private func cook(_ double: OnTwoActorsSharedDouble) -> Int {
    double.cook(Document(text: "soup"))
  }

  @Test func `take closures on the main actor of a module in Swift 5`() async {
    let double = UploadsOfFiveDouble()
    double.spy.upload.returns { progress in
      await progress(50)
      return 7
    }
    var seen = 0
    #expect(await double.upload(1) { seen = $0 } == 7)
    #expect(seen == 50)
    double.later { seen = $0 }
    double.spy.later.calls[0](2)
    #expect(seen == 2)
    let plain = PlainOfFiveDouble()
    plain.spy.load.returns(3)
    #expect(plain.load(1) == 3)
  }
}
