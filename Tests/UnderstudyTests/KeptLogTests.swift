// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import Understudy

/// Stays with a layer after its end, until the layer is released.
private final class Straggler: LayerParticipant {
  let outlastsEnd = true

  func willBeFinished(by layer: OverrideLayer) {}
  func finish() -> [Violation] { [] }
}

@Suite struct `A log that is retained longer than its layer` {
  private let resolver = Resolver()

  /// Runs a block under a layer that is then released, and returns the layer's log.
  private func madeUnderLayer(_ body: (OverrideLayer) throws -> Void) rethrows -> ResolutionLog {
    let layer = OverrideLayer(LayerTraits(of: resolver, named: "gone", on: nil, at: CallSite()))
    try OverrideLayer.binding(layer) { try body(layer) }
    return layer.log
  }

  @Test(arguments: [true, false])
  func `keeps its counts, and retains no object of the layer`(isEnded: Bool) throws {
    var witnesses: [Witness] = []
    let log = try madeUnderLayer { layer in
      let value = Bystander()
      witnesses.append(Witness(value))
      layer.register(value)
      layer.register(named: "made", lifecycle: .cached) { Bystander() }
      layer.register(factory: value, named: "unused")
      _ = try resolver.resolve(Bystander.self)
      try witnesses.append(Witness(resolver.resolve(Bystander.self, named: "made")))
      layer.onDispose { [value] in _ = value }
      layer.onDispose(of: Key<Bystander>()) { [value] _ in _ = value }
      if isEnded { _ = layer.end() }
    }
    #expect(log.count(of: Bystander.self) == 1)
    #expect(witnesses.map(\.isGone) == [true, true])
  }

  @Test(arguments: [true, false])
  func `retains no participant beyond the layer's end`(isEnded: Bool) {
    var witness: Witness?
    let log = madeUnderLayer { layer in
      let straggler = Straggler()
      witness = Witness(straggler)
      layer.adopt(straggler)
      if isEnded { _ = layer.end() }
      layer.adopt(straggler)
    }
    #expect(log.events.isEmpty)
    #expect(witness?.isGone == true)
  }

  /// The double stores the log of the layer that stores the double, a cycle that the end breaks.
  @Test func `is released even if a double of the layer retains it`() throws {
    final class Reader: Sendable {
      let log: ResolutionLog
      init(_ log: ResolutionLog) { self.log = log }
    }
    var witness: Witness?
    var log: ResolutionLog? = try madeUnderLayer { layer in
      layer.register(named: "kept", lifecycle: .cached) { Reader(OverrideLayer.current!.log) }
      witness = try Witness(resolver.resolve(Reader.self, named: "kept"))
    }
    let watched = log.map { Witness($0) }
    #expect(witness?.isGone == true && watched?.isThere == true)
    log = nil
    #expect(watched?.isGone == true)
  }
}
