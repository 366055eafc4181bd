// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

// Each form exists for both kinds of spies, for the reason in `Handlers.swift`.

extension Spy where Arguments: Sendable, Output: Sendable {
  /// Answers from a cassette if no stub does, and records calls that are missing there.
  ///
  /// Each argument must be `Encodable`, and the output `Codable` or `Void`. An error of the type
  /// `Failure`, or of one of `errors`, is played as itself if it is `Codable`. Any other error is
  /// played as a `RecordedError`, if the requirement may throw any error.
  ///
  /// A problem with the cassette is a violation. The call then goes on as one that no stub answers,
  /// and throws a `CassetteError` if it may throw any error.
  ///
  /// - Parameters:
  ///   - cassette: Several doubles may share one, if no two types of them have the same member.
  ///   - errors: The types of errors that the real object throws.
  ///   - real: The same call of the real object.
  public func plays(
    _ cassette: Cassette, errors: (any (Error & Decodable).Type)...,
    recording real: @escaping Handler
  ) where Arguments: Encodable, Output: Codable {
    plays(cassette, errors: errors, recording: real)
  }

  /// Answers from a cassette if no stub does, and records calls that are missing there.
  public func plays(
    _ cassette: Cassette, errors: (any (Error & Decodable).Type)...,
    recording real: @escaping Handler
  ) where Arguments: Encodable, Output == Void {
    plays(cassette, errors: errors, recording: real)
  }

  /// Answers from a cassette if no stub does, and records calls that are missing there.
  public func plays<each Argument: Encodable>(
    _ cassette: Cassette, errors: (any (Error & Decodable).Type)...,
    recording real: @escaping Handler
  ) where Arguments == (repeat each Argument), Output: Codable {
    plays(cassette, errors: errors, recording: real)
  }

  /// Answers from a cassette if no stub does, and records calls that are missing there.
  public func plays<each Argument: Encodable>(
    _ cassette: Cassette, errors: (any (Error & Decodable).Type)...,
    recording real: @escaping Handler
  ) where Arguments == (repeat each Argument), Output == Void {
    plays(cassette, errors: errors, recording: real)
  }

  /// Not for use: the compiler picks it for a call that cannot be recorded, and says why.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "each argument must be Encodable, and the output Codable or Void; for a tuple with labels or a generic type write 'errors: []'"
  )
  public func plays(
    _ cassette: Cassette, errors: (any (Error & Decodable).Type)...,
    recording real: @escaping Handler
  ) {
    fatalError("The compiler accepts no call of this.")
  }

  /// Answers from a cassette if no stub does, and records calls that are missing there.
  ///
  /// This form is for types that the compiler does not know to be `Codable`: tuples with labels,
  /// and generic types. A call that cannot be recorded is a violation when it happens.
  public func plays(
    _ cassette: Cassette, errors: [any (Error & Decodable).Type], recording real: @escaping Handler
  ) {
    let player = Player(recorder, answers.lastResort, cassette, errors)
    forwards { arguments throws(Failure) -> Output in
      let ticket: Tape.Ticket?
      switch try player.turn(for: arguments) {
      case .answered(let output): return output
      case .perform(let next): ticket = next
      }
      let output: Output
      do throws(Failure) {
        output = try real(arguments)
      } catch let failure {
        player.record(.failure(failure), for: ticket)
        throw failure
      }
      player.record(.success(output), for: ticket)
      return output
    }
  }
}

extension AsyncSpy where Arguments: Sendable, Output: Sendable {
  /// Answers from a cassette if no stub does, and records calls that are missing there.
  ///
  /// Each argument must be `Encodable`, and the output `Codable` or `Void`. An error of the type
  /// `Failure`, or of one of `errors`, is played as itself if it is `Codable`. Any other error is
  /// played as a `RecordedError`, if the requirement may throw any error.
  ///
  /// A problem with the cassette is a violation. The call then goes on as one that no stub answers,
  /// and throws a `CassetteError` if it may throw any error.
  ///
  /// - Parameters:
  ///   - cassette: Several doubles may share one, if no two types of them have the same member.
  ///   - errors: The types of errors that the real object throws.
  ///   - real: The same call of the real object.
  public func plays(
    _ cassette: Cassette, errors: (any (Error & Decodable).Type)...,
    recording real: @escaping Handler
  ) where Arguments: Encodable, Output: Codable {
    plays(cassette, errors: errors, recording: real)
  }

