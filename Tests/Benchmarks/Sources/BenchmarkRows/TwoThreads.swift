// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Synchronization
import Understudy

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How two threads that run the same operation slow each other down.
enum TwoThreads {
  private static let rounds = 15
  private static let count = 200_000

  /// The results, one line each.
  static func lines() -> [String] {
    let opaque = Opaque(SMTPMailer())
    let cached = comparison(
      { for _ in 0..<$0 { _ = Resolver.main.resolve { $0.mailer } } },
      with: { for _ in 0..<$0 { _ = opaque.existing() } })
    let unique = speedUp { for _ in 0..<$0 { _ = Resolver.main.resolve { $0.small } } }
    let own = speedUp { count in
      let resolver = Resolver()
      withOverrides(of: resolver) {
        $0.register(SMTPMailer(2) as any Mailer)
      } operation: {
        for _ in 0..<count { _ = try? resolver.resolve((any Mailer).self) }
      }
    }
    return [
      "two threads, one cached value over one shared object, time: \(cached) (goal 1.2)",
      "two threads, unique values, throughput over one thread: \(unique) (goal 1.8)",
      "two threads, own overrides, throughput over one thread: \(own) (goal 1.8)",
    ]
  }

  /// The time of two threads for one body, divided by their time for another. They alternate.
  private static func comparison(
    _ body: @escaping @Sendable (Int) -> Void, with other: @escaping @Sendable (Int) -> Void
  ) -> Spread {
    Spread((0..<rounds).map { _ in timeOfTwo(body) / timeOfTwo(other) })
  }

  /// The throughput of two threads over that of one, measured before and after.
  private static func speedUp(_ body: @escaping @Sendable (Int) -> Void) -> Spread {
    Spread(
      (0..<rounds).map { _ in
        let before = timeOfOne(body)
        let two = timeOfTwo(body)
        return (before + timeOfOne(body)) / two
      })
  }

  private static func timeOfOne(_ body: @escaping @Sendable (Int) -> Void) -> Double {
    body(count / 10)
    return ContinuousClock().measure { body(count) }.nanoseconds
  }

  /// The time from the start of both threads to the end of both.
  private static func timeOfTwo(_ body: @escaping @Sendable (Int) -> Void) -> Double {
    let start = Start()
    let threads = (0..<2).map { _ in
      Thread {
        body(count / 10)
        start.wait()
        body(count)
      }
    }
    start.waitForOthers()
    return ContinuousClock().measure {
      start.open()
      for thread in threads { thread.join() }
    }.nanoseconds
  }
}

/// The median of some ratios, and the range of their middle half.
private struct Spread: CustomStringConvertible {
  private let sorted: [Double]

  init(_ ratios: [Double]) {
    sorted = ratios.sorted()
  }

  private func quantile(_ share: Double) -> String {
    sorted[Int(Double(sorted.count - 1) * share)].figure
  }

  var description: String { "\(quantile(0.5)) (\(quantile(0.25)) to \(quantile(0.75)))" }
}

/// A point where two threads wait for each other, so that neither starts earlier.
private final class Start: Sendable {
  private let waiting = Atomic<Int>(0)
  private let isOpen = Atomic<Bool>(false)

  func wait() {
    waiting.add(1, ordering: .acquiringAndReleasing)
    while !isOpen.load(ordering: .acquiring) {}
  }

  func waitForOthers() {
    while waiting.load(ordering: .acquiring) < 2 { sched_yield() }
  }

  func open() { isOpen.store(true, ordering: .releasing) }
}

/// A thread that runs a body once.
private struct Thread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  private let thread: pthread_t

  init(_ run: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let body = Unmanaged.passRetained(Body(run)).toOpaque()
    pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, body)
    self.thread = thread
  }

  func join() { pthread_join(thread, nil) }
}
