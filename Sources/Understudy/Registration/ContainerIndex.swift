// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The registrations of each container but the default one, so that finding them costs nothing for all others, and
/// registering in no container nothing at all.
///
/// A registration is put in before it can be found in its store and taken out after, so a member may
/// be out of date, and none is ever lost: whoever reads asks the store.
package final class ContainerIndex: Sendable {
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

  private let members = LazyValue<KeyTable<Members>>()

  package func members(of container: KeyName) -> [AnyRegistration] {
    existing(container)?.all ?? []
  }

  func insert(_ registration: AnyRegistration) {
    guard let container = registration.key.container else { return }
    let table = members.value(orMake: { KeyTable() })
    let key = indexKey(container)
    let fresh = Members()
    let members =
      table[key]
      ?? table.update(key) { element in
        let members = element ?? fresh
        element = members
        return members
      }
    members.insert(registration)
  }

  func remove(_ registration: AnyRegistration) {
    guard let container = registration.key.container else { return }
    existing(container)?.remove(registration)
  }

  private func existing(_ container: KeyName) -> Members? { members.value?[indexKey(container)] }

  private func indexKey(_ container: KeyName) -> AnyKey {
    AnyKey(type: Members.self, container: container)
  }
}
