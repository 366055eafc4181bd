// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

/// Requirements that are not a plain function of values.
@Suite struct OddShapesTests {
  protocol Odd {
    func increment(_ value: inout Int) -> Bool
    func map(_ transform: (Int) throws -> Int) rethrows -> Int
    func log(_ message: @autoclosure () -> String)
    func each(_ values: Int...)
    subscript(key: String) -> Int { get set }
    func associate<Value: Sendable>(_ value: Value)
  }

  final class OddDouble: Odd {
    let increments = Spy<Int, (Int, Bool), Never>("increment(_:)")
    let maps = Spy<Void, Int, Never>("map(_:)", placeholder: 0, unstubbed: .relaxed)
    let logs = Spy<String, Void, Never>("log(_:)")
    let eaches = Spy<[Int], Void, Never>("each(_:)")
    let gets = Spy<String, Int, Never>("subscript(_:)")
    let sets = Spy<(String, Int), Void, Never>("subscript(_:newValue:)")
    let associates = Spy<any Sendable, Void, Never>("associate(_:)")

    // The output carries the new value.
    func increment(_ value: inout Int) -> Bool {
      let (new, result) = increments(value)
      value = new
      return result
    }
    // The closure must not escape, so it is run and counted, and never recorded.
    func map(_ transform: (Int) throws -> Int) rethrows -> Int { try transform(maps()) }
    // The value is recorded, not the closure.
    func log(_ message: @autoclosure () -> String) { logs(message()) }
    func each(_ values: Int...) { eaches(values) }
    subscript(key: String) -> Int {
      get { gets(key) }
      set { sets(key, newValue) }
    }
    func associate<Value: Sendable>(_ value: Value) { associates(value) }
  }

  @Test func `they are all recorded as values`() {
    let double = OddDouble()
    double.increments.does { ($0 + 1, true) }
    double.maps.returns(5)
    double.gets.when("a").returns(1)
    var value = 41
    #expect(double.increment(&value))
    #expect(value == 42)
    #expect(double.map { $0 * 2 } == 10)
    #expect(throws: Bounced.self) { try double.map { _ in throw Bounced() } }
    double.log("hel" + "lo")
    double.each(1, 2)
    double["a"] = double["a"] + 1
    double.associate("x")
    #expect(double.increments.calls == [41])
    #expect(double.maps.callCount == 2)
    #expect(double.logs.calls == ["hello"])
    #expect(double.eaches.calls == [[1, 2]])
    #expect(double.sets.calls(with: "a", 2).count == 1)
    #expect(double.associates.calls { $0 as? String == "x" }.count == 1)
  }
}
