// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The registrations of each container, so that finding them costs nothing for all others.
///
/// A registration is put in before it can be found in its store and taken out after, so a member may
/// be out of date, and none is ever lost: whoever reads asks the store.
final class ContainerIndex: Sendable {
  /// The members of one container.
  private struct Members: Sendable {
    private let state = Lock(PointerTable<AnyRegistration>())

    var all: [AnyRegistration] { state.withLock { $0.elements } }

    func insert(_ registration: AnyRegistration) {
      state.withLock { $0[ObjectIdentifier(registration)] = registration }
    }

    func remove(_ registration: AnyRegistration) {
      state.withLock { $0[ObjectIdentifier(registration)] = nil }
    }
  }

  /// Those of the default container.
  private let common = Members()
  /// Those of the others, made with the first of them.
  private let named = LazyValue<KeyTable<Members>>()

  func members(of container: KeyName?) -> [AnyRegistration] { existing(container)?.all ?? [] }

  func insert(_ registration: AnyRegistration) {
    guard let container = registration.key.container else { return common.insert(registration) }
    let named = named.value(orMake: { KeyTable() })
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

  func remove(_ registration: AnyRegistration) {
    existing(registration.key.container)?.remove(registration)
  }

  private func existing(_ container: KeyName?) -> Members? {
    guard let container else { return common }
    return named.value?[indexKey(container)]
  }

  private func indexKey(_ container: KeyName) -> AnyKey {
    AnyKey(type: Members.self, name: nil, container: container, declaration: nil)
  }
}
