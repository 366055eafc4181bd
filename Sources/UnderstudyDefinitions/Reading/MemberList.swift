// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The members of an object that is being read. It finds duplicate keys.
struct MemberList {
  private(set) var list: [Node.Member] = []
  /// The keys, once there are too many for a linear search.
  private var keys: Set<String> = []

  /// Returns false if the key already exists.
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
