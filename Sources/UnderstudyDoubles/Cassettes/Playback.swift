// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation
internal import Understudy

/// One double on a cassette. Converts calls to requests, and recordings to results.
struct Playback<Arguments, Output, Failure: Error>: Sendable {
  let cassette: Cassette
  let name: CallName
  let madeAt: CallSite
  let errors: [any (Error & Decodable).Type]

  /// The action for a call.
  enum Step {
    case give(Output)
    case fail(Failure)
    case perform(Tape.Ticket?)
    case stuck(CassetteError)
  }

  /// The action for a call. Warns if the recordings of the call are also another double's.
  func step(for arguments: Arguments, warning warn: (Violation) -> Void) -> Step {
    // Nothing is recorded, so the arguments need no encoding.
    if cassette.mode == .live { return .perform(nil) }
    do throws(CassetteError) {
      let elements = try encode(arguments)
      // An argument with its own labels is redacted by these.
      let possible = name.possibleLabels(of: elements.count)
      let request = Interaction.Request(
        member: name.description,
        arguments: zip(elements, name.labels(of: elements.count)).map { element, label in
          cassette.redact(
            element.value,
            labelled: [label, element.label].compactMap(\.self)
              + (element.value.isObject ? [] : possible))
        })
      if let other = cassette.otherDouble(of: request, than: madeAt) {
        let call = name.call(texts: request.arguments.map(\.line))
        warn(cassette.sharedCall(call, of: other, and: madeAt))
      }
      switch cassette.step(for: request) {
      case .record(let ticket): return .perform(ticket)
      case .play(.value(let value)): return .give(try decode(value))
      case .play(.error(let error)): return .fail(try decode(error))
      case .missing(let times):
        // The message uses the redacted request, not the arguments.
        let call = name.call(texts: request.arguments.map(\.line))
        return .stuck(cassette.missing(call, request, recordedTimes: times))
      }
    } catch {
      return .stuck(error)
    }
  }

  /// Records the real dependency's result.
  func record(_ output: Output, for ticket: Tape.Ticket) throws(CassetteError) {
    let value = Output.self == Void.self ? .null : try encode(any: output)
    let redacted = cassette.redact(value)
    try check(redacted, of: value) { () throws(CassetteError) in _ = try decode(redacted) }
    try cassette.record(.value(redacted), for: ticket)
  }

  /// Records the real dependency's error. A cancelled call is not recorded, since no later call is
  /// cancelled at its place. Nor is another error that could not be played, which throws.
  func record(_ failure: Failure, for ticket: Tape.Ticket) throws(CassetteError) {
    let thrown: any Error = failure
    // A session of Foundation, for one, throws an error of its own.
    if thrown is CancellationError || Task.isCancelled { return }
    let isPlayable =
      thrown is any Codable || Failure.self == (any Error).self || thrown is RecordedError
    guard isPlayable else {
      throw uncodable("\(type(of: thrown)) is not Codable")
    }
    let value = (thrown is any Encodable) ? try encode(any: thrown) : nil
    let recorded = RecordedError(
      type: CallName.text(of: type(of: thrown)),
      description: description(of: thrown, encoded: value),
      value: value.map { cassette.redact($0) })
    try check(recorded.value, of: value) { () throws(CassetteError) in _ = try decode(recorded) }
    try cassette.record(.error(recorded), for: ticket)
  }

  /// Throws for a redacted value that could not be played.
  private func check(
    _ redacted: JSON?, of value: JSON?, decoding decode: () throws(CassetteError) -> Void
  ) throws(CassetteError) {
    if redacted == value { return }
    do throws(CassetteError) {
      try decode()
    } catch {
      let reason = error.message.facts.last?.text ?? ""
      throw uncodable(
        "it cannot be decoded after its redaction: \(reason)",
        remedies: [
          "Redact it with a function that keeps it decodable:  redact: Redaction { json in … }"
        ])
    }
  }

  /// The description of an error. If the error contains a secret, these are its redacted contents.
  /// If it has too many parts to search, it is only the type.
  private func description(of error: any Error, encoded: JSON?) -> String {
    guard let held = JSON(reflecting: error) else {
      return cassette.hasRedactions
        ? "\(type(of: error))" : "\(error)".withoutAddresses
    }
    let contents = [encoded, held].compactMap(\.self)
    guard contents.allSatisfy({ cassette.redact($0) == $0 }),
      case .string(let text) = cassette.redact(
        .string("\(error)".withoutAddresses))
    else {
      return "\(type(of: error)) \(cassette.redact(encoded ?? held).line)"
    }
    return text
  }

