// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@Suite struct `After a test` {
  @Test(.leavesNothing) func `no instance, registration or resolver is alive`() throws {
    let resolver = Resolver()
    resolver.register(named: 0, lifecycle: .cached) { made() }
    resolver.register(named: 1) { made() }
    resolver.register(named: 2, lifecycle: .once) { made() }
    resolver.register(named: 3, lifecycle: .cached) { resolver in
      made(from: try resolver.resolve(Part.self, named: 0))
    }
    Lifetimes.watch(resolver)
    for key in [3, 0, 1, 2] { _ = try resolver.resolve(Part.self, named: key) }
    resolver.unregister(Key<Part>(named: 0))
  }

  @Test(.leavesNothing, arguments: [false, true])
  func `no layer and no instance of a layer is alive`(isBoundary: Bool) throws {
    let resolver = Resolver()
    resolver.register(named: 0, lifecycle: .cached) { made() }
    resolver.register(named: 1, lifecycle: .cached) { resolver in
      made(from: try resolver.resolve(Part.self, named: 0))
    }
    try withOverrides(
      [.check(.lateOverride, .off)], of: resolver, named: "outer", isBoundary: isBoundary
    ) {
      $0.register(named: 0, lifecycle: .cached) { made() }
      Lifetimes.watch($0)
    } operation: {
      _ = try resolver.resolve(Part.self, named: 1)
      try withOverrides(of: resolver, named: "inner") {
        $0.decorate(Part.self, named: 0) { made(from: $0) }
        Lifetimes.watch($0)
      } operation: {
        _ = try resolver.resolve(Part.self, named: 1)
      }
    }
    Lifetimes.watch(resolver)
  }

  @Test(.leavesNothing) func `no waiter, cycle or error retains anything`() async throws {
    let resolver = Resolver()
    resolver.register(named: 0, lifecycle: .cached) { resolver in
      await Task.yield()
      return made(from: try await resolver.resolveAsync(Part.self, named: 1))
    }
    resolver.register(named: 1, lifecycle: .cached) { resolver in
      _ = try? await resolver.resolveAsync(Part.self, named: 0)
      return made(from: try await resolver.resolveAsync(Part.self, named: 2))
    }
    resolver.register(named: 2, lifecycle: .cached) { () throws -> Part in
      _ = made()
      throw Broken()
    }
    Lifetimes.watch(resolver)
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<8 {
        group.addTask { _ = try? await resolver.resolveAsync(Part.self, named: index % 3) }
      }
    }
  }

  // The check itself can fail.
  @Test func `an object that is alive is found`() async throws {
    let lifetimes = Lifetimes()
    let left = Lock<Part?>(nil)
    let resolver = Resolver()
    Lifetimes.$current.withValue(lifetimes) {
      let part = made()
      left.withLock { $0 = part }
      Lifetimes.watch(resolver)
    }
    #expect(lifetimes.survivors == ["an instance", "a resolver"])
    left.withLock { $0 = nil }
    #expect(lifetimes.survivors == ["a resolver"])
    withExtendedLifetime(resolver) {}
  }
}

/// Makes a part that must not outlive the test.
@discardableResult
private func made(from part: Part? = nil) -> Part {
  Lifetimes.watch(Part(0, of: 0, from: part.map { [$0.serial] } ?? []), "an instance")
}

/// The resident memory of this process, in bytes. Only Linux reports it.
private func residentMemory() -> Int? {
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
    return nil
  }
  return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
}

/// Does some work twice, and fails this process if the second time takes memory.
private func expectNoGrowth(_ work: () -> Void) {
  work()
  guard let before = residentMemory() else { return }
  work()
  let growth = (residentMemory() ?? 0) - before
  print("grew by \(growth) bytes")
  guard growth < 1 << 20 || Effort.isSanitized else { fatalError("grew by \(growth) bytes") }
}

// Each test has its own process, since other tests would take memory meanwhile.
@Suite(.serialized) struct `Resident memory` {
  @Test func `is unchanged after a million one-time arguments`() async {
    await #expect(processExitsWith: .success) {
      let resolver = Resolver()
      expectNoGrowth {
        for number in 0..<Effort.of(1_000_000) {
          resolver.register(number, lifecycle: .once)
          guard let got = try? resolver.resolve(Int.self), got == number else { fatalError() }
        }
      }
    }
  }

  @Test func `is unchanged after a million one-time names`() async {
    await #expect(processExitsWith: .success) {
      let resolver = Resolver()
      expectNoGrowth {
        for number in 0..<Effort.of(1_000_000) {
          resolver.register(number, named: "job \(number)", lifecycle: .once)
          guard let got = try? resolver.resolve(Int.self, named: "job \(number)"), got == number
          else { fatalError() }
        }
      }
    }
  }

  @Test func `is unchanged after a million one-time arguments under a boundary`() async {
    await #expect(processExitsWith: .success) {
      let resolver = Resolver()
      withOverrides(of: resolver, isBoundary: true) { _ in
      } operation: {
        expectNoGrowth {
          for number in 0..<Effort.of(1_000_000) {
            resolver.register(number, lifecycle: .once)
            guard let got = try? resolver.resolve(Int.self), got == number else { fatalError() }
          }
        }
      }
    }
  }

  @Test func `is unchanged after a hundred thousand layers`() async {
    await #expect(processExitsWith: .success) {
      let resolver = Resolver()
      resolver.register(named: 0, lifecycle: .cached) { Part(1, of: 0) }
      expectNoGrowth {
        for number in 0..<Effort.of(100_000) {
          withOverrides(of: resolver, isBoundary: number.isMultiple(of: 2)) {
            $0.register(lifecycle: .cached) { number }
          } operation: {
            guard let got = try? resolver.resolve(Int.self), got == number else { fatalError() }
            guard (try? resolver.resolve(Part.self, named: 0)) != nil else { fatalError() }
          }
        }
      }
    }
  }

  // The check itself can fail.
  @Test func `that grows ends the process`() async {
    guard residentMemory() != nil, !Effort.isSanitized else { return }
    await #expect(processExitsWith: .failure) {
      var kept: [[UInt8]] = []
      expectNoGrowth { kept.append(Array(repeating: 1, count: 4 << 20)) }
      withExtendedLifetime(kept) {}
    }
  }
}
