// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Testing
import Understudy
import UnderstudyTesting

private protocol Courier: Sendable { func deliver() }

private struct CourierSpy: Courier {
  let name = "double"
  func deliver() { deliveries.say(name) }
}

private struct CourierService: Courier {
  func deliver() { deliveries.say("production") }
}

private struct Receipt: Sendable {}

private let deliveries = Transcript<String>()

private let shop: Resolver = {
  let resolver = Resolver(named: "shop")
  resolver.register { CourierService() as any Courier }
  resolver.register { Receipt() }
  return resolver
}()

// sample: capture
private struct Outbox: Sendable {
  @LazyInject var mailer: any Courier

  func send() { mailer.deliver() }
}
// end

private func carry(_ outbox: Outbox) {
  // sample: carry
  let context = OverrideContext.current
  DispatchQueue.global().async {
    context.run { outbox.send() }
  }
  // end
}

private func resolveFirst(_ resolver: Resolver) throws {
  // sample: resolve-first
  let courier: any Courier = try resolver.resolve()
  Task.detached { courier.deliver() }
  // end
}

private func readLog() {
  // sample: log
  print(OverrideLayer.current?.log.tree ?? "no layer is live here")
  // end
}

// sample: adopt
@Suite(
  .serialized,
  .overrides(of: shop, adoptsEscapedWork: true) { $0.register { CourierSpy() as any Courier } })
private struct OutboxTests {
  // end
  @Test func `adopts as its layer says`() {
    #expect(OverrideLayer.current?.root.test?.adoptsEscapedWork == true)
  }
}

/// The samples of `Docs/WhereDidMyDoubleGo.md`, exactly as the page shows them.
@Suite struct `The page about lost doubles` {
  @Test func `shows a strict layer that passes`() throws {
    // sample: strict
    try withOverrides(.strict, of: shop, allowing: Receipt.self) {
      $0.register { CourierSpy() as any Courier }
    } operation: {
      _ = try shop.resolve((any Courier).self)
      _ = try shop.resolve(Receipt.self)
    }
    // end
  }

  @Test func `shows only samples that are compiled here`() throws {
    let here = try String(contentsOfFile: #filePath, encoding: .utf8)
    let page = try String(contentsOf: Page.doubles, encoding: .utf8)
    let samples = Page.samples(of: page)
    #expect(
      samples.keys.sorted() == ["adopt", "capture", "carry", "log", "resolve-first", "strict"])
    #expect(samples == Page.compiled(in: here))
  }

  @Test func `has a row for every way out`() throws {
    let page = try String(contentsOf: Page.doubles, encoding: .utf8)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| where") }
    #expect(rows.count == WayOut.allCases.count)
    #expect(
      rows.count { $0.contains("**issue**") }
        == WayOut.allCases.count { $0.line >= WayOut.detachedTask.line })
  }
}

private enum Page {
  static let doubles = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Docs/WhereDidMyDoubleGo.md")

  /// The Swift samples of a page by name.
  static func samples(of page: String) -> [String: [String]] {
    read(page, from: "<!-- sample: ", to: "```", skipping: 1) { $0.dropLast(" -->".count) }
  }

  /// The named samples of a source file, without indentation and `private`.
  static func compiled(in file: String) -> [String: [String]] {
    read(file, from: "// sample: ", to: "// end", skipping: 0) { $0 }.mapValues { lines in
      let indent = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
      return lines.map {
        String($0.dropFirst(indent)).replacing(#/^private /#, with: "")
      }
    }
  }

  private static func read(
    _ text: String, from start: String, to end: String, skipping skipped: Int,
    name: (Substring) -> Substring
  ) -> [String: [String]] {
    var found: [String: [String]] = [:]
    var current: String?
    var toSkip = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let bare = line.drop { $0 == " " }
      if current == nil, bare.hasPrefix(start) {
        current = String(name(bare.dropFirst(start.count)))
        toSkip = skipped
      } else if let sample = current {
        if toSkip > 0 {
          toSkip -= 1
        } else if bare == end {
          current = nil
        } else {
          found[sample, default: []].append(String(line))
        }
      }
    }
    return found
  }
}
