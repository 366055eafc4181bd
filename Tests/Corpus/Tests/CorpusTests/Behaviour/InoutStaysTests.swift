// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite(.relaxed) struct `Without a stub, the value of an inout parameter stays` {
  @Test func `beside a result`() async throws {
    let one = InoutResultDouble()
    var value = 5
    same(one.bump(&value, by: 2), false)
    same(value, 5)
    let double = InoutFormsDouble()
    var optional: Int? = 5
    same(double.optional(&optional), nil)
    same(optional, 5)
    same(try double.failing(&value), false)
    same(value, 5)
    same(try await double.wait(&value, for: "a"), "")
    same(value, 5)
    var text = "a"
    same(double.many(&value, 1, 2, 3, 4, 5, &text), 0)
    same(value, 5)
    same(text, "a")
  }

  @Test func `if it is a function`() async {
    let double = InoutFunctionsDouble()
    var body: (Int) -> Int = { $0 + 1 }
    double.wrap(&body)
    same(body(1), 2)
    same(double.spy.wrap.calls.map { $0(1) }, [2])
    double.spy.wrap.returns { $0 + 5 }
    double.wrap(&body)
    same(body(1), 6)
    let shared = InoutFunctionsSharedDouble()
    await shared.wrap(&body)
    same(body(1), 6)
  }

  @Test func `if it is not Sendable`() async {
    let double = InoutSharedDouble()
    let scratch = Scratch()
    var value = scratch
    double.take(&value)
    #expect(value === scratch)
    var count = 5
    double.exchange(&value, &count, by: Scratch())
    #expect(value === scratch)
    same(count, 5)
    same(await double.open(&value, 1), 0)
    #expect(value === scratch)
  }

  @MainActor @Test func `on an actor`() async {
    let double = InoutOnMainDouble()
    var value = 5
    same(double.bump(&value), false)
    same(value, 5)
    let scratch = Scratch()
    var other = scratch
    same(double.take(&other), 0)
    #expect(other === scratch)
  }

  @Test func `in an actor`() async {
    func use(_ double: isolated InoutActorDouble) {
      var value = 5
      same(double.bump(&value), false)
      same(value, 5)
      let scratch = Scratch()
      var other = scratch
      double.take(&other)
      #expect(other === scratch)
    }
    await use(InoutActorDouble())
  }

  @Test func `if it is generic`() async throws {
    let double = InoutGenericDouble()
    var value = Document(text: "a")
    let document = value
    double.reset(&value)
    #expect(value === document)
    var count = 5
    same(try double.both(&value, &count), 0)
    #expect(value === document)
    same(count, 5)
    same(try double.typed(&value).count, 0)
    #expect(value === document)
    same(await double.wait(&value), 0)
    #expect(value === document)
  }

  @Test func `if the requirement is static`() async throws {
    var value = 5
    InoutStaticDouble.bump(&value)
    same(value, 5)
    same(await InoutStaticDouble.count(&value), 0)
    same(value, 5)
    let scratch = Scratch()
    var other = scratch
    same(try InoutStaticDouble.open(&other), 0)
    #expect(other === scratch)
    InoutStaticDouble.reset(&other)
    #expect(other === scratch)
    same(try InoutStaticDouble.both(&other, &value), 0)
    #expect(other === scratch)
    same(value, 5)
  }

  @Test func `of an initialiser, which does not fail`() throws {
    var value = 5
    _ = InoutInitializersDouble(&value)
    same(value, 5)
    var text = "a"
    #expect(InoutInitializersDouble(text: &text) != nil)
    same(text, "a")
    let scratch = Scratch()
    var other = scratch
    _ = InoutInitializersDouble(scratch: &other)
    #expect(other === scratch)
    #expect(try InoutInitializersDouble(any: &other) != nil)
    #expect(other === scratch)
  }
}

@Suite struct `A stub of an inout parameter has a new value` {
  @Test func `for every form`() throws {
    let double = InoutFormsDouble()
    double.spy.many.returns((1, 2, "b"))
    var (value, text) = (5, "a")
    same(double.many(&value, 1, 2, 3, 4, 5, &text), 1)
    same(value, 2)
    same(text, "b")
    let generic = InoutGenericDouble()
    generic.spy.typed.returns(([1], 3))
    same(try generic.typed(&value), [1])
    same(value, 3)
    let shared = InoutSharedDouble()
    let scratch = Scratch()
    shared.spy.exchange.returns(Unchecked((scratch, 4)))
    var other = Scratch()
    shared.exchange(&other, &value, by: Scratch())
    #expect(other === scratch)
    same(value, 4)
  }
}
