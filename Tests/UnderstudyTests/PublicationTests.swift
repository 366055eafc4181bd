// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy

/// What is published once: each step that one may do, in each order that means something else.
@Suite struct `A publication` {
  enum Step { case publish, retire, beginWriting, write }

  private final class Value: Sendable {
    let number: Int
    private let gone: Tally

    init(_ number: Int, _ gone: Tally) { (self.number, self.gone) = (number, gone) }

    deinit { gone.next() }
  }

  /// The steps, the number of the value that is handed out then, and how many values are alive. Each step that brings
  /// a value brings the next, from 1.
  private static let histories: [(steps: [Step], handedOut: Int?, alive: Int)] = [
    ([], nil, 0),
    ([.publish], 1, 1),
    ([.publish, .publish], 1, 1),
    ([.retire], nil, 0),
    ([.retire, .retire], nil, 0),
    ([.retire, .publish], nil, 0),
    ([.publish, .retire], nil, 1),
    ([.publish, .retire, .retire], nil, 1),
    ([.publish, .retire, .publish], nil, 1),
    ([.beginWriting], nil, 0),
    ([.beginWriting, .write], 1, 1),
    ([.beginWriting, .write, .publish], 1, 1),
    ([.beginWriting, .retire], nil, 0),
    ([.beginWriting, .publish], nil, 0),
    ([.beginWriting, .publish, .write], 2, 1),
    ([.beginWriting, .retire, .write], nil, 0),
    ([.beginWriting, .retire, .retire, .write], nil, 0),
    ([.beginWriting, .retire, .write, .publish], nil, 0),
    ([.beginWriting, .write, .retire], nil, 1),
  ]

  @Test(arguments: histories.indices)
  func `hands out the first value until it is retired, and keeps it to the end`(index: Int) {
    let (steps, handedOut, alive) = Self.histories[index]
    let (made, gone) = (Tally(), Tally())
    let publication = Publication(isOpen: true)
    for step in steps {
      switch step {
      case .publish: publication.publish(Value(made.next(), gone))
      case .retire: publication.retire()
      case .beginWriting:
        let isWriter = publication.beginWriting()
        #expect(isWriter)
      case .write: publication.write(Value(made.next(), gone))
      }
    }
    let (number, isPublished) = (publication.value(Value.self)?.number, publication.isPublished)
    #expect(number == handedOut)
    #expect(isPublished == (handedOut != nil))
    #expect(made.count - gone.count == alive)
    publication.end(Value.self)
    #expect(made.count == gone.count)
  }

  @Test func `that is not open never has a value`() {
    let (made, gone) = (Tally(), Tally())
    let publication = Publication(isOpen: false)
    let isWriter = publication.beginWriting()
    #expect(!isWriter)
    publication.publish(Value(made.next(), gone))
    publication.retire()
    let value = publication.value(Value.self)
    #expect(value == nil)
    #expect(gone.count == 1)
    publication.end(Value.self)
  }

  @Test func `has one writer`() throws {
    for _ in 0..<200 {
      let (made, gone) = (Tally(), Tally())
      let registration = Registration(
        cachedTraits, sharing: Sharing<Value>(.strong), .plain { Value(made.next(), gone) })
      let outcomes = try Threads.run(3) { thread in
        if thread == 0 {
          registration.retirePublished()
        } else {
          registration.publish(Value(made.next(), gone))
        }
      }
      #expect(outcomes.allSatisfy { $0.failure == nil })
      #expect(registration.published == nil)
      // A value that came too late is gone; one that was in time is kept, though nobody sees it.
      #expect(made.count - gone.count <= 1)
    }
  }

  private var cachedTraits: RegistrationTraits {
    var traits = RegistrationTraits(key: AnyKey(plain: Value.self), at: CallSite())
    traits.lifecycle = .cached
    return traits
  }
}
