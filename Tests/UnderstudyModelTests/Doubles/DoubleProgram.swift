// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A test of one double with two spies, as data. Spies are numbered. The first may be asynchronous,
/// and its side effects call the second.
struct DoubleProgram {
  enum Policy: CaseIterable { case report, relaxed }

  /// The return type of a spy, and its placeholder.
  enum Kind: CaseIterable { case value, valueWithPlaceholder, nothing }

  struct Setting {
    var kinds: [Kind]
    var isAsync: Bool
    /// True if a layer owns the double. Otherwise the program finishes it.
    var hasLayer: Bool
    /// True for a layer that asks for all answers of a sequence.
    var isStrictLayer: Bool
    var layerPolicy: Policy?
  }

  var setting: Setting
  var steps: [DoubleStep]
}

/// An operation on a double. Every sequence of steps is a valid program.
enum DoubleStep {
  case stub(spy: Int, Choice, [Answers], expects: Count?, isOptional: Bool)
  /// Adds answers to a stub, `age` stubs before the newest one.
  case extend(age: Int, Answers)
  /// Allows a stub to stay unused.
  case excuse(age: Int)
  case forward(spy: Int)
  /// Each of these calls of the first spy calls the second one, with the same argument.
  case callSecond(Choice)
  case expect(spy: Int, Choice, Count, isOrdered: Bool)
  case expectNoMoreCalls(spy: Int)
  case beStrict(spy: Int)
  case setPolicy(spy: Int, DoubleProgram.Policy?)
  case keepLast(spy: Int, Int)
  case forgetCalls(spy: Int)
  case reset(spy: Int)
  case call(spy: Int, argument: Int)
  case verify(spy: Int)
  case finish(spy: Int)
  case lookForOrder([Look])
  /// Looks for exactly these calls, of whole spies if there are any.
  case lookForCalls(of: [Int], [Look])
  case lookForCount(Look, Count)
}

/// The calls that a check after the fact looks for.
struct Look {
  let spy: Int
  let choice: Choice
}

/// The arguments that a stub or an expectation chooses.
enum Choice: Equatable {
  /// Without `when`.
  case every
  case any, equal(Int), range(Int, Int)
  /// A predicate.
  case above(Int)

  static let arguments = 4
}

/// Answers that are added to a stub at once. Several are values, the last of which is repeated.
struct Answers {
  var answers: [Answer]
  var times: Int?
}

enum Answer: Equatable { case value(Int), failure(Int), handler(Int) }

/// An expected number of calls.
struct Count: Equatable {
  var least: Int
  var most: Int?

  static let never = Count(least: 0, most: 0)
  static let once = Count(least: 1, most: 1)
}

extension DoubleProgram {
  /// The program of a seed.
  static func random(seed: UInt64) -> DoubleProgram {
    var generator = SeededGenerator(seed: seed)
    let setting = Setting(
      kinds: (0..<2).map { _ in Kind.allCases[generator.below(3)] },
      isAsync: generator.isOne(in: 3), hasLayer: !generator.isOne(in: 3),
      isStrictLayer: generator.isOne(in: 3),
      layerPolicy: generator.isOne(in: 4) ? Policy.allCases[generator.below(2)] : nil)
    // Most programs use a part of the steps only, so that a call is not always wrong already.
    let themes = generator.below(8)
    let steps = (0..<6 + generator.below(18)).map { _ in
      DoubleStep.random(themes: themes, &generator)
    }
    return DoubleProgram(setting: setting, steps: steps)
  }

  /// The smallest program that still fails, found by leaving out steps.
  func shrunk(while fails: (DoubleProgram) async -> Bool) async -> DoubleProgram {
    var smallest = self
    var index = 0
    while index < smallest.steps.count {
      var smaller = smallest
      smaller.steps.remove(at: index)
      if await fails(smaller) {
        (smallest, index) = (smaller, 0)
      } else {
        index += 1
      }
    }
    return smallest
  }

  /// The program with one line for each step, under the number that findings name.
  var listing: String {
    (["\(setting)"] + steps.enumerated().map { "  \($0 + 1)  \($1)" }).joined(separator: "\n")
  }
}

extension DoubleProgram.Setting: CustomStringConvertible {
  var description: String {
    let layer = hasLayer ? isStrictLayer ? "a strict layer" : "a layer" : "no layer"
    return "0 returns \(kinds[0])\(isAsync ? " and is asynchronous" : ""), 1 returns \(kinds[1]), "
      + "\(layer), policy \(layerPolicy.map { "\($0)" } ?? "none")"
  }
}

