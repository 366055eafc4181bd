// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy
import UnderstudyDoubles

/// A spy without its types.
struct Subject {
  let double: any Verifiable
  let choose: (Choice, Int) -> any Chain
  let call: (Int, Int) async -> String
  /// A call of a side effect.
  let callNow: @Sendable (Int, Int) -> Void
  /// Adds a side effect that makes a call.
  let callOther: (Choice, Int, @escaping @Sendable (Int, Int) -> Void) -> Void
  let forward: () -> Void
  let expect: (Choice, Count, ExpectedOrder?, Int) -> Void
  let keepLast: (Int) -> Void
  let calls: () -> [Int]
  let callCount: () -> Int
  let step: (Choice) -> OrderStep

  func finish() -> [Violation] { double.finish() }
}

// These are no initialisers: a stub that an initialiser makes may stay unused.
extension Subject {
  static func make(
    _ kind: DoubleProgram.Kind, named name: String, isAsync: Bool, _ line: Lock<Int>
  ) -> Subject {
    switch kind {
    case .nothing: make(isAsync, name, nil, line, value: { _ in () }, text: { "()" })
    case .value: make(isAsync, name, nil, line, value: { $0 }, text: { "\($0)" })
    case .valueWithPlaceholder:
      make(isAsync, name, -1, line, value: { $0 }, text: { "\($0)" })
    }
  }

  private static func make<Output: Sendable>(
    _ isAsync: Bool, _ name: String, _ placeholder: Output?, _ line: Lock<Int>,
    value: @escaping @Sendable (Int) -> Output, text: @escaping @Sendable (Output) -> String
  ) -> Subject {
    if isAsync {
      let spy =
        placeholder.map { AsyncSpy<Int, Output, any Error>(name, placeholder: $0) }
        ?? AsyncSpy(name)
      return make(
        spy, line, value,
        call: { argument, line in
          do { return text(try await spy(argument, line: line)) } catch { return error.modelled }
        }, callNow: { _, _ in },
        forward: { spy.forwards { value(1000 + $0) } },
        does: { stub, number, times, line in
          // It does not yield, since the other tests would then hold up each program.
          let handler: @Sendable (Int) async throws -> Output = { value(number * 10 + $0) }
          return stub?.does(times: times, handler) ?? spy.does(times: times, line: line, handler)
        })
    }
    let spy = placeholder.map { Spy<Int, Output, any Error>(name, placeholder: $0) } ?? Spy(name)
    return make(
      spy, line, value,
      call: { argument, line in
        do { return text(try spy(argument, line: line)) } catch { return error.modelled }
      }, callNow: { argument, line in _ = try? spy(argument, line: line) },
      forward: { spy.forwards { value(1000 + $0) } },
      does: { stub, number, times, line in
        let handler: @Sendable (Int) throws -> Output = { value(number * 10 + $0) }
        return stub?.does(times: times, handler) ?? spy.does(times: times, line: line, handler)
      })
  }

  private static func make<Double: Answering & Sendable>(
    _ spy: Double, _ line: Lock<Int>, _ value: @escaping @Sendable (Int) -> Double.Output,
    call: @escaping (Int, Int) async -> String,
    callNow: @escaping @Sendable (Int, Int) -> Void, forward: @escaping () -> Void,
    does: @escaping (Double.Stub?, Int, Int?, Int) -> Double.Stub
  ) -> Subject where Double.Arguments == Int, Double.Failure == any Error {
    Subject(
      double: spy,
      choose: { choice, line in
        RealChain(
          spy: spy, stub: choice == .every ? nil : spy.when(choice, line), line: line,
          value: value, does: does)
      }, call: call, callNow: callNow,
      callOther: { choice, effect, other in
        let effects: @Sendable (Int) -> Void = {
          other($0, DoubleStep.line(of: effect, at: line.withLock { $0 }))
        }
        if choice == .every {
          spy.onCall(effects)
        } else {
          spy.when(choice, effect).onCall(effects)
        }
      },
      forward: forward,
      expect: { choice, count, order, line in
        if choice == .every {
          spy.expects(count.real, in: order, line: line)
        } else {
          spy.when(choice, line).expects(count.real, in: order)
        }
      }, keepLast: { spy.keepsLast($0) }, calls: { spy.calls }, callCount: { spy.callCount },
      step: { spy.called($0) })
  }
}

