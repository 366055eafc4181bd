// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The class that a protocol inherits from. The protocol's double is a subclass of it.
///
/// The double declares no designated initialiser, or overrides the only one. So it inherits those
/// of its class.
struct Superclass: Hashable {
  var usr: String
  /// The name with the names of its outer types.
  var name: String
  /// Whether a protocol's head names it. Otherwise `NSObjectProtocol` stands for it.
  var isWritten = true
  /// The type as the protocol's head writes it, with generic arguments.
  var type: [Token]
  /// The reason why no double can be a subclass, as the end of a sentence about the protocol.
  var obstacle: String?
  /// Whether the double can call `init()`.
  var isPlain = false
  /// Whether `init()` is the only designated initialiser, and `nonisolated` in a class on an actor.
  var isPlainOffActor = false
  /// Whether `init()` calls an initialiser whose parameters have defaults.
  var isPlainByDefaults = false
  /// Whether a designated initialiser is not public, so that no double inherits convenience ones.
  var isHiding = false
  /// Whether only code on the actor of the class can call `init()`.
  var isPlainOnActor = false
  /// Whether it is `NSObject`, of which a subclass is `Sendable` without `@unchecked`.
  var isObject: Bool { StandardClass.objects.contains(usr) }
  /// Whether it is `NSObject` or a class of Objective-C, whose actor no graph names.
  var isOfObjectiveC: Bool { isObject || usr.hasPrefix("c:objc(cs)") }
  /// Whether the double needs `@testable` to be a subclass.
  var isTestable = false
  /// The names of its members, types included.
  var members: Set<String> = []
}

/// A class of the toolchain that the graphs of a package do not contain.
struct StandardClass {
  /// The protocols of the standard library that it conforms to.
  var conformances: Set<String>
  var declarations: [String]

  private static let object = StandardClass(
    conformances: [
      "c:objc(pl)NSObject", "s:10Foundation16NSObjectProtocolP", "s:SQ", "s:SH",
      "s:s23CustomStringConvertibleP", "s:s28CustomDebugStringConvertibleP",
    ],
    declarations: [
      "init()", "func copy() -> Any", "func mutableCopy() -> Any",
      "var description: String { get }", "var debugDescription: String { get }",
      "var hash: Int { get }", "func isEqual(_ object: Any?) -> Bool",
    ])

  /// `NSObject` on Linux and on Apple's systems.
  static let objects = ["s:10Foundation8NSObjectC", "c:objc(cs)NSObject"]

  /// `NSObject`, or another class of Objective-C, which is a subclass of it.
  static func of(_ usr: String) -> StandardClass? {
    objects.contains(usr) || usr.hasPrefix("c:objc(cs)") ? object : nil
  }
}

extension GraphIndex {
  /// The class of a protocol's doubles: the one from which all classes among its parents are
  /// inherited. `NSObjectProtocol` stands for `NSObject`.
  func superclass(of usr: String) -> Superclass? {
    let parents = parentsOfProtocol(usr)
    var classes = parents.filter(isClass)
    for parent in parents.sorted() {
      if let object = StandardProtocol.all[parent]?.superclass { classes.insert(object) }
    }
    let chains = Dictionary(uniqueKeysWithValues: classes.map { ($0, Set(chain(of: $0))) })
    guard let first = classes.sorted().first(where: { chains[$0]?.isSuperset(of: classes) == true })
    else {
      guard let any = classes.min() else { return nil }
      let names = classes.map(self.className).sorted().joined(separator: " and ")
      return Superclass(
        usr: any, name: className(any), type: [],
        obstacle: "and no class can be a subclass of \(names)")
    }
    let name = className(first)
    // Foundation has `NSObject` on all systems.
    let isObject = StandardClass.objects.contains(first)
    let written = ([usr] + parents.sorted()).lazy.compactMap { self.inheritedType(first, in: $0) }
    let type = isObject ? [Token(name, usr: StandardClass.objects[0])] : written.first
    return Superclass(
      usr: first, name: name, isWritten: written.first != nil,
      type: type ?? [Token(name, usr: first)])
  }

  /// The parents of a protocol, without those of its class.
  private func parentsOfProtocol(_ usr: String) -> Set<String> {
    var found: Set<String> = []
    var open = [usr]
    while let next = open.popLast() {
      for parent in conformances[next] ?? [] where found.insert(parent.usr).inserted {
        if !isClass(parent.usr) { open.append(parent.usr) }
      }
    }
    return found
  }

  func isClass(_ usr: String) -> Bool {
    symbols[usr]?.isClass ?? (StandardClass.of(usr) != nil)
  }

  /// A class and its superclasses.
  func chain(of usr: String) -> [String] {
    var chain = [usr]
    while let next = conformances[chain[chain.count - 1]]?.first(where: { isClass($0.usr) }),
      !chain.contains(next.usr)
    { chain.append(next.usr) }
    if let last = chain.last, isOnUnknownActor(last) { chain.append(StandardClass.objects[1]) }
    return chain
  }

  /// Whether a class is one of Objective-C other than `NSObject`, whose actor no graph names.
  func isOnUnknownActor(_ usr: String) -> Bool {
    usr.hasPrefix("c:objc(cs)") && !StandardClass.objects.contains(usr)
  }

  /// The protocols that a class conforms to.
  func conformances(ofClass usr: String) -> Set<String> {
    chain(of: usr).reduce(into: []) { found, usr in
      found.formUnion(allConformances(of: usr))
      found.formUnion(StandardClass.of(usr)?.conformances ?? [])
    }
  }

  private func className(_ usr: String) -> String {
    if StandardClass.objects.contains(usr) { return "NSObject" }
    return String(name(of: usr).trimmingPrefix("c:objc(cs)"))
  }

  /// The superclass that ends a chain of classes, if no graph has it.
  func unknownSuperclass(of chain: [String]) -> String? {
    conformances[chain[chain.count - 1]]?.first { parent in
      parent.usr.hasPrefix("s:") && parent.usr.hasSuffix("C") && !isClass(parent.usr)
    }?.name
  }

  /// The type of a class in the inheritance clause of a protocol.
  private func inheritedType(_ usr: String, in heir: String) -> [Token]? {
    let tokens = symbols[heir]?.tokens ?? []
    guard let colon = tokens[...].first([":"]) else { return nil }
    let end = tokens[...].first(["where"]) ?? tokens.endIndex
    guard colon < end else { return nil }
    return tokens[(colon + 1)..<end].split(at: ",").first { part in
      part.prefix { $0.text != "<" }.last?.usr == usr
    }.map { Array($0) }
  }
}
