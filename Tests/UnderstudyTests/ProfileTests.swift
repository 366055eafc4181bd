// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

@testable import UnderstudyCompatibility

/// A layer under the whole process. A started profile lasts as long as its process, so these tests
/// run in processes of their own.
@Suite struct `A profile` {
  private static let offered = ["rehearsal", "demo"].map { name in
    OverrideProfile(name) { $0.register(name, named: "profile") }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let words: [String]
    var variable: String?
    let name: String?
    var rest: [String] = []

    var testDescription: String { "\(words) \(variable ?? "-")" }
  }

  @Test(arguments: [
    Row(words: [], name: nil),
    Row(words: [], variable: "", name: nil),
    Row(words: [], variable: "demo", name: "demo"),
    Row(words: ["sell", "--seats", "A1"], name: nil, rest: ["sell", "--seats", "A1"]),
    Row(words: ["--understudy-profile", "demo", "sell"], name: "demo", rest: ["sell"]),
    Row(words: ["sell", "--understudy-profile=demo"], variable: "x", name: "demo", rest: ["sell"]),
    Row(
      words: ["--understudy-profile=rehearsal", "--understudy-profile", "demo"], name: "demo"),
    Row(
      words: ["--", "--understudy-profile", "demo"], name: nil,
      rest: ["--", "--understudy-profile", "demo"]),
  ])
  func `is chosen by an argument, or by the environment`(row: Row) throws {
    var words = row.words
    let choice = try ProfileChoice(&words, variable: row.variable)
    #expect(choice.name == row.name)
    #expect(words == row.rest)
    #expect(try choice.profile(of: Self.offered)?.name == row.name)
  }

  @Test func `of a program that offers none is none, also if one is named`() throws {
    var words = ["--understudy-profile", "demo"]
    #expect(try ProfileChoice(&words, variable: nil).profile(of: []) == nil)
    #expect(try ProfileChoice(&words, variable: "demo").profile(of: []) == nil)
    #expect(words == [])
  }

  private func message(_ words: String..., variable: String? = nil) -> String {
    do throws(OverrideProfileError) {
      var words = words
      _ = try ProfileChoice(&words, variable: variable).profile(of: Self.offered)
      return "no error"
    } catch {
      return error.description
    }
  }

