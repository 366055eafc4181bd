// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension AnyKey {
  /// The keys that the user may have meant: the same type with another name, nearest first, or in
  /// another container; otherwise the same name with another type, or types with nearly the same
  /// name, or of the same generic type. At most three.
  func nearMisses(among known: [(key: AnyKey, serial: Int)]) -> [AnyKey] {
    var seen: Set<AnyKey> = [self]
    let unique = known.ordered { $0.serial }.map(\.key).filter { seen.insert($0).inserted }
    let sameType = unique.filter { $0.type == type }
    guard sameType.isEmpty else { return [AnyKey](sameType.nearestFirst(to: self).prefix(3)) }
    let sameName = unique.filter { $0.name != nil && $0.name == name }
    guard sameName.isEmpty else { return [AnyKey](sameName.prefix(3)) }
    let wanted = bareTypeName
    let close = unique.map { (key: $0, distance: $0.bareTypeName.editDistance(to: wanted)) }
      .filter {
        $0.distance <= max(1, wanted.count / 4) || $0.key.sharesWords(with: self)
          || $0.key.sharesGenericType(with: self)
      }
      .ordered { $0.distance }
    return close.prefix(3).map(\.key)
  }
}

extension [AnyKey] {
  /// The keys by the distance of their names from a name. Without a name, they keep their order.
  fileprivate func nearestFirst(to key: AnyKey) -> [AnyKey] {
    guard let name = key.name?.base as? String else { return self }
    return ordered { ($0.name?.base as? String)?.editDistance(to: name) ?? .max }
  }
}

extension AnyKey {
  fileprivate var bareTypeName: String { String(describing: type).lowercased() }

  /// True if the name of one type begins or ends with the words of the other's, as in `MailerSpy`
  /// and `Mailer`.
  fileprivate func sharesWords(with other: AnyKey) -> Bool {
    let names = [self, other].map { String(describing: $0.type) }.ordered { $0.count }
    let (short, long) = (names[0], names[1])
    let next = long.dropFirst(short.count).first
    return short.count > 3
      && (long.hasSuffix(short) || long.hasPrefix(short) && next?.isLowercase == false)
  }

  /// True if both types are one generic type, as are `Box<Int>` and `Box<String>`.
  fileprivate func sharesGenericType(with other: AnyKey) -> Bool {
    genericTypeName.map { $0 == other.genericTypeName } ?? false
  }

  private var genericTypeName: Substring? {
    let name = String(describing: type)
    guard name.hasSuffix(">"), let end = name.firstIndex(of: "<") else { return nil }
    return name[..<end]
  }
}
