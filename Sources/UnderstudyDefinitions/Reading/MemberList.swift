// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The members of an object while it is read: finds a key that is there twice.
struct MemberList {
  private(set) var list: [Node.Member] = []
  /// The keys, once there are too many to look through.
  private var keys: Set<String> = []

  /// False if the key is there already.
  ///
  /// - Complexity: O(1) expected.
  mutating func reserve(_ key: String) -> Bool {
    if list.count < 8 { return !list.contains { $0.key == key } }
    if keys.isEmpty { keys = Set(list.map(\.key)) }
    return keys.insert(key).inserted
  }

  mutating func append(_ member: Node.Member) {
    list.append(member)
  }
}
