// Part of Understudy: a bridge to swift-distributed-tracing.
// SPDX-License-Identifier: MIT

import InMemoryTracing
import Testing
import Tracing
import UnderstudyTesting
import UnderstudyTracing

private struct Store: Sendable {}

private struct Till: Sendable {
  let store: Store
}

private struct Broken: Error {}

@Suite struct `A traced creation` {
  @Test func `has a span, below that of what asked for it`() throws {
    let tracer = InMemoryTracer()
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { traced(by: tracer) { Store() } }
    resolver.register { r in try traced(by: tracer) { Till(store: try r.resolve()) } }
    _ = try resolver.resolve(Till.self)
    _ = try resolver.resolve(Till.self)
    let spans = tracer.finishedSpans
    #expect(spans.map(\.operationName) == ["create Store", "create Till", "create Till"])
    #expect(spans[0].parentSpanID == spans[1].spanID)
    #expect(spans[0].attributes["understudy.key"]?.toSpanAttribute() == .string("Store"))
    #expect(spans[0].attributes["understudy.layer"] == nil)
  }

  @Test func `names the layer that it runs under`() throws {
    let tracer = InMemoryTracer()
    let resolver = Resolver()
    try withOverrides(of: resolver, named: "matinee") {
      $0.register { traced(by: tracer) { Store() } }
    } operation: {
      _ = try resolver.resolve(Store.self)
    }
    let layer = tracer.finishedSpans.first?.attributes["understudy.layer"]
    #expect(layer?.toSpanAttribute() == .string("matinee"))
  }

  @Test func `records why it failed`() {
    let tracer = InMemoryTracer()
    let resolver = Resolver()
    resolver.register { try traced(by: tracer) { () throws -> Store in throw Broken() } }
    #expect(throws: ResolutionError.self) { try resolver.resolve(Store.self) }
    #expect(tracer.finishedSpans.first?.errors.first?.error is Broken)
  }
}