  @Test func `of an unknown name is an error that lists the known ones`() {
    #expect(
      message(variable: "rehersal") == """
        No profile 'rehersal'.
          Asked for by  UNDERSTUDY_PROFILE
          Offered       rehearsal, demo
        To fix:  Choose an offered profile, or none.
        Did you mean 'rehearsal'?
        """)
    #expect(
      message("--understudy-profile=live", variable: "demo") == """
        No profile 'live'.
          Asked for by  --understudy-profile
          Offered       rehearsal, demo
        To fix:  Choose an offered profile, or none.
        """)
  }

  @Test(arguments: [["--understudy-profile"], ["--understudy-profile="]])
  func `without a name is an error`(words: [String]) {
    var words = words
    let error = #expect(throws: OverrideProfileError.self) {
      _ = try ProfileChoice(&words, variable: nil)
    }
    #expect(
      error?.description == """
        '--understudy-profile' names no profile.
        To fix:  Write a name after it:  --understudy-profile NAME
        """)
  }

  @Test func `is seen by every task, thread and queue, below every other layer`() async {
    await #expect(processExitsWith: .success) {
      Resolver.main.register("production", named: "who")
      var words = ["--understudy-profile", "demo"]
      try OverrideProfile.start(
        oneOf: [OverrideProfile("demo") { $0.register("profile", named: "who") }], arguments: &words
      )
      let who: @Sendable () -> String? = { try? Resolver.main.resolve(named: "who") }
      precondition(who() == "profile")
      let detached = await Task.detached { who() }.value
      precondition(detached == "profile")
      let queued = await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: who()) }
      }
      precondition(queued == "profile")
      let threaded = await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: who()) }
      }
      precondition(threaded == "profile")
      // An instance of production was created under the profile, too.
      final class Holder: Sendable { let context = OverrideContext.current }
      Resolver.main.register(lifecycle: .cached) { Holder() }
      let holder: Holder = try Resolver.main.resolve()
      precondition(holder.context.run { who() } == "profile")
      withOverrides(.check(.unusedOverride, .off)) {
        $0.register("layer", named: "who")
      } operation: {
        precondition(who() == "layer")
      }
      withOverrides(.check(.unusedOverride, .off)) {
        $0.register(1)
      } operation: {
        precondition(who() == "profile")
      }
      precondition(OverrideLayer.current?.name == "demo")
    }
  }

  @Test func `does not answer work that lost the context of a test that overrides it`() async {
    await #expect(processExitsWith: .success) {
      var words = ["--understudy-profile", "demo"]
      try OverrideProfile.start(
        oneOf: [OverrideProfile("demo") { $0.register("profile", named: "who") }], arguments: &words
      )
      let layer = Stage.root("test", of: .main, adoptsEscapedWork: false)
      layer.register("double", named: "who")
      // An issue of the run would end the test process with a failure.
      RunIssues.claim()
      let error = await Task.detached {
        resolutionError { _ = try Resolver.main.resolve(String.self, named: "who") }
      }.value
      precondition(error?.kind == "unattributed", "\(String(describing: error))")
      precondition(RunIssues.take(mentioning: "test").count == 1)
      _ = layer.end()
      let later = await Task.detached { try? Resolver.main.resolve(String.self, named: "who") }
        .value
      precondition(later == "profile")
    }
  }

  @Test func `without a request is not created`() async {
    await #expect(processExitsWith: .success) {
      let layer = try OverrideProfile.start(oneOf: [
        OverrideProfile("demo") { _ in preconditionFailure() }
      ])
      precondition(layer == nil && OverrideLayer.current == nil)
    }
  }

  @Test func `is too late once layers were searched`() async {
    await #expect(processExitsWith: .success) {
      withOverrides(.check(.unusedOverride, .off)) {
        $0.register(1)
      } operation: {
        precondition(OverrideLayer.current != nil)
      }
      var words = ["--understudy-profile", "demo"]
      do {
        try OverrideProfile.start(oneOf: [OverrideProfile("demo") { _ in }], arguments: &words)
        preconditionFailure("It was not refused.")
      } catch {
        precondition(
          "\(error)" == """
            The profile 'demo' is started too late: code has already looked for a layer.
            To fix:  Start one profile, before any other code of the program.
            """)
      }
      precondition(OverrideLayer.current == nil)
    }
  }

  @Test func `that throws is an error`() async {
    await #expect(processExitsWith: .success) {
      struct Mishap: Error {}
      var words = ["--understudy-profile", "demo"]
      do {
        try OverrideProfile.start(
          oneOf: [OverrideProfile("demo") { _ in throw Mishap() }], arguments: &words)
        preconditionFailure("It was not refused.")
      } catch {
        precondition("\(error)" == "The profile 'demo' threw an error: Mishap()")
      }
    }
  }

  /// A layer of a test that stands on the profile is a layer of the test.
  @Test func `takes no finding of a test's layer`() async {
    await withKnownIssue {
      await #expect(processExitsWith: .success) {
        var words = ["--understudy-profile", "demo"]
        try OverrideProfile.start(oneOf: [OverrideProfile("demo") { _ in }], arguments: &words)
        withOverrides(.strict) {
          $0.register(1)
        } operation: {
        }
      }
    } matching: {
      $0.comments.contains { $0.rawValue.contains("The override of 'Int' was never resolved.") }
    }
  }

  @Test func `is reported at once, since it does not end`() async {
    await withKnownIssue {
      await #expect(processExitsWith: .success) {
        var words = ["--understudy-profile", "demo"]
        try OverrideProfile.start(
          oneOf: [OverrideProfile("demo") { $0.unimplemented(Int.self) }], arguments: &words)
        _ = try? Resolver.main.resolve(Int.self)
      }
    } matching: {
      $0.comments.contains { $0.rawValue.contains("the test says that it is unimplemented") }
    }
  }
}
