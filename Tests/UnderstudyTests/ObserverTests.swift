// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyCompatibility
import UnderstudyTesting
@testable import Understudy

private protocol Motor: Sendable {}

private final class Engine: Motor {}

private final class Car: Sendable {
  let engine: Engine

  init(engine: Engine) {
    self.engine = engine
  }
}

private final class Garage: Sendable {}

/// A value that is not `Sendable`.
private final class Sketch {}

extension Dependencies {
  fileprivate static var garage: Dependency<Garage> {
    Dependency(lifecycle: .cached) { Garage() }
  }
}

@Suite struct `An observer of a resolver` {
  private let resolver = Resolver(named: "observed")

  init() { RunIssues.claim() }

  private func registerCar() {
    resolver.register(lifecycle: .cached) { Engine() }
    resolver.register(autowiring: Car.init(engine:))
  }

  /// True if the cache answers a request. It runs under a layer, since production's cache is not
  /// used while another test has a layer.
  private func isCached(by resolver: Resolver) throws -> Bool {
    for _ in 0..<2 { _ = try resolver.resolve(Engine.self) }
    return resolver.cacheAnswers(Engine.self)
  }

  /// A function in a lock could be wrapped once more by each access, until the stack ends.
  @Test func `an observer is called as directly as before after many events`() throws {
    let resolver = Resolver()
    resolver.register { 1 }
    let depths = Lock<[UInt]>([])
    resolver.observe { event in
      guard event.kind == .resolved else { return }
      var local = 0
      let address = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
      depths.withLock { $0.append(address) }
    }
    for _ in 0..<100 { _ = try resolver.resolve(Int.self) }
    #expect(depths.withLock { $0.count } == 100)
    #expect(Set(depths.withLock { $0 }).count == 1)
  }

  @Test func `receives every event in order, each with its facts`() throws {
    let events = ReceivedEvents(of: resolver)
    let madeAt = #line + 1
    resolver.register(lifecycle: .cached) { Engine() }
    resolver.register(autowiring: Car.init(engine:))
    #expect(events.all.map(\.callSite.line) == [madeAt, madeAt + 1])
    #expect(events.all.allSatisfy { $0.order == nil && $0.parent == nil && $0.error == nil })
    #expect(events.next() == ["registered Engine", "registered Car"])

    let askedAt = #line + 1
    _ = try resolver.resolve(Car.self)
    let all = events.all
    #expect(
      events.next() == [
        "creating Car", "creating Engine", "created Engine owned by production",
        "resolved Engine owned by production", "created Car owned by caller",
        "resolved Car owned by caller",
      ])
    #expect(all[5].callSite.line == askedAt)
    #expect(Set(all.map(\.order)) == [all[0].order, all[1].order])
    #expect(all.map(\.parent) == [nil, all[0].order, all[0].order, all[0].order, nil, nil])
    #expect(all[3].path.map { TypeDescription.of($0.type) } == ["Car", "Engine"])
    #expect(all[5].path == [all[5].key])

