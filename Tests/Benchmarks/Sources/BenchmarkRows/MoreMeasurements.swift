// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Measurements that are not the cost of one operation: growth, and memory.
public enum MoreMeasurements {
  /// The results, one line each.
  public static func lines() throws -> [String] {
    [registering(), memoryOfOneKey(), try memoryOfOnce()] + TwoThreads.lines()
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
}
