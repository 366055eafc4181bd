// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Doubles of protocols with a property and a function of one name` {
  @Test func `leave the function to its default implementation`() async throws {
    let a = LabelFunctionDouble()
    a.spy.label.returns("property")
    same([(a as any HasLabel).label, (a as any LabelFunction).label()], ["property", "function"])
    let (c, d) = (HasLabelDouble(), HasTextDouble())
    c.spy.label.returns("label")
    d.spy.label.returns("text")
    same([c.label, String(d.label)], ["label", "text"])
    let b = LabelLenientlyDouble()
    b.spy.label.returns("property")
    same((b as any HasLabel).label, "property")
    same(try await (b as any LabelLeniently).label(), "lenient")
  }

  @Test func `leave the property to its default implementation`() async {
    let a = LabelPropertyDouble()
    a.spy.label.returns("function")
    a.spy.labelAsync.returns("later")
    let it: any LabelProperty = a
    same((a as any HasLabel).label, "property")
    let label: () -> String = it.label
    same(label(), "function")
    let later: () async -> String = it.label
    same(await later(), "later")
    same(a.spy.label.calls.count, 1)
  }

  @Test func `leave the identity and the description to the standard library`() {
    let a = IdentityFunctionDouble()
    a.spy.id.returns(3)
    same((a as any IdentityFunction).id(), 3)
    func identity<Value: Identifiable>(_ value: Value) -> AnyHashable { value.id }
    same(identity(a), AnyHashable(ObjectIdentifier(a)))
    let b = DescribedKeyDouble()
    b.spy.description.returns("spied")
    b.spy.stringValue.returns("key")
    b.spy.intValue.returns(nil)
    same((b as any DescribedKey).description(), "spied")
    same(String(describing: b).contains("key"), true)
  }

  @Test func `leave it to an extension whose condition they meet`() {
    let a = LabelChildDouble()
    a.spy.label.returns("property")
    a.spy.more.returns(1)
    let child: any LabelChild = a
    same([(a as any HasLabel).label, child.label()], ["property", "child"])
    same(child.more(), 1)
    let b = NumberLabelDouble()
    b.spy.label.returns("property")
    b.spy.more.returns(2)
    let number: any NumberLabel = b
    same((b as any HasLabel).label, "property")
    same([number.label(), number.more()], [7, 2])
    let c = SharedLabelChildDouble<String>()
    c.spy.label.returns("property")
    c.spy.more.returns(3)
    let shared: any SharedLabelChild = c
    same((c as any HasLabel).label, "property")
    same([shared.label(), shared.more()], [8, 3])
  }

  @Test func `declare a property with the type that has no default implementation`() {
    let a = TwoSizesDouble()
    a.spy.size.returns(4)
    a.spy.more.returns(5)
    same((a as any NumberSize).size, 4)
    same((a as any TextSize).size, "text")
    same((a as any TwoSizes).more(), 5)
    let (b, c) = (NumberSizeDouble(), TextSizeDouble())
    b.spy.size.returns(6)
    c.spy.size.returns("seven")
    same(b.size, 6)
    same(c.size, "seven")
  }

  @Test func `have the members of a parent beside others with their names`() throws {
    let a = ParentNamesDouble()
    a.spy.encode.returns(1)
    a.spy.hash.returns(2)
    a.spy.description.returns("three")
    let it: any ParentNames = a
    same([it.encode(to: 1), it.hash(into: 1)], [1, 2])
    same(it.description(1), "three")
    same(it.description, "ParentNamesDouble")
    same(Set([a, a]).count, 1)
    ParentNamesDouble.spy.description.returns(4)
    same(ParentNamesDouble.description, 4)
  }
}
