// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A cached value, whatever its type, and the dependencies that it was created from.
///
/// Safety of `@unchecked Sendable`: every stored property is immutable and `Sendable`, and so are
/// those of the subclasses, which are `final` and in this file. The initialiser of each demands
/// proof that the value's type is `Sendable`.
@usableFromInline
package class AnyInstance: @unchecked Sendable {
  package let registration: AnyRegistration
  package let dependencies: [Provenance]
  /// The number of the production level that would store it without layers.
  let home: Int
  /// The type of the value, as the registration has it.
  @usableFromInline final let valueType: ObjectIdentifier
  /// The order of creation, over the whole process.
  package let serial = AtomicInt.lastInstance.next()
  /// False if the value existed before it was registered.
  package final let isMade: Bool
  /// The argument of the request that created the value, as text. `nil` in a process without tests.
  final let argument: String?

  fileprivate init(
    _ registration: AnyRegistration, _ dependencies: [Provenance], at home: Int, isMade: Bool,
    argument: String?
  ) {
    self.registration = registration
    self.home = home
    valueType = registration.valueType
    self.dependencies = dependencies
    self.isMade = isMade
    self.argument = argument
  }

  /// The stored object, if the value is one and it is alive.
  package var object: AnyObject? { nil }
  /// True if the value is an object that the caller holds. It takes no last reference to another.
  func stores(_ other: AnyObject) -> Bool { object === other }
  /// The value, or `nil` if it is an object that was released.
  var anyValue: Any? { nil }
  package var retention: Retention { .strong }
}

/// A value that is stored for as long as its cache holds it. Safety: as for `AnyInstance`.
@usableFromInline
package final class Instance<Value>: AnyInstance, @unchecked Sendable {
  @usableFromInline package let value: Value
  private let type: SendableType<Value>

  init(
    _ value: Value, _ type: SendableType<Value>, of registration: AnyRegistration,
    from dependencies: [Provenance], at home: Int, isMade: Bool,
    argument: String?
  ) {
    self.value = value
    self.type = type
    super.init(registration, dependencies, at: home, isMade: isMade, argument: argument)
  }

  package override var object: AnyObject? { WeakReference(value, type).object }
  override var anyValue: Any? { value }
}

/// An object that is shared for as long as something else holds it. Safety: as for `AnyInstance`.
package final class WeakInstance<Value>: AnyInstance, @unchecked Sendable {
  private let reference: WeakReference<Value>
  private let identity: ObjectIdentifier?

  init(
    _ value: Value, _ type: SendableType<Value>, of registration: AnyRegistration,
    from dependencies: [Provenance], at home: Int, isMade: Bool,
    argument: String?
  ) {
    reference = WeakReference(value, type)
    identity = reference.object.map { ObjectIdentifier($0) }
    super.init(registration, dependencies, at: home, isMade: isMade, argument: argument)
  }

  package var value: Value? { reference.value }
  package override var object: AnyObject? { reference.object }
  override func stores(_ other: AnyObject) -> Bool {
    identity == ObjectIdentifier(other) && reference.object === other
  }
  override var anyValue: Any? { value }
  package override var retention: Retention { .weak }
}

extension Registration {
  /// The instance that stores a value. `nil` if values of this registration are not shared.
  func instance(
    of value: Value, from dependencies: [Provenance] = [], at home: Int, held retention: Retention,
    isMade: Bool, argument: String? = nil
  ) -> AnyInstance? {
    guard let sharing else { return nil }
    return switch retention {
    case .strong:
      Instance(
        value, sharing, of: self, from: dependencies, at: home, isMade: isMade, argument: argument)
    case .weak:
      WeakInstance(
        value, sharing, of: self, from: dependencies, at: home, isMade: isMade, argument: argument)
    }
  }
}

extension AnyInstance {
  /// The key and the object, held weakly, if the value is one.
  var held: (key: AnyKey, object: WatchedObject)? {
    object.flatMap { WatchedObject($0) }.map { (registration.key, $0) }
  }
}

