// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension Spy where Arguments: Sendable, Output: Sendable {
  /// Answers from a cassette where no stub does, and records there what is missing.
  ///
  /// Every argument and the output have to be `Codable`, or the output `Void`. An error is played
  /// as itself if it is `Codable` and its type is `Failure` or one of `errors`; else as a
  /// `RecordedError` where any error may be thrown.
  ///
  /// What goes wrong with the cassette is a violation; then the call goes on as one that no stub
  /// answers, throwing a `CassetteError`.
  ///
  /// - Parameters:
  ///   - cassette: Several doubles may share one.
  ///   - errors: The types of errors that the real thing throws.
  ///   - real: The same call of what this double stands in for.
  public func plays(
    _ cassette: Cassette, errors: (any (Error & Decodable).Type)...,
    recording real: @escaping @Sendable (Arguments) throws(Failure) -> Output
  ) {
    plays(cassette, errors: errors, recording: real)
  }

  /// Answers from a cassette where no stub does, and records there what is missing.
  ///
  /// Every argument and the output have to be `Codable`, or the output `Void`. An error is played
  /// as itself if it is `Codable` and its type is `Failure` or one of `errors`; else as a
  /// `RecordedError` where any error may be thrown.
  ///
  /// What goes wrong with the cassette is a violation; then the call goes on as one that no stub
  /// answers, throwing a `CassetteError`.
  ///
  /// - Parameters:
  ///   - cassette: Several doubles may share one.
  ///   - errors: The types of errors that the real thing throws.
  ///   - real: The same call of what this double stands in for.
  public func plays(
    _ cassette: Cassette, errors: [any (Error & Decodable).Type],
    recording real: @escaping @Sendable (Arguments) throws(Failure) -> Output
  ) {
    let playback = Playback<Arguments, Output, Failure>(
      cassette: cassette, name: recorder.name, errors: errors)
    // The recorder keeps the closure, so the closure must not keep the recorder.
    recorder.fallBack(
      on: .handler { [weak recorder, lastResort] arguments throws(Failure) -> Output in
        switch playback.step(for: arguments) {
        case .give(let output): return output
        case .fail(let failure): throw failure
        case .stuck(let error):
          guard let recorder else { fatalError(error.description) }
          return try recorder.goOn(after: error, with: lastResort)
        case .perform(nil): return try real(arguments)
        case .perform(let ticket?):
          let output: Output
          do throws(Failure) {
            output = try real(arguments)
          } catch let failure {
            do throws(CassetteError) {
              try playback.record(failure, for: ticket)
            } catch let problem {
              recorder?.report(problem)
            }
            throw failure
          }
          do throws(CassetteError) {
            try playback.record(output, for: ticket)
          } catch let problem {
            recorder?.report(problem)
          }
          return output
        }
      })
  }
}
