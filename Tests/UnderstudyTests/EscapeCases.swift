// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Understudy
import UnderstudyTesting
import XCTest

/// Every way out of an XCTest case. One case runs at a time and adopts work that escapes from it.
final class EscapeCase: OverridesTestCase {
  private static let production: Resolver = {
    let resolver = Resolver()
    resolver.register { RealPostman() as any Postman }
    resolver.register { r in Clerk(postman: try r.resolve()) }
    resolver.register(lifecycle: .cached) { PostOffice() }
    resolver.register { "nobody overrides this" }
    return resolver
  }()

  override var overriddenResolver: Resolver { EscapeCase.production }

  override func overrides(_ layer: OverrideLayer) throws {
    layer.register { PostmanDouble() as any Postman }
  }

  func testADoubleAnswersOnEveryWayOut() async {
    for way in WayOut.allCases {
      let arrivals = await way.send {
        (try? EscapeCase.production.resolve((any Postman).self).name) ?? "nobody"
      }
      XCTAssertFalse(arrivals.isEmpty)
      XCTAssertEqual(Set(arrivals.map(\.value)), ["double"], "\(way)")
    }
  }

  func testTheGraphHasTheDoubleOnEveryWayOut() async throws {
    _ = try EscapeCase.production.resolve((any Postman).self)
    for way in WayOut.allCases {
      let arrivals = await way.send { EscapeCase.production.graph.layers }
      XCTAssertEqual(Set(arrivals.map(\.value)), [[name]], "\(way)")
    }
  }

  func testADoubleAnswersOnEveryWayOutWithACarriedContext() async {
    let context = OverrideContext.current
    for way in WayOut.allCases {
      let arrivals = await way.send {
        context.run { (try? EscapeCase.production.resolve((any Postman).self).name) ?? "nobody" }
      }
      XCTAssertEqual(Set(arrivals.map(\.value)), ["double"], "\(way)")
    }
  }

  func testWhatDependsOnADoubleIsMadeWithItOnEveryWayOut() async {
    for way in WayOut.allCases {
      let arrivals = await way.send {
        (try? EscapeCase.production.resolve(Clerk.self).postman.name) ?? "nobody"
      }
      XCTAssertEqual(Set(arrivals.map(\.value)), ["double"], "\(way)")
    }
  }

  func testInstancesAreSharedBetweenACaseAndWhatEscapesFromIt() async throws {
    let office = try EscapeCase.production.resolve(PostOffice.self)
    for way in WayOut.allCases {
      let arrivals = await way.send {
        (try? EscapeCase.production.resolve(PostOffice.self)) === office
      }
      XCTAssertEqual(Set(arrivals.map(\.value)), [true], "\(way)")
    }
  }

  func testWhatEscapesIsCounted() async {
    for way in WayOut.allCases where way != .concurrentPerform {
      _ = await way.send { _ = try? EscapeCase.production.resolve((any Postman).self) }
    }
    assertResolved((any Postman).self, count: WayOut.allCases.count - 1)
  }

  func testWhatEscapesCountsWhatTheCaseResolved() async {
    _ = try? EscapeCase.production.resolve((any Postman).self)
    await elsewhere { assertResolved((any Postman).self, count: 1) }
  }

  func testAStaticDoubleAnswersOnEveryWayOut() async {
    let names = { @Sendable in Spy<Void, String, any Error>.static(of: EscapeCase.self, "name()") }
    names().returns("double")
    for way in WayOut.allCases {
      let arrivals = await way.send { (try? names()()) ?? "nobody" }
      XCTAssertEqual(Set(arrivals.map(\.value)), ["double"], "\(way)")
    }
    _ = try? EscapeCase.production.resolve((any Postman).self)
  }

  #if !canImport(ObjectiveC)
    func testTheOverridesOfACaseThatDoesNotRunAreNoLayerOfThis() {
      let other = EscapeCase(name: "other") { _ in }
      XCTAssertNil(other.overrides.outer)
      XCTAssertNil(other.overrides.test)
      XCTAssertTrue(other.overrides.isEnded)
    }
  #endif

  func testEscapedWorkSeesAnInnerLayer() async {
    let names = await withOverrides(.check(.lateOverride, .off), of: EscapeCase.production) {
      $0.register { PostOffice() as any Postman }
    } operation: {
      await WayOut.detachedTask.send {
        (try? EscapeCase.production.resolve((any Postman).self).name) ?? "nobody"
      }
    }
    XCTAssertEqual(names.map(\.value), ["office"])
    _ = try? EscapeCase.production.resolve((any Postman).self)
  }

