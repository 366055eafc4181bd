// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The registrations of each container, so that finding them costs nothing for all others.
///
/// A registration is put in before it can be found in its store and taken out after, so a member may
/// be out of date, and none is ever lost: whoever reads asks the store.
final class ContainerIndex: Sendable {
  /// The members of one container.
  private final class Members: Sendable {
    private struct State {
      var members = PointerTable<AnyRegistration>()
      /// Where that was registered which a member replaced.
      var replaced: [ObjectIdentifier: CallSite] = [:]
    }

    private let state = Lock(State())

    var all: [AnyRegistration] { state.withLock { $0.members.elements } }

    func insert(_ registration: AnyRegistration) {
      state.withLock { $0.members[ObjectIdentifier(registration)] = registration }
    }

    func remove(_ registration: AnyRegistration, replacedBy other: AnyRegistration?) {
      let identity = ObjectIdentifier(registration)
      state.withLock { state in
        state.members[identity] = nil
        state.replaced[identity] = nil
        if let other, other.callSite != registration.callSite {
          state.replaced[ObjectIdentifier(other)] = registration.callSite
        }
      }
    }

    func replaced(by registration: AnyRegistration) -> CallSite? {
      state.withLock { $0.replaced[ObjectIdentifier(registration)] }
    }

    func removeAll() {
      let released = state.withLock { state in
        defer { state = State() }
        return state
      }
      withExtendedLifetime(released) {}
    }
  }

  /// Those of the default container.
  private let common = Members()
  /// Those of the others, made with the first of them.
  private let named = AtomicLazyReference<KeyTable<Members>>()

  func members(of container: KeyName?) -> [AnyRegistration] { existing(container)?.all ?? [] }

  func insert(_ registration: AnyRegistration) {
    guard let container = registration.key.container else { return common.insert(registration) }
    let named = named.load() ?? self.named.storeIfNil(KeyTable())
    let key = indexKey(container)
    let fresh = Members()
    let members =
      named[key]
      ?? named.update(key) { element in
        let members = element ?? fresh
        element = members
        return members
      }
    members.insert(registration)
  }

  /// Takes a registration out, and notes where it was made if another one from elsewhere took its
  /// place.
  func remove(_ registration: AnyRegistration, replacedBy other: AnyRegistration? = nil) {
    existing(registration.key.container)?.remove(registration, replacedBy: other)
  }

  func replaced(by registration: AnyRegistration) -> CallSite? {
    existing(registration.key.container)?.replaced(by: registration)
  }

  func removeAll() {
    common.removeAll()
    named.load()?.removeAll()
  }

  private func existing(_ container: KeyName?) -> Members? {
    guard let container else { return common }
    return named.load()?[indexKey(container)]
  }

  private func indexKey(_ container: KeyName) -> AnyKey {
    AnyKey(type: Members.self, name: nil, container: container, declaration: nil)
  }
}
