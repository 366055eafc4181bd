// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

@Suite struct HiddenMemberTests {
  private func members(_ source: String) -> [String] {
    HiddenMember.all(in: source, of: "App").map { member in
      let words = [member.access, member.setter.map { "\($0)(set)" }, member.owner + ":"]
      return (words.compactMap { $0 } + [member.text]).joined(separator: " ")
    }
  }

  @Test func `a member that is unavailable everywhere is found`() {
    let source = """
      open class Screen<Item>: Base {
        @available(*, unavailable, message: "func { ( \\" ) }")
        @discardableResult public final func show(
          _ item: [Item], at place: (x: Int, y: Int)
        ) async throws(Failure)
          -> Item { item.func() }
        func next() {}
        @available(*, unavailable) static func ==<T>(a: T, b: Array<T>?) -> Bool { a < b }
        @available(macOS, unavailable) func later() {}
        @available(*, deprecated) func older() {}
        /* @available(*, unavailable) */ func newer() {}
        @available(*, unavailable) open class func all() -> [Int]
        { [] }
        @available(*, unavailable) convenience init?(name: String) { self.init() }
        @available(*, unavailable) subscript(row: Int) -> Int { 1 }
        @available(*, unavailable)
        package var width: Int = 1
        @available(*, unavailable) private var height: Int { func local() {}; return 1 }
      }
      """
    #expect(
      members(source) == [
        "public Screen: public final func show( _ item: [Item], at place: (x: Int, y: Int) ) async"
          + " throws(Failure) -> Item",
        "Screen: static func ==<T>(a: T, b: Array<T>?) -> Bool",
        "open Screen: open class func all() -> [Int]",
        "Screen: convenience init?(name: String)",
        "Screen: subscript(row: Int) -> Int",
        "package Screen: package var width: Int",
        "private Screen: private var height: Int",
      ])
  }

  @Test func `a setter with an access level of its own is found`() {
    let source = """
      public class Screen {
        public private(set) subscript(row: Int) -> Int { get { 1 } set {} }
        open internal(set) var width: Int { get { 1 } set {} }
        fileprivate(set) lazy var height = "(set)"
        private var depth: Int = 1
      }
      """
    #expect(
      members(source) == [
        "public private(set) Screen: public subscript(row: Int) -> Int",
        "open internal(set) Screen: open var width: Int",
        "fileprivate(set) Screen: lazy var height",
      ])
  }

  @Test func `an extension and a nested type have their own members`() {
    let source = """
      enum Space {
        class Screen { @available(*, unavailable) func show() {} }
      }
      @available(*, unavailable) public extension Space.Screen {
        func hide() {}
        class Part { var size: Int { 1 } }
      }
      package extension Space { struct Inner { package(set) static var all: Int { get set } } }
      """
    #expect(
      members(source) == [
        "Space.Screen: func show()", "public Space.Screen: func hide()",
        "Space.Screen.Part: var size: Int",
        "package(set) Space.Inner: static var all: Int",
      ])
  }

  @Test func `a keyword that is a name, a label or a value begins no type`() {
    let source = """
      open class Screen {
        init(actor: Actor) { self.actor = actor
          super.init()
        }
        func move(class name: String, extension: Int) {}
        func start() { run(protocol: actor)
          if isOn { stop() }
        }
        let actor: Actor = actor
        deinit {}
        case actor
        typealias Item = Int
        @available(*, unavailable) public func show() {}
      }
      class Last
      """
    #expect(members(source) == ["public Screen: public func show()"])
  }

  @Test func `the member of an extension is told from that of the type`() {
    let source = """
      class Screen { @available(*, unavailable) func show() {} }
      extension Screen {
        @available(*, unavailable) func hide() {}
        class Part { @available(*, unavailable) func show() {} }
      }
      """
    let found = HiddenMember.all(in: source, of: "App")
    #expect(found.map(\.isOfExtension) == [false, true, false])
  }
}
