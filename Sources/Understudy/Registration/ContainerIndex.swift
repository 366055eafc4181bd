// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The registrations of each container, so that finding them costs nothing for all others.
///
/// A registration is put in before it can be found in its store and taken out after, so a member may
/// be out of date, and none is ever lost: whoever reads asks the store.
final class ContainerIndex: Sendable {
  private struct State {
    var members: [ObjectIdentifier: AnyRegistration] = [:]
    /// Where that was registered which a member replaced.
    var replaced: [ObjectIdentifier: CallSite] = [:]
  }

  private final class Container: Sendable {
    let state = Lock(State())
  }

  private let containers = KeyTable<Container>()

  func members(of container: KeyName?) -> [AnyRegistration] {
    containers[indexKey(container)]?.state.withLock { Array($0.members.values) } ?? []
  }

  func insert(_ registration: AnyRegistration) {
    let key = indexKey(registration.key.container)
    let fresh = Container()
    let container =
      containers[key]
      ?? containers.update(key) { element in
        let container = element ?? fresh
        element = container
        return container
      }
    container.state.withLock { $0.members[ObjectIdentifier(registration)] = registration }
  }

  /// Takes a registration out, and notes where it was made if another one from elsewhere took its
  /// place.
  func remove(_ registration: AnyRegistration, replacedBy other: AnyRegistration? = nil) {
    let identity = ObjectIdentifier(registration)
    containers[indexKey(registration.key.container)]?.state.withLock { state in
      state.members[identity] = nil
      state.replaced[identity] = nil
      if let other, other.callSite != registration.callSite {
        state.replaced[ObjectIdentifier(other)] = registration.callSite
      }
    }
  }

  func replaced(by registration: AnyRegistration) -> CallSite? {
    let identity = ObjectIdentifier(registration)
    return containers[indexKey(registration.key.container)]?.state.withLock {
      $0.replaced[identity]
    }
  }

  func removeAll() {
    containers.removeAll()
  }

  private func indexKey(_ container: KeyName?) -> AnyKey {
    AnyKey(type: Container.self, container: container)
  }
}
