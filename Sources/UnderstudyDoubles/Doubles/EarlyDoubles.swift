// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The doubles that were created before any layer. A layer finds them at its end, in its values and
/// in the objects that it handed out.
///
/// A layer hands out any object, which other threads may be changing. So only a type of a module
/// that creates spies is searched, which is the tests' own, and no object that it refers to.
enum EarlyDoubles {
  private struct State {
    var modules: Set<String> = []
    /// Whether a type is of one of the modules.
    var known: [ObjectIdentifier: Bool] = [:]
  }

  private static let state = Lock(State())

  /// Notes that a spy was created before any layer.
  static func note(_ place: CallSite) {
    let module = String(place.fileID.prefix { $0 != "/" })
    let isNew = state.withLock { state in
      guard state.modules.insert(module).inserted else { return false }
      state.known = [:]
      return true
    }
    if isNew { OverrideLayer.earlyParticipants.withLock { $0 = EarlyParticipants(adopt) } }
  }

  /// Has a layer finish every spy of a double that belongs to no layer.
  @Sendable private static func adopt(_ double: Any, by layer: OverrideLayer) {
    guard mayBeDouble(type(of: double)) else { return }
    for part in SpySearch(double, enteringObjects: false).spies.flatMap(\.parts) {
      part.recorder.adopt(by: layer)
    }
  }

  private static func mayBeDouble(_ type: any Any.Type) -> Bool {
    if let known = state.withLock({ $0.known[ObjectIdentifier(type)] }) { return known }
    let module = String(String(reflecting: type).prefix { $0 != "." })
    return state.withLock { state in
      let isOfTests = state.modules.contains(module)
      state.known[ObjectIdentifier(type)] = isOfTests
      return isOfTests
    }
  }
}
