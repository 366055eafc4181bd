// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// The wiring of one module, from its symbol graphs to its errors and its file.
struct Wiring {
  let module: String
  let target: WiringConfiguration.Target
  let style: WiringWriter.Style
  let plan: WiringPlan
  /// The module's sources that the configuration does not exclude.
  let sources: [String]
  /// Whether the module has no component.
  let isEmpty: Bool
  private let index: GraphIndex

  /// Plans the wiring of a module without writing it. Throws if the module or its results are
  /// missing.
  ///
  /// Paths are resolved and places are named from `directory`. `results` are those of modules that
  /// were wired in the same run, by their standardized paths.
  init(
    _ module: String, _ target: WiringConfiguration.Target, _ index: GraphIndex,
    directory: String, results: [String: ResolvedModule] = [:]
  ) throws(ToolError) {
    guard index.moduleNames.contains(module) else {
      throw .noModule(module, index.moduleNames.sorted())
    }
    self.module = module
    self.target = target
    self.index = index
    var resolved: [ResolvedModule] = []
    for dependency in target.dependencies {
      let path = directory.appending(path: dependency.path)
      if let result = results[path.standardized] {
        resolved.append(result)
      } else {
        resolved.append(try ResolvedModule(contentsOf: path))
      }
    }
    let all = index.sources(of: module)
    for (key, paths) in [("include", target.include), ("exclude", target.exclude)] {
      for path in paths where !all.contains(where: { $0.isUnder(path, directory) }) {
        throw .noSource(path, key: key, module: module)
      }
    }
    let isIncluded: (SourcePlace?) -> Bool = { place in
      guard let path = place?.path else { return true }
      return !target.exclude.contains { path.isUnder($0, directory) }
        && (target.include.isEmpty || target.include.contains { path.isUnder($0, directory) })
    }
    sources = all.map { SourcePlace(path: $0, line: 1, column: 1) }.filter(isIncluded)
      .map { $0.relative(to: directory).path }
    let collector = ComponentCollector(
      index, module: module, directory: directory, isIncluded: isIncluded)
    let foreign = resolved.flatMap { $0.foreignComponents(index) }
    let provided = Set(target.provided)
    var plan = WiringPlanner.plan(
      collector.components + foreign, module: module,
      lifecycle: target.lifecycle ?? .notCached, index
    ) { type in
      provided.contains(type.text) || provided.contains(type.title)
        || collector.provided.contains(type.identity)
    }
    let hidden = Self.hidden(in: sources, directory).filter { diagnostic in
      // The compiler that emits a graph in this run already reports it.
      !collector.diagnostics.contains {
        $0.place?.path == diagnostic.place?.path && $0.place?.line == diagnostic.place?.line
      }
    }
    plan.diagnostics = Self.sorted(collector.diagnostics + hidden + plan.diagnostics)
    isEmpty = collector.components.isEmpty && collector.diagnostics.isEmpty && hidden.isEmpty
    if isEmpty {
      plan.diagnostics.append(
        Diagnostic(
          message: "No declaration of '\(module)' says '- Understudy: component' in its"
            + " documentation comment."))
    }
    self.plan = plan
    let name = target.name ?? Self.name(of: target.output) ?? "\(module)Wiring"
    style = WiringWriter.Style(
      name: Self.typeName(name), module: module, access: target.access ?? "internal",
      imports: target.imports + target.dependencies.flatMap(\.imports) + resolved.map(\.module),
      assemblies: resolved.compactMap { module in module.assembly.map { "\($0.escaped)()" } })
  }

  var isSound: Bool { !plan.diagnostics.contains { $0.severity == .error } }

  /// The assembly.
  var file: GeneratedFile {
    GeneratedFile(body: WiringWriter.text(of: plan, style, index), format: index.format)
  }

  /// The file with which other modules read this module's wiring.
  var resolved: ResolvedModule {
    let isVisible = style.access != "internal"
    return ResolvedModule(
      module: module, assembly: isVisible ? style.name : nil,
      components: plan.own.map { registration in
        var component = registration.component
        component.isAsync = registration.isAsync
        return component
      })
  }

  /// The graph in one of the formats of `WiringOptions`.
  func graph(_ format: String, _ library: any WiringLibrary) -> String {
    library.text(of: WiringGraph.whole(plan), format: format, title: module)
  }

  var summary: String {
    let count = plan.own.count
    let foreign = plan.registrations.count - count
    return "\(module): \(count) component\(count == 1 ? "" : "s")"
      + (foreign == 0 ? "" : ", \(foreign) of other modules")
  }

  /// The path of the assembly. If the output is a directory, the name is appended.
  func path(_ output: String) -> String {
    output.hasSuffix(".swift") ? output : output.appending(path: "\(style.name).swift")
  }

  /// The errors about components that are private, and so can never be registered, and about lines
  /// that Swift reads as no documentation comment.
  private static func hidden(in sources: [String], _ directory: String) -> [Diagnostic] {
    sources.flatMap { path in
      let text = SymbolGraphFile.source(at: directory.appending(path: path)) ?? ""
      let hidden = HiddenMarker.all(in: text).compactMap { marker in
        ComponentMarker.Kind(rawValue: marker.word).map { kind in
          Diagnostic(
            place: SourcePlace(path: path, line: marker.line, column: marker.column),
            message: kind.refusal(of: marker.name, marker.access))
        }
      }
      let kinds = ComponentMarker.Kind.allCases.map(\.rawValue)
      return hidden + MisplacedMarker.problems(of: kinds, in: text, at: path)
    }
  }

  private static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    diagnostics.enumerated().sorted {
      let left = $0.element.place ?? SourcePlace(path: "", line: 0, column: 0)
      let right = $1.element.place ?? SourcePlace(path: "", line: 0, column: 0)
      return left == right ? $0.offset < $1.offset : left < right
    }.map(\.element)
  }

  private static func name(of output: String?) -> String? {
    guard let file = output?.split(separator: "/").last, file.hasSuffix(".swift") else {
      return nil
    }
    return String(file.dropLast(6))
  }

  /// A name in the form of a type's name: `my-app` becomes `My_app`.
  static func typeName(_ name: String) -> String {
    let valid = name.map { $0.isLetter || $0.isNumber || $0 == "_" ? String($0) : "_" }.joined()
    let first = valid.first?.isNumber == true ? "_" : valid.prefix(1).uppercased()
    return first + (valid.first?.isNumber == true ? valid : String(valid.dropFirst()))
  }
}

extension String {
  /// A path below this one, or the path itself if it is absolute.
  func appending(path: String) -> String {
    path.hasPrefix("/") ? path : hasSuffix("/") ? self + path : "\(self)/\(path)"
  }

  /// The same absolute path without `.`, `..` and repeated slashes.
  var standardized: String {
    var parts: [Substring] = []
    for part in split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Whether a path is another one or below it. Both start at the directory or at the root.
  fileprivate func isUnder(_ prefix: String, _ directory: String) -> Bool {
    let path = directory.appending(path: self).standardized
    let prefix = directory.appending(path: prefix).standardized
    return path == prefix || path.hasPrefix(prefix == "/" ? prefix : prefix + "/")
  }
}
