// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Understudy

/// Less common requests: with an argument, without an answer, from a task, and of a graph by type.
/// Each is compared with a handwritten equivalent.
enum RequestRows {
  static let initWithArgument = "reference: init of a small class with an argument"
  static let world = "reference: push and pop of a task-local world"
  static let inATask = "reference: the same resolved synchronously, in a task"

  static func all() -> [Row] {
    argument() + missed() + asynchronous() + graph() + pushed()
  }

  private static func argument() -> [Row] {
    let resolver = Resolver()
    resolver.register { (number: Int) in SMTPMailer(number) }
    let resolve: (Int) throws -> Void = { count in
      for index in 0..<count { _ = try resolver.resolve(SMTPMailer.self, with: index) }
    }
    return [
      Row(initWithArgument) { for index in 0..<$0 { _ = makeMailer(index) } },
      Row("one argument", atMost: 5, of: initWithArgument, resolve),
      Row("one argument, under a layer", atMost: 7, of: initWithArgument) { count in
        try underALayer(of: resolver) { try resolve(count) }
      },
    ]
  }

  private static func missed() -> [Row] {
    let resolver = Resolver()
    resolver.register(SMTPMailer())
    let optional: (Int) throws -> Void = { count in
      for _ in 0..<count { _ = try resolver.resolve((any Filler)?.self) }
    }
    let table = [ObjectIdentifier(SMTPMailer.self): 1]
    return [
      Row("reference: a missing key of a dictionary") { count in
        for _ in 0..<count { precondition(table[ObjectIdentifier((any Filler).self)] == nil) }
      },
      Row("nothing registered, an optional", optional),
      Row("nothing registered, an optional, under a layer") { count in
        try underALayer(of: resolver) { try optional(count) }
      },
      Row("nothing registered, an error") { count in
        for _ in 0..<count { _ = try? resolver.resolve((any Filler).self) }
      },
    ]
  }

  private static func asynchronous() -> [Row] {
    let resolver = Resolver()
    resolver.register { SMTPMailer() }
    return [
      Row(inATask) { count in
        wait { for _ in 0..<count { _ = try resolver.resolve(SMTPMailer.self) } }
      },
      Row("resolveAsync of a synchronous block", atMost: 2, of: inATask) { count in
        wait { for _ in 0..<count { _ = try await resolver.resolveAsync(SMTPMailer.self) } }
      },
    ]
  }

  private static func graph() -> [Row] {
    let resolver = Resolver()
    resolver.register { Leaf() }
    resolver.register { Twig() }
    resolver.register { r in Branch(try r.resolve()) }
    resolver.register { r in Tree(try r.resolve(), try r.resolve()) }
    return [
      Row("a graph of four, by type", atMost: 4, of: Rows.byHand) { count in
        for _ in 0..<count { _ = try resolver.resolve(Tree.self) }
      },
      Row("a graph of four, by type, under a layer", atMost: 4, of: Rows.byHand) { count in
        try underALayer(of: resolver) {
          for _ in 0..<count { _ = try resolver.resolve(Tree.self) }
        }
      },
    ]
  }

  private static func pushed() -> [Row] {
    [
      Row(world) { count in
        for _ in 0..<count {
          var world = World.current
          world.service0 = { Service0() }
          World.$current.withValue(world) { nothing() }
        }
      },
      Row("push and pop, nothing registered", atMost: 1.2, of: world) { count in
        for _ in 0..<count {
          withOverrides { _ in
          } operation: {
            nothing()
          }
        }
      },
    ]
  }

  private static func underALayer(of resolver: Resolver, _ body: () throws -> Void) rethrows {
    try withOverrides(of: resolver) {
      $0.register(FillerDouble())
    } operation: {
      try body()
    }
  }

  /// Runs a body in a task, and blocks this thread until it ends.
  private static func wait(_ body: @escaping @Sendable () async throws -> Void) {
    let end = DispatchSemaphore(value: 0)
    Task {
      do { try await body() } catch { preconditionFailure("\(error)") }
      end.signal()
    }
    end.wait()
  }
}

@inline(never) @_optimize(none)
private func makeMailer(_ number: Int) -> SMTPMailer { SMTPMailer(number) }
