// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

/// A family of resolvers with layers. What a resolver answers depends on its own registrations, its
/// parents' and the layers, and not on the requests that other resolvers of the family made before.
@Suite struct `A family of resolvers` {
  @Test func `answers each member as if no other member had requested anything`() {
    for seed in 0..<UInt64(Effort.of(6000)) {
      let program = FamilyProgram(seed: seed)
      let difference = program.difference
      #expect(difference == nil, "seed \(seed): \(difference ?? "")\n\(program)")
      if difference != nil { return }
    }
  }

  /// The check can fail: a registration of another family makes a difference.
  @Test func `is told apart from a family with other registrations`() throws {
    let programs = (0..<UInt64(40)).map { FamilyProgram(seed: $0) }
    #expect(Set(programs.map { $0.answers().joined(separator: "\n") }).count > 30)
  }
}

/// Registrations, layers and requests, chosen by a seed.
private struct FamilyProgram: CustomStringConvertible {
  /// The parent of each resolver: an app with two children, one of which has a child.
  static let parents = [nil, 0, 0, 1]
  static let keys = 0..<5

  private static let checks: OverrideOptions = [
    .check(.unusedOverride, .off), .check(.lateOverride, .off), .check(.unsharedDouble, .off),
  ]

  /// A dependency of a block.
  struct Need: CustomStringConvertible {
    /// It is larger than the key of the block.
    let key: Int
    let isOptional: Bool
    /// True if the block requests it from the outermost resolver by name.
    let isOfRoot: Bool

    var description: String { "\(key)\(isOptional ? "?" : "")\(isOfRoot ? " of root" : "")" }
  }

  struct Recipe: CustomStringConvertible {
    let key: Int
    let lifecycle: Lifecycle
    let needs: [Need]
    /// True if a layer wraps the value that it shadows.
    var isDecorator = false

    var description: String {
      isDecorator ? "decorate \(key)" : "\(key) \(lifecycle) \(needs)"
    }
  }

  struct Request: CustomStringConvertible {
    let resolver: Int
    let key: Int

    var description: String { "\(key) of \(resolver)" }
  }

  struct Layer: CustomStringConvertible {
    let resolver: Int
    let isBoundary: Bool
    let recipes: [Recipe]

    var description: String { "\(isBoundary ? "boundary" : "layer") of \(resolver): \(recipes)" }
  }

  private var recipes: [[Recipe]] = []
  private var layers: [Layer] = []
  /// The requests before each layer is pushed, under the innermost one, and after each has ended.
  private var requests: [[Request]] = []

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func recipes(_ share: Int, inLayer: Bool) -> [Recipe] {
      Self.keys.filter { _ in Int.random(in: 0..<100, using: &random) < share }.map { key in
        let larger = Self.keys.filter { $0 > key && Bool.random(using: &random) }
        return Recipe(
          key: key, lifecycle: Int.random(in: 0..<4, using: &random) == 0 ? .notCached : .cached,
          needs: larger.map {
            Need(
              key: $0, isOptional: Bool.random(using: &random),
              isOfRoot: Int.random(in: 0..<6, using: &random) == 0)
          },
          isDecorator: inLayer && Int.random(in: 0..<4, using: &random) == 0)
      }
    }
    self.recipes = Self.parents.map { recipes($0 == nil ? 80 : 25, inLayer: false) }
    layers = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      Layer(
        resolver: Int.random(in: 0..<4, using: &random), isBoundary: Bool.random(using: &random),
        recipes: recipes(25, inLayer: true))
    }
    requests = (0...2 * layers.count).map { _ in
      (0..<Int.random(in: 0...6, using: &random)).map { _ in
        Request(
          resolver: Int.random(in: 0..<4, using: &random),
          key: Int.random(in: Self.keys, using: &random))
      }
    }
  }

  var description: String {
    "\(recipes.enumerated().map { "resolver \($0): \($1)" }.joined(separator: "\n"))\n"
      + "\(layers.map { "\($0)" }.joined(separator: "\n"))\n\(requests)"
  }

  /// The first request whose answer depends on other requests, or that gets two instances of a
  /// cached value.
  var difference: String? {
    let answers = answers()
    var number = 0
    for (stage, requests) in requests.enumerated() {
      for position in requests.indices {
        let alone = self.answers(only: (stage, position))
        if alone != [answers[number]] {
          return "stage \(stage), \(requests[position]): \(answers[number]), and alone \(alone)"
        }
        number += 1
      }
    }
    return nil
  }

  /// The answers to all requests, or only to one of them, in a new family.
  func answers(only: (stage: Int, position: Int)? = nil) -> [String] {
    var resolvers: [Resolver] = []
    for (number, parent) in Self.parents.enumerated() {
      let resolver = Resolver(named: "r\(number)", parent: parent.map { resolvers[$0] })
      for recipe in recipes[number] {
        Self.register(recipe, on: resolver, as: "r\(number)", root: resolvers.first ?? resolver)
      }
      resolvers.append(resolver)
    }
    var answers: [String] = []
    run(0, resolvers, only, &answers)
    return answers
  }

  private func run(
    _ depth: Int, _ resolvers: [Resolver], _ only: (stage: Int, position: Int)?,
    _ answers: inout [String]
  ) {
    ask(depth, resolvers, only, &answers)
    guard depth < layers.count else { return }
    let layer = layers[depth]
    withOverrides(
      Self.checks, of: resolvers[layer.resolver], isBoundary: layer.isBoundary
    ) { pushed in
      for recipe in layer.recipes {
        if recipe.isDecorator {
          pushed.decorate(Node.self, named: recipe.key) { Node("d\(depth)(\($0.text))") }
        } else {
          Self.register(recipe, on: pushed, as: "l\(depth)", root: resolvers[0])
        }
      }
    } operation: {
      run(depth + 1, resolvers, only, &answers)
    }
    ask(2 * layers.count - depth, resolvers, only, &answers)
  }

  private func ask(
    _ stage: Int, _ resolvers: [Resolver], _ only: (stage: Int, position: Int)?,
    _ answers: inout [String]
  ) {
    for (position, request) in requests[stage].enumerated() {
      if let only, only != (stage, position) { continue }
      let resolver = resolvers[request.resolver]
      let first = try? resolver.resolve(Node.self, named: request.key)
      let second = try? resolver.resolve(Node.self, named: request.key)
      let isShared = first.map { $0 === second } ?? false
      answers.append("\(first?.text ?? "-") \(isShared ? "shared" : "unshared")")
    }
  }

  private static func register(
    _ recipe: Recipe, on registering: some Registering, as name: String, root: Resolver
  ) {
    registering.register(named: recipe.key, lifecycle: recipe.lifecycle) { [unowned root] r in
      let parts = try recipe.needs.map { need in
        let asked = need.isOfRoot ? root : r
        return need.isOptional
          ? try asked.resolve(Node?.self, named: need.key)?.text ?? "-"
          : try asked.resolve(Node.self, named: need.key).text
      }
      return Node("\(name).\(recipe.key)[\(parts.joined(separator: " "))]")
    }
  }

  final class Node: Sendable {
    let text: String
    init(_ text: String) { self.text = text }
  }
}
