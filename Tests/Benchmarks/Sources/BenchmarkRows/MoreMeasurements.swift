// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Synchronization
import Understudy

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What is no cost of one operation: growth, memory, and two threads.
public enum MoreMeasurements {
  /// What was found, a line each.
  public static func lines() throws -> [String] {
    [registering(), memoryOfOneKey(), try memoryOfOnce()] + threads()
  }

  private static func registering() -> String {
    let clock = ContinuousClock()
    let each = [1_000, 10_000, 100_000].map { count -> String in
      let resolver = Resolver()
      let time = clock.measure {
        for index in 0..<count { resolver.register(SMTPMailer(index), named: index) }
      }
      return "\(count): \((time.nanoseconds / Double(count)).figure) ns"
    }
    return "registering one by one, each: " + each.joined(separator: ", ") + " (goal 300 ns)"
  }

  private static func memoryOfOneKey() -> String {
    let resolver = Resolver()
    func register() {
      for _ in 0..<1_000_000 { resolver.register(SMTPMailer() as any Mailer) }
    }
    resolver.register(SMTPMailer() as any Mailer)
    let before = residentKilobytes()
    register()
    return "1,000,000 registrations of one key: \(residentKilobytes() - before) kB more (goal flat)"
  }

  private static func memoryOfOnce() throws -> String {
    let resolver = Resolver()
    func use(_ range: Range<Int>) throws {
      for index in range {
        resolver.register(SMTPMailer(), named: index, lifecycle: .once)
        _ = try resolver.resolve(SMTPMailer.self, named: index)
      }
    }
    try use(0..<1_000)
    let before = residentKilobytes()
    try use(1_000..<1_001_000)
    let growth = residentKilobytes() - before
    return "1,000,000 once-values of distinct names: \(growth) kB more (goal flat)"
  }

  private static func residentKilobytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, 256, file) != nil else { return 0 }
    let fields = String(
      decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self
    )
    .split(separator: " ")
    return (Int(fields[1]) ?? 0) * 4
  }

  // MARK: Two threads

  private static func threads() -> [String] {
    let opaque = Opaque(SMTPMailer())
    let shared = speedUp { for _ in 0..<$0 { _ = opaque.existing() } }
    let cached = speedUp { for _ in 0..<$0 { _ = Resolver.main.resolve { $0.mailer } } }
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
      "two threads, throughput over one: a shared object \(shared.figure)",
      "two threads, throughput over one: one cached value \(cached.figure)",
      "two threads, throughput over one: unique values \(unique.figure) (goal 1.8)",
      "two threads, throughput over one: own overrides \(own.figure) (goal 1.8)",
    ]
  }

  /// The throughput of two threads over that of one; the median of nine.
  private static func speedUp(_ body: @escaping @Sendable (Int) -> Void) -> Double {
    let count = 100_000
    let clock = ContinuousClock()
    body(count)
    let ratios = (0..<9).map { _ -> Double in
      let one = clock.measure { body(count) }
      let two = clock.measure {
        let threads = (0..<2).map { _ in Thread { body(count) } }
        for thread in threads { thread.join() }
      }
      return 2 * one.nanoseconds / two.nanoseconds
    }
    return ratios.sorted()[ratios.count / 2]
  }
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