  /// Answers from a cassette if no stub does, and records calls that are missing there.
  public func plays(
    _ cassette: Cassette, errors: (any (Error & Decodable).Type)...,
    recording real: @escaping Handler
  ) where Arguments: Encodable, Output == Void {
    plays(cassette, errors: errors, recording: real)
  }

  /// Answers from a cassette if no stub does, and records calls that are missing there.
  public func plays<each Argument: Encodable>(
    _ cassette: Cassette, errors: (any (Error & Decodable).Type)...,
    recording real: @escaping Handler
  ) where Arguments == (repeat each Argument), Output: Codable {
    plays(cassette, errors: errors, recording: real)
  }

  /// Answers from a cassette if no stub does, and records calls that are missing there.
  public func plays<each Argument: Encodable>(
    _ cassette: Cassette, errors: (any (Error & Decodable).Type)...,
    recording real: @escaping Handler
  ) where Arguments == (repeat each Argument), Output == Void {
    plays(cassette, errors: errors, recording: real)
  }

  /// Not for use: the compiler picks it for a call that cannot be recorded, and says why.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "each argument must be Encodable, and the output Codable or Void; for a tuple with labels or a generic type write 'errors: []'"
  )
  public func plays(
    _ cassette: Cassette, errors: (any (Error & Decodable).Type)...,
    recording real: @escaping Handler
  ) {
    fatalError("The compiler accepts no call of this.")
  }

  /// Answers from a cassette if no stub does, and records calls that are missing there.
  ///
  /// This form is for types that the compiler does not know to be `Codable`: tuples with labels,
  /// and generic types. A call that cannot be recorded is a violation when it happens.
  public func plays(
    _ cassette: Cassette, errors: [any (Error & Decodable).Type], recording real: @escaping Handler
  ) {
    let player = Player(recorder, answers.lastResort, cassette, errors)
    forwards { arguments async throws(Failure) -> Output in
      let ticket: Tape.Ticket?
      switch try player.turn(for: arguments) {
      case .answered(let output): return output
      case .perform(let next): ticket = next
      }
      let output: Output
      do throws(Failure) {
        output = try await real(arguments)
      } catch let failure {
        player.record(.failure(failure), for: ticket)
        throw failure
      }
      player.record(.success(output), for: ticket)
      return output
    }
  }
}

/// One double that plays a cassette: everything except the call of the real dependency.
private struct Player<Arguments, Output, Failure: Error>: Sendable
where Arguments: Sendable, Output: Sendable {
  typealias Recorder = CallRecorder<Arguments, StubAnswer<Arguments, Output, Failure>>

  let playback: Playback<Arguments, Output, Failure>
  let lastResort: LastResort<Output, Failure>
  // The recorder retains the handler, so the handler must not retain the recorder.
  weak let recorder: Recorder?

  init(
    _ recorder: Recorder, _ lastResort: LastResort<Output, Failure>, _ cassette: Cassette,
    _ errors: [any (Error & Decodable).Type]
  ) {
    playback = Playback(
      cassette: cassette, name: recorder.name, madeAt: recorder.madeAt, errors: errors)
    self.lastResort = lastResort
    self.recorder = recorder
  }

  enum Turn {
    case answered(Output)
    /// Call the real dependency, and record the result under the ticket, if there is one.
    case perform(Tape.Ticket?)
  }

  /// Answers a call from the cassette, or tells the caller to perform it. A call that the cassette
  /// cannot help continues like a call without a stub.
  func turn(for arguments: Arguments) throws(Failure) -> Turn {
    switch playback.step(for: arguments, warning: { recorder?.report($0) }) {
    case .give(let output): return .answered(output)
    case .fail(let failure): throw failure
    case .perform(let ticket):
      if let ticket, let recorder {
        // The message uses the redacted request, not the arguments.
        let call = playback.name.call(texts: ticket.request.arguments.map(\.line))
        let warning = playback.cassette.changedRequest(call, for: ticket, at: recorder.madeAt)
        if let warning { recorder.report(warning) }
      }
      return .perform(ticket)
    case .stuck(let error):
      // A handler only runs in a call of its double, whose recorder the caller retains.
      guard let recorder else { fatalError(error.description) }
      return .answered(try recorder.goOn(after: error, with: lastResort))
    }
  }

  func record(_ result: Result<Output, Failure>, for ticket: Tape.Ticket?) {
    guard let ticket else { return }
    do throws(CassetteError) {
      switch result {
      case .success(let output): try playback.record(output, for: ticket)
      case .failure(let failure): try playback.record(failure, for: ticket)
      }
    } catch {
      recorder?.report(error)
    }
  }
}
