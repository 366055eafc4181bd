// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// The wiring of one module, as a file for other modules.
struct ResolvedModule: Codable, Hashable {
  static let currentVersion = 1

  struct Entry: Codable, Hashable {
    var type: String
    var usr: String
    var name: String?
    var ancestors: [String]
    var payload: String?
    /// Its lifecycle. Older files do not have it.
    var lifecycle: ComponentMarker.Lifecycle?
    /// Whether its creation, or the creation of a dependency, is asynchronous.
    var isAsync: Bool
    var isMainActor: Bool
    var isSendable: Bool
    var place: SourcePlace?
  }

  var understudyWiring = currentVersion
  var module: String
  /// The assembly, if other modules can see it.
  var assembly: String?
  var components: [Entry]

  /// Collects the results of a wiring.
  init(module: String, assembly: String?, components: [Component]) {
    self.module = module
    self.assembly = assembly
    self.components = components.map { component in
      Entry(
        type: component.type.text, usr: component.type.identity, name: component.name,
        ancestors: component.ancestors.filter { !$0.hasPrefix("s:s") }.sorted(),
        payload: component.payload?.text, lifecycle: component.lifecycle,
        isAsync: component.isAsync, isMainActor: component.isMainActor,
        isSendable: component.isSendable, place: component.place)
    }.sorted { ($0.type, $0.name ?? "") < ($1.type, $1.name ?? "") }
  }

  /// The text of the file, which is the same for equal results.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = (try? encoder.encode(self)) ?? Data()
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  /// Reads the results of a module.
  init(contentsOf path: String) throws(ToolError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .noResolved(path: path)
    }
    guard let version = Self.version(of: data) else { throw .badResolved(path: path) }
    guard version == Self.currentVersion else {
      throw .unknownResolved(path: path, version: version)
    }
    guard let module = try? JSONDecoder().decode(ResolvedModule.self, from: data) else {
      throw .badResolved(path: path)
    }
    // They are written into code as they are.
    let types = module.components.flatMap { [$0.type] + ($0.payload.map { [$0] } ?? []) }
    guard types.allSatisfy(\.isType) else { throw .badResolved(path: path) }
    self = module
  }

  /// The version of a file, or `nil` if it is none of the tool.
  static func version(of data: Data) -> Int? {
    struct Head: Decodable { var understudyWiring: Int }
    return try? JSONDecoder().decode(Head.self, from: data).understudyWiring
  }

  /// The type of a component as another module writes it, qualified if another type has its name.
  private func spelled(_ entry: Entry, _ index: GraphIndex) -> String {
    let any = entry.type.hasPrefix("any ") ? "any " : ""
    let name = entry.type.dropFirst(any.count)
    let first = name.split(separator: ".").first.map(String.init) ?? ""
    let others = index.outermost[first, default: [:]].keys.contains { $0 != module }
    guard others, index.outermost[module] == nil,
      entry.usr.hasPrefix("s:\(module.utf8.count)\(module)")
    else { return entry.type }
    return "\(any)\(module.escaped).\(name)"
  }

  /// The components, which this module does not register again.
  func foreignComponents(_ index: GraphIndex) -> [Component] {
    components.map { entry in
      var component = Component(
        type: WiredType(text: spelled(entry, index), usr: entry.usr), maker: .initializer,
        module: module, place: entry.place)
      component.name = entry.name
      // Conformances in this module's extensions count, too.
      component.ancestors = Set(entry.ancestors).union(index.allConformances(of: entry.usr))
      component.lifecycle = entry.lifecycle
      component.isAsync = entry.isAsync
      component.isMainActor = entry.isMainActor
      component.isSendable = entry.isSendable
      component.isForeign = true
      component.availability = index.symbols[entry.usr]?.availability ?? []
      component.payload = entry.payload.map { WiredType(text: $0, usr: $0) }
      return component
    }
  }
}
