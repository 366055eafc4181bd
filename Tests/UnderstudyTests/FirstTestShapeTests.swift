// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

private protocol Post: Sendable {
  func send(_ text: String)
  func ping() -> Int
}

private final class PostDouble: Post {
  let sends = Spy<String, Void, Never>("send(_:)")
  let pings = Spy<Void, Int, Never>("ping()")
  func send(_ text: String) { sends(text) }
  func ping() -> Int { pings() }
}

/// How a test gives its double to the layer.
enum GivenForm: CaseIterable {
  case block, instance, factory, value, decorator

  fileprivate func give(_ post: PostDouble, to layer: OverrideLayer) {
    switch self {
    case .block: layer.register { post as any Post }
    case .instance: layer.register(instance: post as any Post)
    case .factory: layer.register(factory: post as any Post)
    case .value: layer.register(post as any Post)
    case .decorator:
      layer.register { PostDouble() as any Post }
      layer.decorate((any Post).self) { _ in post }
    }
  }
}

/// What the code under test does instead of the expected call.
enum InsteadOfCall: CaseIterable {
  case nothing, resolves, callsOther
}

/// What the test has said, and where.
enum Said: CaseIterable {
  case expectedAbove, expectedInside, stubbedAbove, stubbedInside
}

/// The shape of `Docs/FirstTest.md`: the double is made above `withOverrides`. Here the call that
/// the test is about is not made, and no form of it may be green.
@Suite struct `A double of the first test, without its call` {
  @Test(arguments: GivenForm.allCases, InsteadOfCall.allCases)
  func `fails its test`(form: GivenForm, instead: InsteadOfCall) throws {
    for said in Said.allCases {
      let found = Recorded()
      try withKnownIssue {
        let post = PostDouble()
        say(said, .expectedAbove, .stubbedAbove, of: post)
        let resolver = Resolver()
        try withOverrides(of: resolver) {
          form.give(post, to: $0)
          say(said, .expectedInside, .stubbedInside, of: post)
        } operation: {
          if instead == .nothing { return }
          let asked: any Post = try resolver.resolve()
          if instead == .callsOther { asked.send("other") }
        }
      } matching: { issue in
        found.add("\(issue)")
      }
      let stubbed = said == .stubbedAbove || said == .stubbedInside
      let wanted =
        stubbed
        ? "The stub of ping() answered no call."
        : "ping() was expected once, and was never called."
      #expect(found.all.count { $0.contains(wanted) } == 1, "\(said): \(found.all)")
    }
  }

  private func say(_ said: Said, _ expected: Said, _ stubbed: Said, of post: PostDouble) {
    if said == expected { post.pings.expects(.once) }
    if said == stubbed { post.pings.returns(1) }
  }
}

/// The texts of issues.
private final class Recorded: Sendable {
  private let texts = Spy<String, Void, Never>("add(_:)")
  var all: [String] { texts.calls }

  func add(_ text: String) -> Bool {
    texts(text)
    return true
  }
}
