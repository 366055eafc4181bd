// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// The plugin's list of the modules of a package, with their files and the folders of their builds.
///
/// The plugin writes it as JSON and passes it with `--modules`. The tool reads the symbol graphs of
/// the modules that it needs from the compiled modules, and asks for a build of those that are not
/// up to date.
struct ModuleList: Codable {
  struct Module: Codable {
    /// The package manager's name for the target, unique among all packages.
    var id: String
    /// The name of the target.
    var target: String
    /// The name of the module.
    var name: String
    /// Whether it is a Swift module. Only these have symbol graphs.
    var isSwift: Bool
    /// Whether the user named the target.
    var isChosen: Bool
    /// Whether the target belongs to another package than the plugin's.
    var isOfOtherPackage = false
    /// Whether the target is an executable. The package manager may give no graph of it.
    var isExecutable = false
    /// The directory of the sources of a Swift module.
    var directory: String?
    /// The files of the target, and the manifest of its package.
    var files: [String]
    /// The Swift files of the target. The list does not tell them from the manifest.
    var sources: [String] {
      files.filter { $0.hasSuffix(".swift") && !$0.hasSuffix("/Package.swift") }
    }
    /// The public headers of a C target.
    var headers: String?
    /// The compiler's flags for a system library, from `pkg-config`.
    var flags: [String] = []
    /// All other modules that the module depends on, directly or indirectly.
    var dependencies: [String]
  }

  /// A test target.
  struct Tests: Codable {
    var name: String
    /// The directory, relative to the package.
    var directory: String
    /// The identifiers of the targets that it depends on, directly or indirectly.
    var dependencies: [String]
  }

  /// A symbol graph from the package manager, after a build.
  struct Built: Codable {
    /// The directory of the graphs.
    var path: String
    /// The time at which the build began, in seconds since 1970.
    var start: Double
  }

  var modules: [Module]
  var tests: [Tests]
  /// The arguments that the user gave to the plugin.
  var arguments: [String]
  /// The directories that may contain compiled modules. The package manager writes to their
  /// parents.
  var folders: [String]
  /// The path of `swift-symbolgraph-extract`, or `nil` if the toolchain has none.
  var extractor: String?
  /// The directory in which graphs are cached between runs.
  var store: String
  /// The file for the identifiers of the targets that have to be built first.
  var wanted: String
  /// The graphs that the package manager has returned in this run, by target identifier.
  var built: [String: Built]
  /// The targets for which the package manager returns no graph.
  var refused: [String]
  /// The names of those that do not compile.
  var broken: [String]
  /// Whether this run is a step of a build, after the modules are compiled.
  var isBuildStep: Bool

  init(contentsOf path: String) throws(ToolError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .configuration(path: path, "is not there.")
    }
    guard let list = try? JSONDecoder().decode(ModuleList.self, from: data) else {
      throw .configuration(path: path, "is not a list of modules.")
    }
    self = list
  }
}
