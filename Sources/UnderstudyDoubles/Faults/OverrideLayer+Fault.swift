// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension OverrideLayer {
  /// Makes resolutions of a key fail or wait. Other resolutions go to the registration that would
  /// answer without the fault: this layer's override, or one below.
  ///
  /// The values of these resolutions are created, decorated, stored, counted and disposed of as if
  /// there were no fault.
  ///
  /// A fault that strikes no resolution is reported like an unused override. The schedule `flaky`
  /// is exempt. So are `.first` of no resolution and a `.sequence` without `true`.
  ///
  /// If a layer has two faults of one key, the newer one comes first. The older one does not count
  /// the resolutions in which the newer one throws.
  ///
  /// - Parameters:
  ///   - type: The type whose resolutions fail.
  ///   - fault: The failure.
  ///   - schedule: The resolutions that fail. By default all of them.
  ///   - name: The name that it is registered under.
  ///   - scope: The scope that it is registered in.
  ///   - qualifier: The qualifier that it is registered under.
  ///   - container: The container that it is registered in.
  /// - Returns: The key of the fault.
  @discardableResult
  public func fault<Value: Sendable>(
    _ type: Value.Type, _ fault: Fault, on schedule: FaultSchedule = .every,
    named name: (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Key<Value> {
    inject(
      fault, on: schedule,
      Key(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
      at: CallSite(fileID, filePath, line, column))
  }

  /// Makes resolutions of a declared dependency fail or wait.
  ///
  /// Since `resolve(\.x)` cannot throw, an error is an issue of the test and ends the process.
  ///
  /// - Parameters:
  ///   - dependency: The dependency whose resolutions fail: `\.mailer`.
  ///   - fault: The failure.
  ///   - schedule: The resolutions that fail. By default all of them.
  /// - Returns: The key of the fault.
  @discardableResult
  public func fault<Value: Sendable>(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, _ fault: Fault,
    on schedule: FaultSchedule = .every, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Key<Value> {
    let callSite = CallSite(fileID, filePath, line, column)
    return inject(
      fault, on: schedule, Dependency.identified(dependency, at: callSite).key, at: callSite)
  }

  private func inject<Value: Sendable>(
    _ fault: Fault, on schedule: FaultSchedule, _ key: Key<Value>, at callSite: CallSite
  ) -> Key<Value> {
    let own = registration(for: key.erased)
    let strikes = FaultStrikes(isExpected: schedule.isExpected, where: schedule.hits)
    let decoration = Decoration<Value>(
      of: own,
      before: {
        if let number = strikes.next() {
          try fault.happen("resolution \(number), set at \(callSite)", seed: schedule.seed)
        }
      }, missed: { strikes.missed })
    add(Registration(decoration, isFault: true, for: key, at: callSite))
    return key
  }
}

extension Fault {
  fileprivate func happen(_ note: String, seed: UInt64?) throws {
    for effect in effects {
      switch effect {
      case .delay(let duration): pauseThread(for: duration)
      case .error(let error):
        throw InjectedFault(
          underlying: error, note: note + (seed.map { ", seed \($0)" } ?? ""))
      }
    }
  }
}
