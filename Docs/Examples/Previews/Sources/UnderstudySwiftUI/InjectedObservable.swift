// Part of Understudy: a bridge to SwiftUI.
// SPDX-License-Identifier: MIT

import Observation
import SwiftUI
import Understudy

/// A model that a view observes. It is resolved when the view first reads it, and kept as long as
/// the view's state.
///
/// ```swift
/// struct SeatsView: View {
///   @InjectedObservable(\.seats) private var seats
///   var body: some View { Text("\(seats.count) seats") }
/// }
/// ```
///
/// It is resolved in the context in which the view was created. `$seats` is a `Bindable`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
@propertyWrapper
public struct InjectedObservable<Value: AnyObject & Observable & Sendable>: DynamicProperty {
  @State private var model: LazyModel<Value>

  /// Makes a property for a declared dependency.
  public init(_ dependency: @escaping (Dependencies.Type) -> Dependency<Value>) {
    let context = OverrideContext.current
    _model = State(
      wrappedValue: LazyModel { context.run { Resolver.current.resolve(dependency) } })
  }

  /// The model.
  public var wrappedValue: Value { model.value }

  /// Bindings to the model's properties.
  public var projectedValue: Bindable<Value> { Bindable(model.value) }
}

/// A model that is resolved once. A view is created many times, but keeps the state of the first.
@MainActor
private final class LazyModel<Value> {
  private let make: () -> Value
  private(set) lazy var value = make()

  init(_ make: @escaping () -> Value) {
    self.make = make
  }
}
