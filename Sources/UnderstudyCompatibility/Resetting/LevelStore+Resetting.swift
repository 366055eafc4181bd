// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Understudy

extension LevelStore {
  func answers(_ registration: AnyRegistration) -> Bool { reading { $0.answers(registration) } }

  package func instance(of registration: AnyRegistration) -> AnyInstance? {
    reading { $0.instances(of: registration).first }
  }

  /// Adds a registration that displaces another one, which keeps its instance. Returns `false` if
  /// a third one answers its key now.
  func add(_ registration: AnyRegistration, displacing present: AnyRegistration?) -> Bool {
    add(registration, displacing: true) { now, _ in now === present }
  }

  func renew(_ registration: AnyRegistration) { changing { $0.renew(registration, &$1) } }

  /// Forgets the claims and the instances of registrations that can answer no more requests. The
  /// newest instance is released first.
  func forget(_ registrations: [AnyRegistration]) {
    changing { level, garbage in
      let newest = registrations.map { level.instances(of: $0).first?.serial ?? 0 }
      for (registration, _) in zip(registrations, newest).sorted(by: { $0.1 < $1.1 }) {
        level.unclaim(registration)
        level.forget(registration, &garbage)
      }
    }
  }

  func forgetAll() -> Int {
    // Cached answers retain instances, in no order. They go first.
    changing { _, _ in }
    return changing { $0.forgetAll(&$1) }
  }

  /// Notes that the instances which layers store for declared dependencies are out of date, too.
  func noteReset() {
    changing { level, _ in level.lastReset = AtomicInt.lastInstance.next() }
  }
}