  func testALayerThatEscapedWorkPushesStandsOnTheCases() async {
    let names = await elsewhere {
      withOverrides(of: EscapeCase.production) {
        $0.register { 1 }
      } operation: {
        _ = try? EscapeCase.production.resolve(Int.self)
        return (try? EscapeCase.production.resolve((any Postman).self).name) ?? "nobody"
      }
    }
    XCTAssertEqual(names, "double")
  }

  func testASynchronousMethodsThreadsSeeTheDouble() {
    let isDone = expectation(description: "done")
    let name = Transcript<String>()
    Thread {
      name.say((try? EscapeCase.production.resolve((any Postman).self).name) ?? "nobody")
      isDone.fulfill()
    }.start()
    wait(for: [isDone], timeout: 300)
    XCTAssertEqual(name.all, ["double"])
  }
}

/// A case that does not inherit `OverridesTestCase`, and uses scopes as layers.
final class PlainEscapeCase: XCTestCase {
  func testADoubleAnswersOnEveryWayOut() async {
    let resolver = Resolver()
    resolver.register { RealPostman() as any Postman }
    await withOverrides(of: resolver) {
      $0.register { PostmanDouble() as any Postman }
    } operation: {
      for way in WayOut.allCases {
        let arrivals = await way.send {
          (try? resolver.resolve((any Postman).self).name) ?? "nobody"
        }
        XCTAssertEqual(Set(arrivals.map(\.value)), ["double"], "\(way)")
      }
    }
  }
}

#if !canImport(ObjectiveC)
  /// A case that another case runs, and whose scope outlives it.
  private final class LeavingCase: XCTestCase {
    static let resolver: Resolver = {
      let resolver = Resolver()
      resolver.register { "production" }
      return resolver
    }()
    static let (released, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    func leaves() {
      let entered = DispatchSemaphore(value: 0)
      Thread {
        withOverrides(of: LeavingCase.resolver, named: "left") {
          $0.register { "double of another case" }
        } operation: {
          _ = try? LeavingCase.resolver.resolve(String.self)
          entered.signal()
          LeavingCase.released.wait()
        }
        LeavingCase.ended.signal()
      }.start()
      entered.wait()
    }
  }

  final class LaterCase: XCTestCase {
    private var failures: [String]? = []

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      if failures?.append(description) != nil { return }
      super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }

    func testALayerOfAnEarlierCaseIsToldThereAndDoesNotAnswer() throws {
      let earlier = LeavingCase(name: "leaves") { ($0 as? LeavingCase)?.leaves() }
      earlier.run()
      let answers = try [
        LeavingCase.resolver.resolve(String.self),
        withOverrides(of: LeavingCase.resolver) {
          $0.register { 1 }
        } operation: {
          _ = try LeavingCase.resolver.resolve(Int.self)
          return try LeavingCase.resolver.resolve(String.self)
        },
      ]
      LeavingCase.released.signal()
      LeavingCase.ended.wait()
      let told = exchange(&failures, with: nil) ?? []
      // On Linux, XCTest loses an assertion after the end of an inner case.
      if answers != ["production", "production"] || told.count != 1
        || !told[0].contains("'LeavingCase.leaves' ended before the operation of its layer.")
      {
        recordFailure(
          withDescription: "\(answers), \(told)", inFile: #filePath, atLine: #line,
          expected: true)
      }
    }
  }
#endif

/// Doubles that are created in work that escapes from a case.
final class EscapedDoublesCase: XCTestCase {
  func testTheCaseFinishesThem() async {
    var traits = LayerTraits(of: Resolver(), named: "case", on: nil, at: CallSite())
    traits.test = RunningTest(name: name, adoptsEscapedWork: true)
    let layer = OverrideLayer(traits)
    let gate = await OverrideLayer.binding(layer) {
      await Task.detached {
        Spy<Void, Void, Never>("ping()").expects(.once)
        Spy<Void, Int?, Never>("level()")().map { XCTFail("level() answered \($0)") }
        return UnderstudyDoubles.Gate()
      }.value
    }
    let waits = Task { try await gate.wait() }
    await gate.waiters(reach: 1)
    XCTAssertEqual(
      layer.end().map { $0.description.prefix { $0 != "\n" } },
      [
        "No stub answers level().", "ping() was expected once, and was never called.",
        "1 task still waits for a gate at the end of the test.",
      ])
    gate.open()
    try? await waits.value
  }
}
