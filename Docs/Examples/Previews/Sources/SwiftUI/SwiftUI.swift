// Part of an example of Understudy: a stand-in for SwiftUI.
// SPDX-License-Identifier: MIT
// swift-format-ignore-file

// The parts of SwiftUI that the bridge uses, with the signatures of Apple's SDK. The only behaviour
// is that of stored values. It is built only on Linux, to compile the bridge.

import Observation

@MainActor
public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("a view that has no body was asked for it") }
}

public struct Text: View {
  public init(_ text: String) {}
  public var body: Never { fatalError("a view that has no body was asked for it") }
}

@resultBuilder
@MainActor
public enum ViewBuilder {
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

@MainActor
public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

@MainActor
@propertyWrapper
public struct State<Value>: DynamicProperty {
  private final class Storage {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private let storage: Storage

  public init(wrappedValue value: Value) { storage = Storage(value) }

  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set { storage.value = newValue }
  }
}

@MainActor
@propertyWrapper
public struct Bindable<Value: AnyObject & Observable> {
  public var wrappedValue: Value
  public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@MainActor
public struct PreviewModifierContent: View {
  public var body: Never { fatalError("a view that has no body was asked for it") }
}

@MainActor
public protocol PreviewModifier {
  associatedtype Context = Void
  associatedtype Body: View
  typealias Content = PreviewModifierContent
  static func makeSharedContext() async throws -> Context
  @ViewBuilder func body(content: Content, context: Context) -> Body
}

extension PreviewModifier where Context == Void {
  public static func makeSharedContext() async throws {}
}

public enum Preview {
  public struct ViewTraits {}
}

public struct PreviewTrait<T> {
  @MainActor
  public static func modifier(
    _ modifier: some PreviewModifier
  ) -> PreviewTrait<T> where T == Preview.ViewTraits {
    PreviewTrait()
  }
}
