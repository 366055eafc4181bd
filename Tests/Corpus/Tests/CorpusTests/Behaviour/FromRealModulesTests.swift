// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

@_spi(Other) @_spi(Testing) import Corpus
import CorpusBase
import Foundation
import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Doubles of shapes of real modules` {
  @Test func `take ranges of Foundation`() {
    let double = TakesRangesDouble()
    double.spy.marks.returns([NSRange(location: 1, length: 2)])
    same(double.marks, [NSRange(location: 1, length: 2)])
    double.spy.mark.does { range, _ in range }
    same(double.mark(NSRange(location: 3, length: 4), after: nil).length, 4)
  }

  @Test @MainActor func `have members on two actors`() async {
    let double = OnTwoActorsDouble()
    double.spy.show.returns(1)
    double.spy.name.returns("a")
    same(double.show("a"), 1)
    same(double.name(1), "a")
    same(await cook(), 2)
    let shared = OnTwoActorsSharedDouble()
    shared.level = 3
    same(shared.level, 3)
    shared.spy.load.returns(4)
    same(try? await shared.load(1), 4)
    shared.spy.cook.returns(5)
    same(await cook(shared), 5)
  }

  @Kitchen private func cook() -> Int {
    let double = OnTwoActorsDouble()
    double.spy.cook.returns(2)
    double.spy.document.returns(Document(text: "menu"))
    return double.document.text == "menu" ? double.cook("soup") : 0
  }

  @Kitchen private func cook(_ double: OnTwoActorsSharedDouble) -> Int {
    double.cook(Document(text: "soup"))
  }

  private func item<Value: KeepsDefaults>(of value: Value) -> Value.Item {
    value.item
  }

  @Test func `leave a parent's member to its default`() {
    let parent = KeepsDefaultsDouble<Int>()
    parent.spy.item.returns(1)
    same(parent.item, 1)
    let double = RenamesItemDouble<String, Int>()
    double.spy.first.returns(2)
    double.spy.item.returns("b")
    same(double.item as String, "b")
    same(item(of: double), 2)
  }

  @Test func `have pointers to C functions within types`() {
    let double = PointersWithinDouble()
    double.spy.callbacks.returns([{ $0 + 1 }])
    same(double.callbacks[0](1), 2)
    double.spy.register.does { callback in Int(callback?(2) ?? 0) }
    same(double.register { $0 * 2 }, 4)
  }

  @Test func `may never return`() async {
    let double = RunsForeverDouble()
    double.spy.run.returns { throw Plain() }
    await #expect(throws: Plain.self) { try await double.run(1) }
    same(double.spy.run.calls, [1])
  }

  @Test func `may differ only in case`() {
    let first = URLShelfDouble()
    first.spy.put.returns(1)
    same(first.put(1), 1)
    let second = UrlShelfDouble()
    second.spy.put.returns(2)
    same(second.put(1), 2)
  }

  @Test func `have parents, classes and owners of an SPI group`() {
    let child = SPIChildDouble()
    child.spy.tag.returns(1)
    same(child.tag, 1)
    child.spy.number.returns(2)
    same(child.number, 2)
    let both = SPIOfTwoDouble()
    both.spy.other.returns(3)
    same(both.other(), 3)
    let parent = SPIParentDouble()
    parent.spy.tag.returns(4)
    same(parent.tag, 4)
    let screen = SPIOfScreenDouble()
    screen.spy.show.returns(5)
    same(screen.show(1), 5)
    same(screen.title(), "screen")
    let inner = SPISpaceInnerDouble()
    inner.spy.look.returns(6)
    same(inner.look(1), 6)
  }

  @Test @MainActor func `return values on the main actor that are not Sendable`() async {
    let double = OnMainResultDouble()
    double.spy.find.returns(Document(text: "a"))
    same(double.find(1).text, "a")
    let other = OnMainClosureDouble()
    other.spy.each.returns { body in body(1) }
    var sum = 0
    other.each { sum += $0 }
    same(sum, 1)
  }
}
