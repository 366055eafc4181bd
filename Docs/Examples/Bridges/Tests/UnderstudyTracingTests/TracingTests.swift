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
  @Test func `has a span below that of its requester`() throws {
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

  @Test func `records the reason of a failure`() {
    let tracer = InMemoryTracer()
    let resolver = Resolver()
    resolver.register { try traced(by: tracer) { () throws -> Store in throw Broken() } }
    #expect(throws: ResolutionError.self) { try resolver.resolve(Store.self) }
    #expect(tracer.finishedSpans.first?.errors.first?.error is Broken)
  }
}

@Suite struct `The creations of a traced resolver` {
  private let tracer = InMemoryTracer()
  private let resolver = Resolver()

  private func registerTill() {
    resolver.register(lifecycle: .cached) { Store() }
    resolver.register(autowiring: Till.init(store:))
  }

  @Test func `have spans, each below that of its requester`() throws {
    registerTill()
    let observation = resolver.traceCreations(by: tracer)
    for _ in 0..<2 { _ = try resolver.resolve(Till.self) }
    observation.cancel()
    _ = try resolver.resolve(Till.self)
    let spans = tracer.finishedSpans
    #expect(spans.map(\.operationName) == ["create 'Store'", "create 'Till'", "create 'Till'"])
    #expect(spans[0].parentSpanID == spans[1].spanID)
    #expect(spans[0].attributes["understudy.key"]?.toSpanAttribute() == .string("'Store'"))
    #expect(spans[0].attributes["understudy.owner"]?.toSpanAttribute() == .string("production"))
    #expect(spans[1].attributes["understudy.owner"]?.toSpanAttribute() == .string("caller"))
    #expect(spans[0].attributes["understudy.layer"] == nil)
    #expect(tracer.activeSpans.isEmpty)
  }

  @Test func `name the layer, and have spans below the caller's`() throws {
    registerTill()
    resolver.traceCreations(by: tracer) { $0.key == AnyKey(Key<Store>()) }
    try withOverrides(of: resolver, named: "matinee") {
      $0.register { Store() }
    } operation: {
      try tracer.withAnySpan("request") { _ in _ = try resolver.resolve(Till.self) }
    }
    let spans = tracer.finishedSpans
    #expect(spans.map(\.operationName) == ["create 'Store'", "request"])
    #expect(spans[0].parentSpanID == spans[1].spanID)
    #expect(spans[0].attributes["understudy.layer"]?.toSpanAttribute() == .string("matinee"))
  }

  @Test func `record the reason of a failure`() {
    resolver.register { () throws -> Store in throw Broken() }
    resolver.traceCreations(by: tracer)
    #expect(throws: ResolutionError.self) { try resolver.resolve(Store.self) }
    #expect(tracer.finishedSpans.first?.errors.first?.error is ResolutionError)
    #expect(tracer.activeSpans.isEmpty)
  }
}
