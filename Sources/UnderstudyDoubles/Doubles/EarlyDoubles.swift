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
    /// Whether a type is of one of the modules, and values of it may have spies.
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
    if isNew { EarlySearch.current.withLock { $0 = EarlySearch(adopt) } }
  }

  /// Has a layer finish every spy of the doubles that belongs to no layer.
  @Sendable private static func adopt(_ values: [Any], by layer: OverrideLayer) {
    let known = state.withLock { $0.known }
    for value in values {
      let type = type(of: value)
      guard known[ObjectIdentifier(type)] ?? mayBeDouble(type) else { continue }
      let search = SpySearch(value, enteringObjects: false)
      for part in search.spies.flatMap(\.parts) { part.recorder.adopt(by: layer) }
      // To reflect a value is dear.
      guard search.spies.isEmpty, !search.mayDiffer else { continue }
      state.withLock { $0.known[ObjectIdentifier(type)] = false }
    }
  }

  /// True if a type is of one of the modules.
  private static func mayBeDouble(_ type: any Any.Type) -> Bool {
    let module = String(String(reflecting: type).prefix { $0 != "." })
    return state.withLock { state in
      let isOfTests = state.modules.contains(module)
      state.known[ObjectIdentifier(type)] = isOfTests
      return isOfTests
    }
  }
}
