// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

protocol Mailer: Sendable {
  var number: Int { get }
}

final class SMTPMailer: Mailer {
  let number: Int

  init(_ number: Int = 1) {
    self.number = number
  }
}

/// A name in the usual form.
enum Place { case wall, wrist }

protocol Filler: Sendable {}
struct FillerDouble: Filler {}

final class Small {
  let number = 1
}

final class Leaf {
  let number = 1
}

final class Branch {
  let leaf: Leaf

  init(_ leaf: Leaf) {
    self.leaf = leaf
  }
}

final class Twig {
  let number = 2
}

final class Tree {
  let branch: Branch
  let twig: Twig

  init(_ branch: Branch, _ twig: Twig) {
    self.branch = branch
    self.twig = twig
  }
}

extension Dependencies {
  static let mailer = Dependency<any Mailer>(lifecycle: .cached) { SMTPMailer() }
  static let small = Dependency<Small> { Small() }
  static let leaf = Dependency<Leaf> { Leaf() }
  static let twig = Dependency<Twig> { Twig() }
  static let branch = Dependency<Branch> { Branch(Resolver.main.resolve { $0.leaf }) }
  static let tree = Dependency<Tree> {
    Tree(Resolver.main.resolve { $0.branch }, Resolver.main.resolve { $0.twig })
  }
}

/// Closures that the optimiser cannot inline.
final class Opaque: Sendable {
  let existing: @Sendable () -> any Mailer

  @_optimize(none)
  init(_ mailer: any Mailer) {
    existing = { mailer }
  }
}

@inline(never) @_optimize(none)
func makeSmall() -> Small { Small() }

@inline(never) @_optimize(none)
func makeTree() -> Tree { Tree(Branch(Leaf()), Twig()) }

enum Local {
  @TaskLocal static var number = 0
}

@inline(never) @_optimize(none)
func nothing() {}
