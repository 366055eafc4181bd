// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import PackagePlugin

/// The modules of a package, as JSON for the tool's option `--modules`.
struct ModuleList: Encodable {
  struct Module: Encodable {
    var id: String
    var target: String
    var name: String
    var isSwift: Bool
    var isChosen: Bool
    var isOfOtherPackage: Bool
    var isExecutable = false
    var directory: String?
    var files: [String]
    var headers: String?
    var flags: [String] = []
    var dependencies: [String]
  }

  struct Tests: Encodable {
    var name: String
    var directory: String
    var dependencies: [String]
  }

  struct Built: Encodable {
    var path: String
    var start: Double
  }

  var modules: [Module] = []
  var tests: [Tests]
  /// The arguments of the command plugin.
  var arguments: [String] = []
  var folders: [String]
  var extractor: String?
  var store: String
  var wanted: String
  var built: [String: Built] = [:]
  var refused: [String] = []
  var broken: [String] = []
  /// Whether the tool runs as a step of a build, after the modules are compiled.
  var isBuildStep = false

  /// - Parameters:
  ///   - targets: The chosen targets.
  ///   - package: Their package, or one that depends on it.
  ///   - tool: The tool, beside which the package manager puts compiled modules.
  ///   - extractor: `swift-symbolgraph-extract`.
  ///   - work: The directory that the plugin may write to.
  init(
    _ targets: [SwiftSourceModuleTarget], of package: Package, tool: URL, _ extractor: URL?,
    work: URL
  ) {
    let products = tool.deletingLastPathComponent().path
    folders = ["\(products)/Modules", products]
    self.extractor = extractor?.path
    store = work.appendingPathComponent("graphs").path
    wanted = work.appendingPathComponent("wanted").path
    let root = package.directoryURL.path + "/"
    tests = package.targets.compactMap { $0 as? SwiftSourceModuleTarget }.filter {
      $0.kind == .test
    }
    .map { target in
      let path = target.directoryURL.path
      return Tests(
        name: target.name,
        directory: path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path,
        dependencies: target.recursiveTargetDependencies.map(\.id))
    }
    let manifests = Self.manifests(package)
    let own = Set(package.targets.map(\.id))
    let chosen = Set(targets.map(\.id))
    var seen: Set<String> = []
    let all: [any Target] = targets + targets.flatMap(\.recursiveTargetDependencies)
    for target in all where seen.insert(target.id).inserted {
      let dependencies = target.recursiveTargetDependencies.map(\.id)
      var module = Module(
        id: target.id, target: target.name, name: target.name, isSwift: false,
        isChosen: chosen.contains(target.id), isOfOtherPackage: !own.contains(target.id),
        files: manifests[target.id].map { [$0] } ?? [], dependencies: dependencies)
      if let swift = target as? SwiftSourceModuleTarget {
        // An executable cannot be imported, so a library names none of its types.
        guard swift.kind == .generic || module.isChosen else { continue }
        module.name = swift.moduleName
        module.isSwift = true
        module.isExecutable = swift.kind == .executable
        module.directory = swift.directoryURL.path
        module.files += swift.sourceFiles.map(\.url.path)
      } else if let c = target as? ClangSourceModuleTarget {
        module.headers = c.publicHeadersDirectoryURL?.path
        module.files += c.sourceFiles.map(\.url.path)
      } else if let system = target as? SystemLibraryTarget {
        module.headers = system.directoryURL.path
        module.flags = system.compilerFlags
      }
      modules.append(module)
    }
  }

  /// The path at which a build puts a compiled module.
  func compiled(_ module: String) -> URL {
    let products = URL(fileURLWithPath: folders[1])
    if products.deletingLastPathComponent().lastPathComponent == "Products" {
      // Swift Build has a directory for each module.
      return products.appendingPathComponent("\(module).swiftmodule/\(triple).swiftmodule")
    }
    return URL(fileURLWithPath: folders[0]).appendingPathComponent("\(module).swiftmodule")
  }

  private var triple: String {
    #if arch(x86_64)
      let processor = "x86_64"
    #elseif arch(arm64) && canImport(Darwin)
      let processor = "arm64"
    #else
      let processor = "aarch64"
    #endif
    #if canImport(Darwin)
      return "\(processor)-apple-macos"
    #else
      return "\(processor)-unknown-linux-gnu"
    #endif
  }

  /// Writes the list, unless the file already has the same text.
  func write(to url: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(self)
    if (try? Data(contentsOf: url)) != data { try data.write(to: url, options: .atomic) }
  }

  /// The path of the manifest of each target's package.
  private static func manifests(_ package: Package) -> [String: String] {
    var found: [String: String] = [:]
    var seen: Set<String> = []
    var open = [package]
    while let next = open.popLast() {
      guard seen.insert(next.id).inserted else { continue }
      for target in next.targets {
        found[target.id] = next.directoryURL.appendingPathComponent("Package.swift").path
      }
      open += next.dependencies.map(\.package)
    }
    return found
  }
}
