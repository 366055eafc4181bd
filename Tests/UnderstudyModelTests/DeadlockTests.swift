// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

/// A registered graph, and the parts that the workers have received.
private final class Stage: Sendable {
  let graph: Graph
  let resolver = Resolver()
  let activity: Activity
  private let workshop = Workshop()
  private let state: Lock<State>

  private struct State {
    var failuresLeft: [Int]
    var parts: [[Part]]
  }

  init(_ graph: Graph, _ activity: Activity, isAsync: Bool) {
    self.graph = graph
    self.activity = activity
    state = Lock(
      State(
        failuresLeft: graph.nodes.map(\.failures),
        parts: Array(repeating: [], count: graph.nodes.count)))
    for (index, node) in graph.nodes.enumerated() {
      if isAsync {
        resolver.register(Part.self, named: index, lifecycle: .cached) { [unowned self] r in
          activity.enter("\(index)")
          defer { activity.leave() }
          await Task.yield()
          var parts: [Int] = []
          for need in node.needs {
            parts.append(try await r.resolveAsync(Part.self, named: need).serial)
          }
          return try make(index, from: parts)
        }
      } else {
        resolver.register(Part.self, named: index, lifecycle: .cached) { [unowned self] r in
          activity.enter("\(index)")
          defer { activity.leave() }
          sched_yield()
          let parts = try node.needs.map { try r.resolve(Part.self, named: $0).serial }
          return try make(index, from: parts)
        }
      }
    }
  }

  private func make(_ index: Int, from parts: [Int]) throws -> Part {
    try state.withLock { state in
      guard state.failuresLeft[index] == 0 else {
        if state.failuresLeft[index] != .max { state.failuresLeft[index] -= 1 }
        throw Broken()
      }
      let part = workshop.part(of: index, from: parts)
      state.parts[index].append(part)
      return part
    }
  }

  /// Records a worker's result for a node, and returns a description if the result is wrong.
  func problem(_ index: Int, _ result: Result<Part, ResolutionError>) -> String? {
    switch result {
    case .success(let part):
      let first = state.withLock { $0.parts[index].first }
      guard graph.fate(of: index) == .made else { return "\(index) was made, and cannot be" }
      return part === first ? nil : "\(index) was handed out twice"
    case .failure(let error):
      return graph.isSound(index) ? "\(index) was not served: \(error)" : nil
    }
  }

  /// The problems that can only be seen once all workers have ended.
  var problems: [String] {
    let made = state.withLock { $0.parts.map(\.count) }
    return made.enumerated().filter { $0.element > 1 }
      .map { "\($0.offset) was made \($0.element) times" }
  }
}

@Suite(.serialized) struct `Graphs with diamonds, cycles and blocks that throw` {
  @Test(arguments: [2, 3, 4, 8, 16])
  func `serve every thread, and create nothing twice`(threadCount: Int) {
    let activity = Activity()
    let watchdog = Watchdog("\(threadCount) threads", limit: .seconds(1200), activity)
    defer { watchdog.callOff() }
    let crew = Crew(of: threadCount)
    defer { crew.dismiss() }
    for seed in 0..<UInt64(Effort.of(1000)) {
      let stage = Stage(Graph(seed: seed), activity, isAsync: false)
      let problems = Lock<[String]>([])
      crew.perform { member in
        Activity.$worker.withValue(member) {
          for index in order(of: stage.graph, seed, member) {
            activity.enter("asks for")
            defer { activity.leave() }
            let result = Result { () throws(ResolutionError) in
              try stage.resolver.resolve(Part.self, named: index)
            }
            if let problem = stage.problem(index, result) {
              problems.withLock { $0.append(problem) }
            }
          }
        }
      }
      // A node whose block threw at first can be resolved once its block no longer throws.
      for index in stage.graph.nodes.indices where stage.graph.fate(of: index) == .made {
        let tries = (0..<100).lazy.compactMap { _ in
          try? stage.resolver.resolve(Part.self, named: index)
        }
        if tries.first == nil { problems.withLock { $0.append("\(index) is lost") } }
      }
      let found = problems.withLock { $0 } + stage.problems
      guard found.isEmpty else {
        Issue.record("Seed \(seed): \(found)\n\(stage.graph)")
        return
      }
    }
  }

