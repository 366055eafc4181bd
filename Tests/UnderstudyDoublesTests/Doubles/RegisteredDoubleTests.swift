// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
@testable import UnderstudyDoubles

protocol Booth: Sendable {
  func ring() -> Int
  func write(_ text: String)
}

final class BoothDouble: Booth {
  struct Spies {
    let ring = Spy<Void, Int, Never>("ring()")
    let size = SpyProperty<Int>("size", 0)
  }

  let spy = Spies()
  let writes = Spy<String, Void, Never>("write(_:)")

  func ring() -> Int { spy.ring() }
  func write(_ text: String) { writes(text) }
}

actor BoothActor {
  let writes = Spy<String, Void, Never>("write(_:)")
}

extension Dependencies {
  fileprivate static var booth: Dependency<any Booth> { Dependency { BoothDouble() as any Booth } }
}

/// The ways to register a double that was made above the layer.
enum RegisteringForm: CaseIterable {
  case block, instance, factory, value, override, overrideWith, decorator, named, production
  case weak

  func register(_ booth: BoothDouble, on layer: OverrideLayer) {
    switch self {
    case .block: layer.register { booth as any Booth }
    case .instance: layer.register(instance: booth as any Booth)
    case .factory: layer.register(factory: booth as any Booth)
    case .value: layer.register(booth as any Booth)
    case .override: layer.override(\.booth) { booth }
    case .overrideWith: layer.override(\.booth, with: booth)
    case .decorator:
      layer.register { BoothDouble() as any Booth }
      layer.decorate((any Booth).self) { _ in booth }
    case .named: layer.register(named: "booth") { booth as any Booth }
    case .production: layer.resolver.register(lifecycle: .cached) { booth as any Booth }
    case .weak: layer.register(weak: booth as any Booth)
    }
  }

  func resolve(from resolver: Resolver) throws -> any Booth {
    switch self {
    case .override, .overrideWith: resolver.resolve(\.booth)
    case .named: try resolver.resolve(named: "booth")
    default: try resolver.resolve()
    }
  }
}

/// The forms of a double that may have a spy or none.
enum VaryingBooth: CaseIterable {
  case optional, collection, enumeration

  func register(_ spy: Spy<String, Void, Never>?, on layer: OverrideLayer) {
    switch self {
    case .optional: layer.register(WithOptional(line: spy))
    case .collection: layer.register(WithCollection(lines: spy.map { [$0] } ?? []))
    case .enumeration: layer.register(WithEnumeration(line: spy.map { .spied($0) } ?? .dead))
    }
  }

  private struct WithOptional: Sendable { let line: Spy<String, Void, Never>? }
  private struct WithCollection: Sendable { let lines: [Spy<String, Void, Never>] }
  private struct WithEnumeration: Sendable { let line: Line }
  private enum Line: Sendable { case dead, spied(Spy<String, Void, Never>) }
}

/// A layer that a test pushes with `withOverrides`.
private func layerOfTest(on outer: OverrideLayer? = nil) -> OverrideLayer {
  var traits = LayerTraits(of: Resolver(), named: "test", on: outer, at: CallSite())
  if outer == nil { traits.test = RunningTest(name: "a booth", adoptsEscapedWork: false) }
  traits.options = .check(.unusedOverride, .off)
  return OverrideLayer(traits)
}

private func lines(_ violations: [Violation]) -> [String] {
  violations.map(\.description.firstLine)
}

private let unmet = "write(any arguments) was expected once, and was never called."
private let unused = "The stub of ring() answered no call."
private let late = "write(\"late\") was called after its double was finished."

@Suite(.strayViolationsKept) struct `A double that was made above its layer` {
  /// The double is retained by its own stub, so that only a layer can tell its findings.
  @Test(arguments: RegisteringForm.allCases, [true, false])
  func `is finished with the layer that hands it out, with all its spies`(
    form: RegisteringForm, isOneSpyCalled: Bool
  ) throws {
    let booth = BoothDouble()
    booth.spy.ring.does { booth.writes.callCount }
    booth.writes.expects(.once)
    let layer = layerOfTest()
    form.register(booth, on: layer)
    var held: (any Booth)?
    try OverrideLayer.binding(layer) {
      held = try form.resolve(from: layer.resolver)
      if isOneSpyCalled { _ = held?.ring() }
    }
    #expect(lines(layer.end()) == (isOneSpyCalled ? [unmet] : [unused, unmet]))
    held?.write("late")
    #expect(lines(booth.writes.finish()) == [late])
  }

  /// The layer has the value itself.
  @Test func `is finished with the layer of which it is a value, also if it is never resolved`() {
    let booth = BoothDouble()
    booth.writes.expects(.once)
    let layer = layerOfTest()
    layer.register(booth as any Booth)
    #expect(lines(layer.end()) == [unmet])
    booth.write("late")
    #expect(lines(booth.writes.finish()) == [late])
  }

  @Test func `is finished by the outermost layer, if an inner one hands it out`() throws {
    let booth = BoothDouble()
    booth.writes.expects(.once)
    let outer = layerOfTest()
    let inner = layerOfTest(on: outer)
    inner.register { booth as any Booth }
    let held: any Booth = try OverrideLayer.binding(inner) { try inner.resolver.resolve() }
    #expect(inner.end() == [])
    #expect(lines(outer.end()) == [unmet])
    held.write("late")
    #expect(lines(booth.writes.finish()) == [late])
  }

  @Test func `is finished with its layer, if it is an actor`() throws {
    let booth = BoothActor()
    booth.writes.expects(.once)
    let layer = layerOfTest()
    layer.register { booth }
    _ = try OverrideLayer.binding(layer) { try layer.resolver.resolve(BoothActor.self) }
    #expect(lines(layer.end()) == [unmet])
  }

  /// A type is remembered as one without spies only if all its values have none.
  @Test(arguments: VaryingBooth.allCases)
  func `is found also if another value of its type had no spies`(form: VaryingBooth) {
    for spy in [nil, Spy<String, Void, Never>("write(_:)")] {
      let layer = layerOfTest()
      form.register(spy, on: layer)
      // While this double waits, the layer searches.
      let waiting = BoothDouble()
      spy?.expects(.once)
      #expect(lines(layer.end()) == (spy == nil ? [] : [unmet]))
      withExtendedLifetime(waiting) {}
    }
  }

  /// Nothing tells which double a block would have returned.
  @Test(arguments: [RegisteringForm.block, .instance, .factory, .override, .overrideWith])
  func `stays with its test, if its layer never runs the block that has it`(
    form: RegisteringForm
  ) throws {
    let booth = BoothDouble()
    booth.writes.expects(.once)
    let layer = layerOfTest()
    form.register(booth, on: layer)
    #expect(layer.end() == [])
    booth.write("in time")
    #expect(booth.writes.finish() == [])
  }
}
