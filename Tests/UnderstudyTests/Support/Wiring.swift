// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

/// The innermost dependency, which tests override.
final class Leaf: Sendable {
  let origin: String

  init(_ origin: String) { self.origin = origin }
}

/// An object that is made of a leaf.
final class Middle: Sendable {
  private let source: @Sendable () -> Leaf

  init(_ leaf: Leaf) { source = { leaf } }

  init(lazily source: @escaping @Sendable () -> Leaf) { self.source = source }

  /// Resolves the leaf itself, as an initialiser of an application may do.
  init(fromCurrentResolver: Void) throws {
    let leaf: Leaf = try Resolver.current.resolve()
    source = { leaf }
  }

  var leaf: Leaf { source() }
}

/// An object that is made of a middle.
final class Root: Sendable {
  let middle: Middle

  init(middle: Middle) { self.middle = middle }

  var leaf: Leaf { middle.leaf }
}

/// An object without a leaf.
final class Bystander: Sendable {}

/// The owner of a property wrapper.
struct InjectedLeaf {
  @Inject var leaf: Leaf
}

/// The owner of a property wrapper.
struct LazyLeaf: Sendable {
  @LazyInject var leaf: Leaf
}

/// All ways in which a block can get its dependency.
enum Wiring: String, CaseIterable, Sendable {
  case blockResolver, capturedResolver, currentResolver, inject, autowiring, optional, array, lazy
  case throughUncached

  /// Registers a leaf, a middle and a root, all cached, and a bystander.
  func makeResolver() -> Resolver {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Leaf("production") }
    registerMiddle(on: resolver, asking: resolver)
    resolver.register(autowiring: Root.init(middle:), lifecycle: .cached)
    resolver.register(lifecycle: .cached) { Bystander() }
    return resolver
  }

  func registerMiddle(on registering: some Registering, asking resolver: Resolver) {
    switch self {
    case .blockResolver:
      registering.register(lifecycle: .cached) { r in Middle(try r.resolve()) }
    case .capturedResolver:
      registering.register(lifecycle: .cached) { [unowned resolver] in
        Middle(try resolver.resolve())
      }
    case .currentResolver:
      registering.register(lifecycle: .cached) { try Middle(fromCurrentResolver: ()) }
    case .inject:
      registering.register(lifecycle: .cached) { Middle(InjectedLeaf().leaf) }
    case .autowiring:
      registering.register(autowiring: { (leaf: Leaf) in Middle(leaf) }, lifecycle: .cached)
    case .optional:
      registering.register(lifecycle: .cached) { r in
        Middle(try r.resolve(Leaf?.self) ?? Leaf("none"))
      }
    case .array:
      registering.register(lifecycle: .cached) { r in
        Middle(try r.resolve([Leaf].self).first ?? Leaf("none"))
      }
    case .lazy:
      registering.register(lifecycle: .cached) {
        let owner = LazyLeaf()
        return Middle(lazily: { owner.leaf })
      }
    case .throughUncached:
      registering.register { r in Wrapped(leaf: try r.resolve()) }
      registering.register(lifecycle: .cached) { r in
        Middle(try r.resolve(Wrapped.self).leaf)
      }
    }
  }

  struct Wrapped { let leaf: Leaf }
}