  /// The encoded arguments, with the labels of a tuple.
  private func encode(
    _ arguments: Arguments
  ) throws(CassetteError) -> [(label: String?, value: JSON)] {
    if Arguments.self == Void.self { return [] }
    let mirror = Mirror(reflecting: arguments)
    guard mirror.displayStyle == .tuple else {
      return [(nil, try encode(any: arguments).ordered(as: arguments))]
    }
    var elements: [(label: String?, value: JSON)] = []
    for child in mirror.children {
      elements.append((child.label, try encode(any: child.value).ordered(as: child.value)))
    }
    return elements
  }

  private func encode(any value: Any) throws(CassetteError) -> JSON {
    if (value as? any OptionalValue)?.holdsNil == true {
      throw uncodable(
        "\(type(of: value)) holds a nil, which JSON cannot distinguish from a missing value",
        remedies: ["Use an enumeration with a case for each, in place of the nested optional."])
    }
    guard let value = value as? any Encodable else {
      throw uncodable("\(type(of: value)) is not Codable")
    }
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      encoder.dataEncodingStrategy = .custom { try StoredData($0).encode(to: $1) }
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      let data = try encoder.encode(value)
      let json = try JSONDecoder().decode(JSON.self, from: data)
      if json.hasNumber { _ = try JSONDecoder().decode(ExactNumbers.self, from: data) }
      return json
    } catch is ExactNumbers.Inexact {
      throw uncodable(
        "\(type(of: value)) has a number with more digits than a Double holds",
        remedies: ["Use a type that encodes the number as a text."])
    } catch {
      throw uncodable("\(error)")
    }
  }

  private func decode(_ value: JSON) throws(CassetteError) -> Output {
    if Output.self == Void.self, let void = () as? Output { return void }
    guard let type = Output.self as? any Decodable.Type else {
      throw uncodable("\(Output.self) is not Codable")
    }
    guard let output = try decode(value, as: type) as? Output else {
      throw unplayable("\(value.line) is not \(Output.self)")
    }
    return output
  }

  private func decode(_ error: RecordedError) throws(CassetteError) -> Failure {
    let known = errors + [Failure.self as? any (Error & Decodable).Type].compactMap { $0 }
    // Older cassettes have an address in the name of a private type.
    let name = error.type.withoutAddresses
    let meant = known.filter { CallName.text(of: $0) == name }
    if let first = meant.first, meant.contains(where: { $0 != first }) {
      throw unplayable(
        "\(name) is the name of several types of its errors",
        remedies: ["Give one of these types another name."])
    }
    if let type = meant.first, let value = error.value,
      let failure = try decode(value, as: type) as? Failure
    {
      return failure
    }
    if let failure = error as? Failure { return failure }
    throw unplayable("\(error.type) was thrown, and no \(Failure.self) can be made of it")
  }

  private func decode<Value: Decodable>(
    _ value: JSON, as type: Value.Type
  ) throws(CassetteError) -> Any {
    do {
      let decoder = JSONDecoder()
      decoder.dataDecodingStrategy = .custom { try StoredData(from: $0).data }
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      return try decoder.decode(type, from: JSONEncoder().encode(value))
    } catch {
      throw unplayable("\(value.line) is not \(type): \(error)")
    }
  }

  /// The error for a recording that does not fit, since the types have changed.
  private func unplayable(
    _ reason: String,
    remedies: [String] = [
      "Record it anew:  delete it from the cassette, and run once without CI set",
      "Stub it:         .when(…).returns(…)",
    ]
  ) -> CassetteError {
    problem("A recording of \(name) cannot be played.", reason, remedies)
  }

  private func uncodable(
    _ reason: String,
    remedies: [String] = ["Make its arguments, its output and its errors Codable."]
  ) -> CassetteError {
    problem("A call of \(name) cannot be kept on a cassette.", reason, remedies)
  }

  private func problem(
    _ headline: String, _ reason: String, _ remedies: [String]
  ) -> CassetteError {
    CassetteError(
      .uncodable,
      Message(
        headline, facts: [Message.Fact("Cassette", cassette.path), Message.Fact("Reason", reason)],
        remedies: remedies))
  }
}

extension CallRecorder {
  /// Continues a call that the cassette cannot answer. If that is impossible, reports an issue and
  /// traps.
  func goOn<Output, Failure: Error>(
    after error: CassetteError, with lastResort: LastResort<Output, Failure>
  ) throws(Failure) -> Output {
    // Each call is reported only once.
    if lastResort.isAny || error is Failure { report(violation(error)) }
    if let output = try lastResort.output(throwing: error) { return output }
    trap(violation(error))
  }

  func report(_ error: CassetteError) {
    report(Violation(error.message, at: madeAt))
  }
}