    _ = try resolver.resolve(Engine.self)
    #expect(events.next() == ["resolved Engine owned by production"])
    resolver.unregister(Key<Engine>())
    #expect(events.next() == ["disposed Engine owned by production"])
  }

  @Test func `receives each request, even if the answer could be cached`() throws {
    registerCar()
    for _ in 0..<3 { _ = try resolver.resolve(Engine.self) }
    for _ in 0..<3 { _ = try resolver.resolve(Car.self) }
    let events = ReceivedEvents(of: resolver)
    for _ in 0..<3 { _ = try resolver.resolve(Engine.self) }
    for _ in 0..<3 { _ = try resolver.resolve(Car.self) }
    #expect(events.all.count { $0.kind == .resolved } == 9)
    #expect(events.all.count { $0.kind == .created } == 3)
  }

  @Test func `receives the disposal of an instance whose registration a request uses up`() throws {
    resolver.register(lifecycle: .cached) { Engine() }
    let events = ReceivedEvents(of: resolver)
    _ = try resolver.resolve(Engine.self)
    _ = events.next()
    _ = try resolver.resolve(Engine.self, lifecycle: .once)
    #expect(
      Set(events.next()) == [
        "disposed Engine owned by production", "resolved Engine owned by production",
      ])
    try withLayer(of: resolver, named: "matinee") {
      $0.register(lifecycle: .cached) { Engine() }
    } operation: {
      _ = try resolver.resolve(Engine.self)
      _ = events.next()
      _ = try resolver.resolve(Engine.self, lifecycle: .once)
      #expect(events.next().contains("disposed Engine by matinee owned by layer 'matinee'"))
    }
  }

  @Test func `receives no disposal of an instance that is used up before it is stored`() throws {
    let resolver = resolver
    resolver.register(lifecycle: .cached) { () -> Engine in
      resolver.register(lifecycle: .cached) { Engine() }
      return Engine()
    }
    let events = ReceivedEvents(of: resolver)
    _ = try resolver.resolve(Engine.self)
    #expect(
      events.next() == [
        "creating Engine", "registered Engine", "created Engine owned by caller",
        "resolved Engine owned by caller",
      ])
  }

  @Test func `receives requests for declared dependencies and of each wrapper`() throws {
    let events = ReceivedEvents(of: resolver)
    registerCar()
    _ = events.next()
    struct Driver {
      @Inject var car: Car
      @Inject(\.garage) var garage
    }
    withResolver(resolver) { _ = Driver() }
    #expect(events.all.filter { $0.kind == .resolved && $0.path.count == 1 }.count == 2)
    #expect(events.lines.contains("created Garage owned by production"))
  }

  @Test func `receives a missing value once, even if the caller continues without it`() throws {
    let events = ReceivedEvents(of: resolver)
    #expect(throws: ResolutionError.self) { try resolver.resolve(Engine.self) }
    #expect(events.next() == ["missed Engine"])
    try #expect(resolver.resolve(Engine?.self) == nil)
    #expect(events.next() == ["missed Engine"])
  }

  @Test func `receives the reason of a failed request`() throws {
    struct Flat: Error {}
    resolver.register { () throws -> Engine in throw Flat() }
    resolver.register(autowiring: Car.init(engine:))
    let events = ReceivedEvents(of: resolver)
    #expect(throws: ResolutionError.self) { try resolver.resolve(Car.self) }
    #expect(
      events.lines == ["creating Car", "creating Engine", "failed Engine", "failed Car"])
    let error = try #require(events.all.last?.error as? ResolutionError)
    guard case .failed(let reason) = error.reason else { throw error }
    #expect(reason is Flat)
  }

  @Test func `receives a request that is refused because its work escaped`() async throws {
    let stage = Stage("an observed escape")
    let resolver = stage.resolver
    let events = ReceivedEvents(of: resolver)
    let askedAt = #line + 3
    await stage.play {
      await Task.detached {
        #expect(throws: ResolutionError.self) {
          try resolver.resolve((any Postman).self)
        }
        #expect(throws: ResolutionError.self) { try resolver.resolve((any Postman)?.self) }
        #expect(throws: ResolutionError.self) { try resolver.resolve([any Postman].self) }
        await #expect(throws: ResolutionError.self) {
          try await resolver.resolveAsync((any Postman).self)
        }
      }.value
    }
    #expect(!RunIssues.take(mentioning: stage.name).isEmpty)
    let all = events.all
    #expect(
      events.lines == [
        "failed any Postman", "failed (any Postman)?", "failed [any Postman]", "failed any Postman",
      ])
    #expect(all.first?.callSite.line == askedAt)
    for event in all {
      #expect((event.error as? ResolutionError)?.kind == "unattributed")
      #expect(event.order != nil && event.parent == nil && event.path == [event.key])
    }
  }

  /// The wrapper continues with production's answer. The observer receives the failure before it.
  @Test func `receives a wrapper's request in escaped work, and no lookup`()
    async throws
  {
    struct Sender {
      @Inject var postman: any Postman
    }
    let stage = Stage("an observed wrapper escapes")
    let resolver = stage.resolver
    let events = ReceivedEvents(of: resolver)
    await stage.play {
      await Task.detached {
        #expect(resolver.existing((any Postman).self) == nil)
        #expect(withResolver(resolver) { Sender() }.postman.name == "production")
      }.value
    }
    #expect(!RunIssues.take(mentioning: stage.name).isEmpty)
    #expect(
      events.lines == [
        "failed any Postman", "creating any Postman", "created any Postman owned by caller",
        "resolved any Postman owned by caller",
      ])
  }

  @Test func `receives a weak wrapper's request in escaped work`() async throws {
    let stage = Stage("an observed weak wrapper escapes")
    let resolver = stage.resolver
    let events = ReceivedEvents(of: resolver)
    await stage.play {
      await Task.detached { _ = withResolver(resolver) { WeakInject<any Postman>() } }.value
    }
    #expect(!RunIssues.take(mentioning: stage.name).isEmpty)
    #expect(events.lines.first == "failed any Postman")
  }

  @Test func `receives a request under a layer that has ended`() async throws {
    let stage = Stage("an observed end")
    let context = await stage.play { OverrideContext.current }
    let events = ReceivedEvents(of: stage.resolver)
    withKnownIssue {
      context.run {
        _ = #expect(throws: ResolutionError.self) {
          try stage.resolver.resolve((any Postman).self)
        }
      }
    }
    #expect(events.lines == ["failed any Postman"])
    #expect((events.all.first?.error as? ResolutionError)?.kind == "layerEnded")
  }

  @Test func `receives a request that the live guard or a strict layer refuses`() async throws {
    struct Driver {
      @Inject var engine: Engine
    }
    let resolver = resolver
    resolver.register(inTests: .mustBeOverridden) { Engine() }
    resolver.register { Garage() }
    let events = ReceivedEvents(of: resolver)
    await withKnownIssue {
      #expect(throws: ResolutionError.self) { try resolver.resolve(Engine.self) }
      #expect(throws: ResolutionError.self) { try resolver.resolve(Engine?.self) }
      await #expect(throws: ResolutionError.self) { try await resolver.resolveAsync(Engine.self) }
    }
    #expect(!withResolver(resolver) { Driver() }.$engine.isAvailable)
    #expect(
      events.all.map { ($0.error as? ResolutionError)?.kind }
        == Array(repeating: "mustBeOverridden", count: 4))
    #expect(events.next() == Array(repeating: "failed Engine", count: 4))
    withKnownIssue {
      withOverrides(.strict, of: resolver) { _ in
      } operation: {
        _ = #expect(throws: ResolutionError.self) { try resolver.resolve(Garage.self) }
      }
    }
    #expect(events.all.map { ($0.error as? ResolutionError)?.kind } == ["fellThrough"])
    #expect(events.lines == ["failed Garage"])
  }

  @Test func `receives the names of layers`() throws {
    registerCar()
    let events = ReceivedEvents(of: resolver)
    try withLayer(of: resolver, named: "matinee") {
      $0.register(lifecycle: .cached) { Engine() }
    } operation: {
      _ = try resolver.resolve(Car.self)
    }
    #expect(
      events.lines == [
        "registered Engine by matinee", "creating Car", "creating Engine by matinee",
        "created Engine by matinee owned by layer 'matinee'",
        "resolved Engine by matinee owned by layer 'matinee'", "created Car owned by caller",
        "resolved Car owned by caller", "disposed Engine by matinee owned by layer 'matinee'",
      ])
  }

  @Test func `receives a layer as the owner of instances of production's registrations`() throws {
    registerCar()
    let events = ReceivedEvents(of: resolver)
    try withLayer(of: resolver, named: "boundary", isBoundary: true) { _ in
    } operation: {
      for _ in 0..<2 { _ = try resolver.resolve(Engine.self) }
    }
    #expect(
      events.lines == [
        "creating Engine", "created Engine owned by layer 'boundary'",
        "resolved Engine owned by layer 'boundary'", "resolved Engine owned by layer 'boundary'",
        "disposed Engine by boundary owned by layer 'boundary'",
      ])
  }

  @Test func `receives each disposal, the newest instance first`() throws {
    resolver.register(lifecycle: .cached) { Engine() }
    resolver.register(lifecycle: .cached) { Garage() }
    let events = ReceivedEvents(of: resolver)
    _ = try (resolver.resolve(Engine.self), resolver.resolve(Garage.self))
    _ = events.next()
    resolver.reset(.instances)
    let disposals = ["disposed Garage owned by production", "disposed Engine owned by production"]
    #expect(events.next() == disposals)
    try withLayer(of: resolver, named: "boundary", isBoundary: true) { _ in
    } operation: {
      _ = try (resolver.resolve(Engine.self), resolver.resolve(Garage.self))
    }
    #expect(
      events.lines.suffix(2) == [
        "disposed Garage by boundary owned by layer 'boundary'",
        "disposed Engine by boundary owned by layer 'boundary'",
      ])
    resolver.register { Engine() }
    #expect(events.all.count { $0.kind == .disposed } == 2)
    _ = events.next()
    do {
      let child = Resolver(parent: resolver)
      child.register(lifecycle: .cached) { Engine() }
      child.register(lifecycle: .cached) { Garage() }
      _ = try (child.resolve(Engine.self), child.resolve(Garage.self))
      _ = events.next()
    }
    #expect(events.next() == disposals)
  }

  @Test func `receives a fault, and the request that the fault forwards`() throws {
    resolver.register { Engine() }
    let events = ReceivedEvents(of: resolver)
    try withLayer(of: resolver, named: "faulty") {
      $0.fault(Engine.self, .throwing(Mishap()), on: .first(1))
    } operation: {
      #expect(throws: ResolutionError.self) { try resolver.resolve(Engine.self) }
      _ = try resolver.resolve(Engine.self)
    }
    #expect(
      events.lines == [
        "registered Engine by faulty", "failed Engine by faulty", "creating Engine",
        "created Engine owned by caller", "resolved Engine owned by caller",
      ])
  }

  @Test func `receives both blocks of a decorated value, and one request`() throws {
    resolver.register { Engine() as any Motor }
    let events = ReceivedEvents(of: resolver)
    try withLayer(of: resolver, named: "loud") {
      $0.decorate((any Motor).self) { _ in Engine() }
    } operation: {
      _ = try resolver.resolve((any Motor).self)
    }
    #expect(
      events.lines == [
        "registered any Motor by loud", "creating any Motor by loud", "creating any Motor",
        "created any Motor owned by caller", "created any Motor by loud owned by caller",
        "resolved any Motor by loud owned by caller",
      ])
  }

  @Test func `receives no creation for a value that existed before`() throws {
    resolver.register(Engine())
    let events = ReceivedEvents(of: resolver)
    _ = try resolver.resolve(Engine.self)
    resolver.unregister(Key<Engine>())
    #expect(events.lines == ["resolved Engine owned by production"])
  }

  @Test func `of a parent receives events of its children`() throws {
    registerCar()
    let child = Resolver(named: "child", parent: resolver)
    for _ in 0..<3 { _ = try child.resolve(Engine.self) }
    let (ofParent, ofChild) = (ReceivedEvents(of: resolver), ReceivedEvents(of: child))
    for _ in 0..<3 { _ = try child.resolve(Engine.self) }
    let expected = Array(repeating: "resolved Engine owned by production", count: 3)
    #expect(ofParent.next() == expected)
    #expect(ofChild.next() == expected)
    _ = try resolver.resolve(Engine.self)
    #expect(ofParent.next().count == 1)
    #expect(ofChild.next() == [])
  }

  @Test func `receives asynchronous creations, and creations on the main actor`() async throws {
    resolver.register { () async -> Engine in
      await Task.yield()
      return Engine()
    }
    resolver.register { @MainActor in Garage() }
    let events = ReceivedEvents(of: resolver)
    _ = try await resolver.resolveAsync(Engine.self)
    #expect(
      events.next() == [
        "creating Engine", "created Engine owned by caller", "resolved Engine owned by caller",
      ])
    _ = try await resolver.resolveAsync(Garage.self)
    #expect(
      events.next() == [
        "creating Garage", "created Garage owned by caller", "resolved Garage owned by caller",
      ])
  }

  @Test func `receives one creation for an alias`() throws {
    resolver.alias(resolver.register { Engine() }, as: (any Motor).self)
    let events = ReceivedEvents(of: resolver)
    _ = try resolver.resolve((any Motor).self)
    #expect(events.all.count { $0.kind == .created } == 1)
    #expect(events.all.count { $0.kind == .resolved } == 2)
  }

  @Test func `receives each value, even one that is not Sendable`() throws {
    resolver.register { Sketch() }
    resolver.register(lifecycle: .cached) { Engine() }
    let seen = Lock<[String]>([])
    resolver.observeValues { value, event in
      seen.withLock { $0.append("\(event.kind) \(type(of: value))") }
    }
    _ = try resolver.resolve(Sketch.self)
    for _ in 0..<2 { _ = try resolver.resolve(Engine.self) }
    try #expect(resolver.resolve(Car?.self) == nil)
    #expect(
      seen.withLock { $0 } == [
        "created Sketch", "resolved Sketch", "created Engine", "resolved Engine",
        "resolved Engine",
      ])
  }

  // MARK: Calls from an observer

  @Test func `may resolve, and that request is not observed`() throws {
    registerCar()
    let count = Tally()
    resolver.observe { [resolver] event in
      count.next()
      // The instance is stored before the observer receives the event.
      if event.kind == .created { _ = try? resolver.resolve(Engine.self) }
      if event.kind == .registered { resolver.register { 7 } }
    }
    _ = try resolver.resolve(Engine.self)
    #expect(count.count == 3)
    resolver.register { "text" }
    #expect(count.count == 4)
    try #expect(resolver.resolve(Int.self) == 7)
  }

  @Test func `gets an error if it resolves the value that is being created`() throws {
    resolver.register(lifecycle: .cached) { Engine() }
    resolver.register(autowiring: Car.init(engine:), lifecycle: .cached)
    let kind = Box<String?>(nil)
    resolver.observe { [resolver] event in
      guard event.kind == .created, event.key == AnyKey(Key<Engine>()) else { return }
      do throws(ResolutionError) { _ = try resolver.resolve(Car.self) } catch {
        kind.value = error.kind
      }
    }
    _ = try resolver.resolve(Car.self)
    #expect(kind.value == "cycle")
  }

  @Test(.timeLimit(.minutes(20)), arguments: [nil, "sync", "async"] as [String?])
  func `gets an error if it resolves what is about to be created`(form: String?) async throws {
    resolver.register(autowiring: Car.init(engine:), lifecycle: .cached)
    if form == "async" {
      resolver.register(lifecycle: .cached) { () async in Engine() }
    } else {
      resolver.register(lifecycle: form == nil ? .notCached : .cached) { Engine() }
    }
    let kinds = Lock<[String]>([])
    resolver.observe { [resolver] event in
      guard event.kind == .creating else { return }
      do throws(ResolutionError) {
        if event.key == AnyKey(Key<Engine>()) { _ = try resolver.resolve(Engine.self) }
        _ = try resolver.resolve(Car.self)
      } catch {
        kinds.withLock { $0.append(error.kind) }
      }
    }
    if form == "async" {
      _ = try await resolver.resolveAsync(Engine.self)
      #expect(kinds.withLock { $0 } == ["cycle"])
    } else {
      _ = try resolver.resolve(Car.self)
      #expect(kinds.withLock { $0 } == ["cycle", "cycle"])
    }
  }

  @Test func `may cancel itself`() throws {
    registerCar()
    let (count, observation) = (Tally(), Box<ResolverObservation?>(nil))
    observation.value = resolver.observe { _ in
      count.next()
      observation.value?.cancel()
    }
    _ = try resolver.resolve(Car.self)
    #expect(count.count == 1)
  }

  @Test func `is released when it is cancelled, and the cache answers again`() throws {
    registerCar()
    weak var released: Engine?
    let observation: ResolverObservation
    do {
      let engine = Engine()
      released = engine
      observation = resolver.observe { _ in withExtendedLifetime(engine) {} }
    }
    #expect(released != nil && resolver.isObserved)
    try withLayer(of: resolver) { _ in
    } operation: {
      try #expect(!isCached(by: resolver))
      observation.cancel()
      observation.cancel()
      #expect(released == nil && !resolver.isObserved)
      try #expect(isCached(by: resolver) == ResolutionCache.isEnabled)
    }
  }

  @Test func `is released with its resolver`() throws {
    weak var released: Engine?
    let observation: ResolverObservation
    do {
      let (resolver, engine) = (Resolver(), Engine())
      released = engine
      observation = resolver.observe { _ in withExtendedLifetime(engine) {} }
      resolver.observe { _ in }
    }
    observation.cancel()
    #expect(released == nil)
  }

  @Test func `of one resolver leaves the cache of other resolvers on`() throws {
    let other = Resolver()
    other.register(lifecycle: .cached) { Engine() }
    resolver.observe { _ in }
    try withLayer(of: other) { _ in
    } operation: {
      try #expect(isCached(by: other) == ResolutionCache.isEnabled)
    }
  }

  @Test func `changes no result`() throws {
    registerCar()
    resolver.observe { _ in }
    let engine = try resolver.resolve(Engine.self)
    try #expect(resolver.resolve(Car.self).engine === engine)
    try withLayer(of: resolver) {
      $0.register(Engine())
    } operation: {
      try #expect(resolver.resolve(Car.self).engine !== engine)
      #expect(OverrideLayer.current?.log.counts(of: Key<Car>()).made == 1)
      #expect(OverrideLayer.current?.log.tree.hasPrefix("Car") == true)
    }
  }
}