extension Choice: CustomStringConvertible {
  var description: String { text }
}

extension Look: CustomStringConvertible {
  var description: String { "\(spy)(\(choice))" }
}

extension Answers: CustomStringConvertible {
  var description: String {
    answers.map(\.text).joined(separator: " then ") + (times.map { " \($0) times" } ?? "")
  }
}

extension Answer {
  fileprivate var text: String {
    switch self {
    case .value(let number): "\(number)"
    case .failure(let number): "error \(number)"
    case .handler(let number): "handler \(number)"
    }
  }
}

extension DoubleStep {
  /// The line of a call that a side effect makes.
  static func line(of effect: Int, at line: Int) -> Int { line * 1000 + effect }

  fileprivate static func random(
    themes: Int, _ generator: inout SeededGenerator
  ) -> DoubleStep {
    let spy = generator.isOne(in: 3) ? 1 : 0
    func chosen() -> DoubleStep {
      switch generator.below(100) {
      case ..<44: return .call(spy: spy, argument: generator.below(Choice.arguments))
      case ..<60:
        return .stub(
          spy: spy, .random(&generator),
          (0..<1 + generator.below(3)).map { _ in .random(&generator) },
          expects: generator.isOne(in: 6) ? .random(&generator) : nil,
          isOptional: generator.isOne(in: 8))
      case ..<65: return .extend(age: generator.below(3), .random(&generator))
      case ..<66: return .excuse(age: generator.below(3))
      case ..<78:
        return .expect(
          spy: spy, .random(&generator), .random(&generator), isOrdered: !generator.isOne(in: 3))
      case ..<83:
        return .lookForCount(.random(&generator), .random(&generator))
      case ..<86: return .lookForOrder((0..<generator.below(4)).map { _ in .random(&generator) })
      case ..<90:
        return .lookForCalls(
          of: generator.isOne(in: 2) ? [0, 1] : [generator.below(2)],
          (0..<generator.below(4)).map { _ in .random(&generator) })
      case ..<92: return .verify(spy: spy)
      case ..<94: return .reset(spy: spy)
      case ..<95: return .forward(spy: spy)
      case ..<96: return .callSecond(.random(&generator))
      case ..<97: return .expectNoMoreCalls(spy: spy)
      case ..<98: return .beStrict(spy: spy)
      default:
        switch generator.below(4) {
        case 0: return .setPolicy(spy: spy, [.report, .relaxed, nil][generator.below(3)])
        case 1: return .keepLast(spy: spy, generator.below(3))
        case 2: return .forgetCalls(spy: spy)
        default: return .finish(spy: spy)
        }
      }
    }
    while true {
      let step = chosen()
      if step.fits(themes) { return step }
    }
  }

  /// True if a program with these themes may have the step.
  private func fits(_ themes: Int) -> Bool {
    switch self {
    case .stub, .extend, .excuse, .forward: themes != 1
    case .expect, .expectNoMoreCalls: themes != 2
    case .reset, .verify, .finish, .forgetCalls, .keepLast: themes != 3
    default: true
    }
  }
}

extension Choice {
  static func random(_ generator: inout SeededGenerator) -> Choice {
    let argument = generator.below(arguments)
    switch generator.below(10) {
    case ..<3: return .every
    case 3: return .any
    case ..<7: return .equal(argument)
    case 7, 8: return .range(argument, min(argument + 1, arguments - 1))
    default: return .above(argument)
    }
  }
}

extension Look {
  fileprivate static func random(_ generator: inout SeededGenerator) -> Look {
    Look(spy: generator.isOne(in: 3) ? 1 : 0, choice: .random(&generator))
  }
}

extension Answers {
  fileprivate static func random(_ generator: inout SeededGenerator) -> Answers {
    let number = generator.below(10)
    let times = generator.isOne(in: 3) ? generator.below(12) % 4 : nil
    switch generator.below(8) {
    case 0, 1: return Answers(answers: [.failure(number)], times: times)
    case 2: return Answers(answers: [.handler(number)], times: times)
    case 3, 4: return Answers(answers: (0...1).map { .value(number + $0) }, times: nil)
    default: return Answers(answers: [.value(number)], times: times)
    }
  }
}

extension Count {
  fileprivate static func random(_ generator: inout SeededGenerator) -> Count {
    let counts = [
      .once, .once, .never, Count(least: 2, most: 2), Count(least: 1, most: nil),
      Count(least: 0, most: 1), Count(least: 1, most: 2), Count(least: 0, most: nil),
    ]
    return counts[generator.below(counts.count)]
  }
}