/// A chain of answers without its types.
protocol Chain {
  func adding(_ answers: Answers) -> any Chain
  func expecting(_ count: CallCount) -> any Chain
  func excused() -> any Chain
}

private struct RealChain<Double: Answering>: Chain
where Double.Arguments == Int, Double.Failure == any Error {
  let spy: Double
  /// `nil` for a stub of every call, before its first answer.
  var stub: Double.Stub?
  let line: Int
  let value: @Sendable (Int) -> Double.Output
  let does: (Double.Stub?, Int, Int?, Int) -> Double.Stub

  func adding(_ answers: Answers) -> any Chain {
    let chain =
      switch (answers.answers.first, answers.answers.last, answers.times) {
      case (.value(let first), .value(let last), nil) where answers.answers.count > 1:
        stub?.returns(value(first), then: value(last))
          ?? spy.returns(value(first), then: value(last), line: line)
      case (.value(let number), _, nil):
        stub?.returns(value(number)) ?? spy.returns(value(number), line: line)
      case (.value(let number), _, let times?):
        stub?.returns(value(number), times: times)
          ?? spy.returns(value(number), times: times, line: line)
      case (.failure(let number), _, nil):
        stub?.throws(Numbered(number)) ?? spy.throws(Numbered(number), line: line)
      case (.failure(let number), _, let times?):
        stub?.throws(Numbered(number), times: times)
          ?? spy.throws(Numbered(number), times: times, line: line)
      case (.handler(let number), _, let times): does(stub, number, times, line)
      case (nil, _, _): preconditionFailure("There are no answers.")
      }
    return with(chain)
  }

  func expecting(_ count: CallCount) -> any Chain {
    guard let stub else {
      spy.expects(count, line: line)
      return self
    }
    return with(stub.expects(count))
  }

  func excused() -> any Chain { with(stub?.optional()) }

  private func with(_ stub: Double.Stub?) -> any Chain {
    var chain = self
    chain.stub = stub
    return chain
  }
}

private struct Numbered: Error {
  let number: Int
  init(_ number: Int) { self.number = number }
}

extension Error {
  /// The outcome of a call that threw the error.
  fileprivate var modelled: String {
    switch self {
    case let error as Numbered: "threw \(error.number)"
    case is Unstubbed: "Unstubbed"
    default: "\(self)"
    }
  }
}

extension Violation {
  /// The finding as the model has it.
  var modelled: String {
    let facts = message.facts.compactMap { fact -> String? in
      guard fact.text != "\(callSite)", ["Expected at", "Hidden by"].contains(fact.label),
        let line = fact.text.split(separator: ":").last
      else { return nil }
      return ", \(fact.label == "Expected at" ? "expected" : "hidden by") @\(line)"
    }
    return "\(description.prefix { $0 != "\n" }) @\(callSite.line)" + facts.joined()
  }
}

extension Spying where Arguments == Int {
  fileprivate func when(_ choice: Choice, _ line: Int) -> Stub {
    switch choice {
    case .every, .any: when(.any, line: line)
    case .equal(let other): when(.equal(other), line: line)
    case .range(let first, let last): when(.in(first...last), line: line)
    case .above(let other): when("above \(other)", { $0 > other }, line: line)
    }
  }

  fileprivate func called(_ choice: Choice) -> OrderStep {
    switch choice {
    case .every: called()
    case .any: called(with: .any)
    case .equal(let other): called(with: .equal(other))
    case .range(let first, let last): called(with: .in(first...last))
    case .above(let other): called(with: .matching { $0 > other })
    }
  }
}

extension DoubleProgram.Policy {
  var real: UnstubbedPolicy { self == .report ? .report : .relaxed }
}

extension Count {
  var real: CallCount { most.map { .between(least...$0) } ?? .between(least...) }
}
