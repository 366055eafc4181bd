// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// What the plugin knows of the modules of a package: where they are built, and from which files.
///
/// The plugin writes it as JSON and names it with `--modules`. The tool then reads the symbol
/// graphs of the modules that it needs from the compiled modules, and asks for a build of those
/// that are not up to date.
struct ModuleList: Codable {
  struct Module: Codable {
    /// What the package manager calls the target, unique among all packages.
    var id: String
    /// The name of the target.
    var target: String
    /// The name of the module.
    var name: String
    /// Whether the module is Swift's: only such a module has a symbol graph.
    var isSwift: Bool
    /// Whether the user named the target.
    var isChosen: Bool
    /// Whether the target belongs to another package than the plugin was run in.
    var isOfOtherPackage = false
    /// The files of the target, and the manifest of its package.
    var files: [String]
    /// The public headers of a target of C.
    var headers: String?
    /// The other modules that the module depends on, directly or not.
    var dependencies: [String]
  }

  /// A target of tests.
  struct Tests: Codable {
    var name: String
    /// The directory, from that of the package.
    var directory: String
    /// The identifiers of the targets that it depends on, directly or not.
    var dependencies: [String]
  }

  /// A symbol graph that the package manager made, after a build.
  struct Built: Codable {
    /// The directory of the graphs.
    var path: String
    /// Seconds since 1970 at which the build began.
    var start: Double
  }

  var modules: [Module]
  var tests: [Tests]
  /// The directories in which compiled modules may lie; each is in a folder that the package
  /// manager writes to.
  var folders: [String]
  /// The path of `swift-symbolgraph-extract`; `nil` if the toolchain has none.
  var extractor: String?
  /// The directory in which graphs are remembered from run to run.
  var store: String
  /// The file to which the tool writes the identifiers of the targets that have to be built first.
  var wanted: String
  /// The graphs that the package manager made in this run, by the target's identifier.
  var built: [String: Built]
  /// The targets of which the package manager gives no graph.
  var refused: [String]
  /// Whether this run is a step of a build, which has compiled the modules before.
  var isBuildStep: Bool

  init(contentsOf path: String) throws(ToolError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .configuration(path: path, "is not there.")
    }
    guard let list = try? JSONDecoder().decode(ModuleList.self, from: data) else {
      throw .configuration(path: path, "is no list of modules.")
    }
    self = list
  }
}