  @Test(arguments: [2, 3, 4, 8, 16])
  func `serve every task, and create nothing twice`(taskCount: Int) async {
    let activity = Activity()
    let watchdog = Watchdog("\(taskCount) tasks", limit: .seconds(1200), activity)
    defer { watchdog.callOff() }
    for seed in 0..<UInt64(Effort.of(1000)) {
      let stage = Stage(Graph(seed: seed), activity, isAsync: true)
      let problems = await withTaskGroup(of: [String].self) { group in
        for member in 0..<taskCount {
          group.addTask {
            await Activity.$worker.withValue(member) {
              var problems: [String] = []
              for index in order(of: stage.graph, seed, member) {
                activity.enter("asks for")
                let result: Result<Part, ResolutionError>
                do throws(ResolutionError) {
                  result = .success(try await stage.resolver.resolveAsync(Part.self, named: index))
                } catch { result = .failure(error) }
                if let problem = stage.problem(index, result) { problems.append(problem) }
                activity.leave()
              }
              return problems
            }
          }
        }
        return await group.reduce(into: []) { $0 += $1 }
      }
      guard problems.isEmpty, stage.problems.isEmpty else {
        Issue.record("Seed \(seed): \(problems + stage.problems)\n\(stage.graph)")
        return
      }
    }
  }

  @Test(arguments: [2, 4, 16])
  func `give every one-time value to one thread, although its block throws at first`(
    threadCount: Int
  ) {
    let activity = Activity()
    let watchdog = Watchdog("\(threadCount) threads", limit: .seconds(1200), activity)
    defer { watchdog.callOff() }
    let crew = Crew(of: threadCount)
    defer { crew.dismiss() }
    let keyCount = 8
    for seed in 0..<UInt64(Effort.of(1000)) {
      let resolver = Resolver()
      let had = Lock(Array(repeating: 0, count: keyCount))
      for index in 0..<keyCount {
        let failures = Lock(index % 3)
        resolver.register(Part.self, named: index, lifecycle: .once) {
          sched_yield()
          let fails = failures.withLock { failures in
            defer { failures = max(0, failures - 1) }
            return failures > 0
          }
          if fails { throw Broken() }
          return Part(index, of: index)
        }
      }
      crew.perform { member in
        var generator = SeededGenerator(seed: seed &* 31 &+ UInt64(member))
        for index in (0..<keyCount).shuffled(using: &generator) {
          if (try? resolver.resolve(Part.self, named: index)) != nil {
            had.withLock { $0[index] += 1 }
          }
        }
      }
      for index in 0..<keyCount {
        for _ in 0..<3 where (try? resolver.resolve(Part.self, named: index)) != nil {
          had.withLock { $0[index] += 1 }
        }
      }
      let counts = had.withLock { $0 }
      guard counts.allSatisfy({ $0 == 1 }) else {
        Issue.record("Seed \(seed): \(counts)")
        return
      }
    }
  }

  private func order(of graph: Graph, _ seed: UInt64, _ member: Int) -> [Int] {
    var generator = SeededGenerator(seed: seed &* 31 &+ UInt64(member))
    return graph.nodes.indices.shuffled(using: &generator)
  }
}

@Suite struct `The watchdog` {
  // A watchdog that does not end the process would be no check.
  @Test func `reports the current work of every worker`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let activity = Activity()
      for worker in 0..<2 {
        Activity.$worker.withValue(worker) {
          activity.enter("a")
          activity.enter("b\(worker)")
        }
      }
      _ = Watchdog("two threads", limit: .zero, activity)
      Latch().wait()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("worker 0: a → b0"))
    #expect(text.contains("worker 1: a → b1"))
  }
}
