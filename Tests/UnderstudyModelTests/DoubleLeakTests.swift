// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

/// A double that records objects.
private final class Screen: Sendable {
  let shows = Spy<any AnyObject & Sendable, Void, Never>("show(_:)")
  let pairs = Spy<(Int, [Model?]), Void, Never>("show(_:all:)")
  let loads = AsyncSpy<Model, Void, Never>("load(_:)")
  let makes = GenericSpy<Model>("make(_:)")
  let models = SpyProperty<Model?>("model", nil)
}

/// A view model that retains its screen.
private final class Model: Sendable {
  let screen: Screen
  init(_ screen: Screen) { self.screen = screen }
}

@Suite struct `Doubles after a test` {
  enum Cycle: CaseIterable {
    case recordedEachOther, recordedItself, handlerUsesIt, model, modelInTuple, modelOfTask
    case modelOfGenericCall, modelOfProperty
  }

  private func make(_ cycle: Cycle) async throws {
    let screen = Lifetimes.watch(Screen(), "a screen")
    let model = Lifetimes.watch(Model(screen), "a model")
    switch cycle {
    case .recordedEachOther:
      let other = Lifetimes.watch(Screen(), "another screen")
      screen.shows(other)
      other.shows(screen)
    case .recordedItself: screen.shows(screen)
    case .handlerUsesIt:
      screen.shows.does { _ in _ = screen.shows.callCount }
      screen.shows(screen)
    case .model: screen.shows(model)
    case .modelInTuple: screen.pairs(1, [nil, model])
    case .modelOfTask: await screen.loads(model)
    case .modelOfGenericCall:
      screen.makes.returns(7)
      _ = try screen.makes(model, as: Int.self)
    case .modelOfProperty: screen.models.value = model
    }
  }

  @Test(.leavesNothing, .overrides(), arguments: Cycle.allCases)
  func `are released with any recorded values`(cycle: Cycle) async throws {
    try await make(cycle)
  }

  @Test(.leavesNothing, .overrides(), arguments: Cycle.allCases)
  func `are released if a nested layer has finished them`(cycle: Cycle) async throws {
    try await withOverrides { _ in
    } operation: {
      try await make(cycle)
    }
  }

  @Test(.overrides())
  func `keep their calls if only a nested layer has finished them`() {
    let screen = withOverrides { _ in
    } operation: {
      let screen = Screen()
      screen.shows(screen)
      return screen
    }
    #expect(screen.shows.calls.count == 1)
  }
}