extension [AnyInstance] {
  /// The instances in the order of their creation.
  ///
  /// In a debug build `sort` allocates for each exchange, and every layer orders its instances when
  /// it ends. This is a Shell sort, which exchanges in place.
  var oldestFirst: [AnyInstance] {
    var instances = self
    var gap = count / 2
    while gap > 0 {
      for end in gap..<count {
        var place = end
        while place >= gap, instances[place - gap].serial > instances[place].serial {
          let newer = instances[place - gap]
          instances[place - gap] = instances[place]
          instances[place] = newer
          place -= gap
        }
      }
      gap /= 2
    }
    return instances
  }
}

// Safety: a registration creates instances of its own value type alone, and both subclasses are
// made with one for their type. So comparing the identity of the type is the check of a cast,
// which would look the generic class up at run time.
extension AnyInstance {
  /// The value of an instance that is held weakly; `nil` if the object was released meanwhile.
  ///
  /// - Precondition: The instance is of a registration for `Value`.
  func weakValue<Value>(as type: Value.Type) -> Value? {
    precondition(valueType == ObjectIdentifier(type))
    return unsafe unsafeDowncast(self, to: WeakInstance<Value>.self).value
  }

  /// The value of an instance that is held strongly.
  ///
  /// - Precondition: The instance is of a registration for `Value`.
  @inlinable @inline(__always)
  final func strongValue<Value>(as type: Value.Type) -> Value {
    precondition(valueType == ObjectIdentifier(type))
    let instance = unsafe Unmanaged.passUnretained(self).toOpaque()
    return unsafe Unmanaged<Instance<Value>>.fromOpaque(instance).takeUnretainedValue().value
  }
}

/// One dependency of an instance: the registration that answered a key, and its level.
package final class Provenance: Sendable {
  package enum Answer: Sendable {
    case registration(AnyRegistration)
    /// No registration answered, and the requester could continue without one (`T?`).
    case nothing
    /// These registrations of one type answered (`[T]`).
    case every([AnyRegistration])
  }

  package let key: AnyKey
  package let answer: Answer
  /// The rank of the level whose registration answered.
  package let rank: Int
  /// The numbers of the asked resolver and its parents, so that an instance does not keep its
  /// resolver alive.
  let lineage: [Int]
  /// The number of the one among them that answered, or the outermost one's if a layer or nothing
  /// answered.
  let production: Int
  /// Only levels below this rank were asked, since a decorator asks below its own layer.
  package let ceiling: Int
  /// True if the instance may resolve the dependency later, and did not while it was created.
  let isForLater: Bool
  /// True for the value that a decorator wraps.
  let isDecorated: Bool
  package let dependencies: [Provenance]
  /// Where the instance is stored that has these dependencies, if it is one.
  let place: InstancePlace?

  init(
    of key: AnyKey, answer: Answer, rank: Int, production: LevelStore,
    ceiling: Int = .max, isForLater: Bool = false, isDecorated: Bool = false,
    dependencies: [Provenance] = [],
    at place: InstancePlace? = nil
  ) {
    self.key = key
    self.answer = answer
    self.rank = rank
    lineage = production.lineage
    self.production = lineage[rank < lineage.count ? rank : 0]
    self.ceiling = ceiling
    self.isForLater = isForLater
    self.isDecorated = isDecorated
    self.dependencies = dependencies
    self.place = place
  }
}

/// The ranks of the level that stores an instance, and of its home.
typealias InstancePlace = (owner: Int, home: Int)

extension [Provenance] {
  /// Visits these dependencies and everything below them, each once: O(distinct dependencies).
  func visit(_ body: (Provenance) -> Void) {
    var seen: Set<ObjectIdentifier> = []
    var open = self
    while let next = open.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      body(next)
      open += next.dependencies
    }
  }
}
