// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// The symbol graphs of compiled modules, cached by the content of each module.
///
/// A graph is read from the build folder if its module is known to be up to date, for one of three
/// reasons:
/// - The package manager has built the module in this run.
/// - The module is newer than all its files, those of its dependencies, and the directories of
/// both, and its graph names one of its files.
/// - The module and all these files are unchanged since the package manager built it for this tool.
///
/// Any other module is built by the package manager, which also returns its graph.
struct GraphStore {
  typealias Module = ModuleList.Module

  private let list: ModuleList
  private let modules: [String: Module]
  private let launch: (String, [String]) -> ProgramEnd
  private let directories = Directories()
  /// The folder of `list.folders` that the builds of this run wrote to.
  private let builtFolders: Set<String>
  /// The modules that this run has built, for themselves or as dependencies.
  private let builtModules: Set<String>

  /// - Parameters:
  ///   - list: The modules.
  ///   - launch: Runs a program. If it fails, the package manager gives the graph or the reason.
  init(_ list: ModuleList, launch: @escaping (String, [String]) -> ProgramEnd) {
    self.list = list
    self.launch = launch
    modules = Dictionary(list.modules.map { ($0.id, $0) }) { first, _ in first }
    var folders: Set<String> = []
    for folder in list.folders {
      let isWritten = list.built.values.contains { built in
        Self.surroundings(of: folder).contains { Self.isChanged($0, since: built.start) }
      }
      if isWritten { folders.insert(folder) }
    }
    builtFolders = folders
    var built = Set(list.built.keys)
    for id in list.built.keys { built.formUnion(modules[id]?.dependencies ?? []) }
    builtModules = built
  }

  /// The answer to a request for a graph.
  enum Answer: Hashable {
    case graph(String)
    case needsBuild
    /// There is none. The failure is that of the extractor, for a compiled module.
    case unavailable(SymbolGraphFile.Failure?)
  }

  /// The directory with a module's graphs.
  func graph(of id: String) -> Answer {
    guard let module = modules[id], module.isSwift else { return .unavailable(nil) }
    var failure: SymbolGraphFile.Failure?
    switch extracted(module) {
    case .success(let path): return .graph(path)
    case .failure(let found): failure = found
    case nil: break
    }
    if let built = list.built[id] { return .graph(built.path) }
    return list.isBuildStep || list.refused.contains(id) ? .unavailable(failure) : .needsBuild
  }

  // MARK: Reading a compiled module

  private typealias Extraction = Result<String, SymbolGraphFile.Failure>

  /// The directory with the graphs of a compiled module, or `nil` if there is none that is up to
  /// date.
  private func extracted(_ module: Module) -> Extraction? {
    guard let extractor = list.extractor else { return nil }
    for folder in list.folders {
      guard let compiled = CompiledModule(module.name, in: folder),
        isUpToDate(module, compiled, in: folder)
      else { continue }
      let extraction = extracted(module, compiled, folder, extractor)
      if case .success(let path)? = extraction, !list.isBuildStep,
        !builtModules.contains(module.id), !isGraph(path, of: module)
      {
        return nil
      }
      return extraction
    }
    return nil
  }

  /// Whether a graph names a source of the module. Packages with a common build folder may have
  /// modules of one name.
  private func isGraph(_ path: String, of module: Module) -> Bool {
    guard let data = FileManager.default.contents(atPath: "\(path)/\(module.name).symbols.json"),
      data.range(of: Data("file://".utf8)) != nil
    else { return true }
    return module.files.contains { file in
      let resolved = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
      return Set([file, resolved]).contains { name in
        let encoded = name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? name
        return [name, encoded].contains { data.range(of: Data("file://\($0)\"".utf8)) != nil }
      }
    }
  }

  private func extracted(
    _ module: Module, _ compiled: CompiledModule, _ folder: String, _ extractor: String
  ) -> Extraction? {
    let manager = FileManager.default
    guard let key = key(of: module, compiled, folder, extractor) else { return nil }
    let home = "\(list.store)/\(module.name)"
    let directory = "\(home)/\(key)"
    if manager.fileExists(atPath: directory) { return .success(directory) }
    let draft = "\(home)/draft-\(getpid())"
    try? manager.removeItem(atPath: draft)
    defer { try? manager.removeItem(atPath: draft) }
    guard (try? manager.createDirectory(atPath: draft, withIntermediateDirectories: true)) != nil
    else { return .failure(.init("'\(home)' cannot be written")) }
    let arguments = arguments(for: module, in: folder, to: draft)
    let end = launch(extractor, arguments)
    guard end.status == 0, manager.fileExists(atPath: "\(draft)/\(module.name).symbols.json")
    else {
      // The draft's directory is removed, and the extractor does not create one.
      let command = ([extractor] + self.arguments(for: module, in: folder, to: list.store))
        .map(\.shellArgument).joined(separator: " ")
      return .failure(
        .init(end.status == 0 ? "it wrote no graph" : end.reason, command: command))
    }
    // The graphs of the module's old contents are not needed any more.
    for name in (try? manager.contentsOfDirectory(atPath: home)) ?? []
    where name != key && !name.hasPrefix("draft-") {
      try? manager.removeItem(atPath: "\(home)/\(name)")
    }
    try? manager.moveItem(atPath: draft, toPath: directory)
    return manager.fileExists(atPath: directory) ? .success(directory) : nil
  }

  private func arguments(
    for module: Module, in folder: String, to output: String
  ) -> [String] {
    var arguments = Self.arguments(for: module.name, level: "private", list.store, to: output)
    arguments += ["-I", folder, "-include-spi-symbols"]
    for dependency in module.dependencies.compactMap({ modules[$0] }) where !dependency.isSwift {
      arguments += dependency.flags.flatMap { ["-Xcc", $0] }
      guard let headers = dependency.headers else { continue }
      arguments += ["-Xcc", "-I", "-Xcc", headers]
      // The package manager writes a module map for a target without one.
      let around = Self.surroundings(of: folder)
      let maps =
        ["\(headers)/module.modulemap"]
        + around.map { "\($0)/\(dependency.name).build/module.modulemap" }
      if let map = maps.first(where: FileManager.default.fileExists) {
        arguments += ["-Xcc", "-fmodule-map-file=\(map)"]
      }
    }
    return arguments
  }

  /// The arguments with which the extractor writes the graph of any module. It caches the modules
  /// that it compiles in `store`.
  static func arguments(
    for module: String, level: String, _ store: String, to output: String
  ) -> [String] {
    let sdk = ProcessInfo.processInfo.environment["SDKROOT"]
    return [
      "-module-name", module, "-minimum-access-level", level, "-skip-synthesized-members",
      "-omit-extension-block-symbols", "-target", triple, "-module-cache-path",
      "\(store)/ModuleCache", "-output-dir", output,
    ] + (sdk.map { ["-sdk", $0] } ?? [])
  }

  /// A name for the content of a module and all inputs of its graph.
  private func key(
    of module: Module, _ compiled: CompiledModule, _ folder: String, _ extractor: String
  ) -> String? {
    var hash = ContentHash()
    for file in compiled.files {
      guard let data = FileManager.default.contents(atPath: file) else { return nil }
      hash.add(data)
    }
    hash.add(FileFacts(extractor)?.text ?? "")
    for dependency in module.dependencies.compactMap({ modules[$0] }) where dependency.isSwift {
      hash.add(CompiledModule(dependency.name, in: folder)?.facts.text ?? dependency.name)
    }
    return hash.text
  }

  // MARK: Checking whether a module is up to date

  private func isUpToDate(_ module: Module, _ compiled: CompiledModule, in folder: String) -> Bool {
    if list.isBuildStep { return true }
    if builtModules.contains(module.id) {
      if builtFolders.contains(folder) {
        note(module, compiled)
        return true
      }
      // The build wrote to another folder, so the module here may be of another configuration.
      return false
    }
    return isNewest(module, compiled) || isNoted(module, compiled)
  }

  private func files(of module: Module) -> [String] {
    module.files + module.dependencies.flatMap { modules[$0]?.files ?? [] }
  }

  private func isNewest(_ module: Module, _ compiled: CompiledModule) -> Bool {
    // Removing or renaming a file changes its directory, which may have no other file.
    let modules = [module] + module.dependencies.compactMap { self.modules[$0] }
    func isOlder(_ path: String) -> Bool { FileFacts(path).map(compiled.facts.isNewer) == true }
    return files(of: module).allSatisfy(isOlder)
      && modules.compactMap(\.directory).flatMap(directories.all).allSatisfy(isOlder)
  }

  private func isNoted(_ module: Module, _ compiled: CompiledModule) -> Bool {
    guard let data = FileManager.default.contents(atPath: notePath(module)) else { return false }
    return String(decoding: data, as: UTF8.self) == state(of: module, compiled)
  }

  /// Records that a module is up to date.
  private func note(_ module: Module, _ compiled: CompiledModule) {
    let path = notePath(module)
    let state = state(of: module, compiled)
    guard FileManager.default.contents(atPath: path) != Data(state.utf8) else { return }
    try? FileManager.default.createDirectory(
      atPath: list.store, withIntermediateDirectories: true)
    try? Data(state.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  private func notePath(_ module: Module) -> String { "\(list.store)/\(module.name).state" }

  private func state(of module: Module, _ compiled: CompiledModule) -> String {
    var hash = ContentHash()
    for file in files(of: module) { hash.add("\(file) \(FileFacts(file)?.text ?? "")") }
    hash.add(compiled.facts.text)
    return "\(module.id) \(hash.text)"
  }

  // MARK: Paths

  /// A folder of modules and its parent folder, which the package manager writes to in every build.
  private static func surroundings(of folder: String) -> [String] {
    guard let slash = folder.lastIndex(of: "/") else { return [folder] }
    return [folder, String(folder[..<slash])]
  }

  private static func isChanged(_ folder: String, since start: Double) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains { name in
      guard name.hasSuffix(".json") || name.hasSuffix(".txt") || name.hasSuffix(".swiftmodule"),
        let facts = FileFacts("\(folder)/\(name)")
      else { return false }
      return Double(facts.seconds) + Double(facts.nanoseconds) / 1e9 >= start
    }
  }

  static var triple: String {
    #if arch(x86_64)
      let processor = "x86_64"
    #elseif arch(arm64) && canImport(Darwin)
      let processor = "arm64"
    #else
      let processor = "aarch64"
    #endif
    #if canImport(Darwin)
      let version = ProcessInfo.processInfo.operatingSystemVersion
      return "\(processor)-apple-macosx\(version.majorVersion).0"
    #else
      return "\(processor)-unknown-linux-gnu"
    #endif
  }
}

extension String {
  /// The text as one argument of a shell command.
  fileprivate var shellArgument: String {
    let isPlain = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "-_./=+:,@".contains($0) }
    return isPlain ? self : "'\(replacing("'", with: #"'\''"#))'"
  }
}

/// A compiled module in a build folder: a file with its documentation and source information, or a
/// directory of them.
private struct CompiledModule {
  let files: [String]
  /// The facts of the module itself.
  let facts: FileFacts

  init?(_ name: String, in folder: String) {
    let path = "\(folder)/\(name).swiftmodule"
    guard let own = FileFacts(path) else { return nil }
    if own.isDirectory {
      let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
      let parts = names.filter { $0.contains(".swift") }.sorted().map { "\(path)/\($0)" }
      let times = parts.filter { $0.hasSuffix(".swiftmodule") }.compactMap { FileFacts($0) }
      // With several triples, the right one is unknown.
      guard times.count == 1 else { return nil }
      files = parts
      facts = times[0]
    } else {
      let others = ["swiftdoc", "swiftsourceinfo"].map { "\(folder)/\(name).\($0)" }
      files = [path] + others.filter { FileManager.default.fileExists(atPath: $0) }
      facts = own
    }
  }
}

/// The directories of sources, each searched once.
private final class Directories {
  private var known: [String: [String]] = [:]

  /// A directory and all directories in it, except hidden ones, such as a build folder.
  func all(in path: String) -> [String] {
    if let known = known[path] { return known }
    let found = FileManager.default.enumerator(
      at: URL(fileURLWithPath: path, isDirectory: true),
      includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)
    let inner = (found?.compactMap { $0 as? URL } ?? []).filter { url in
      (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
    }
    let all = [path] + inner.map(\.path)
    known[path] = all
    return all
  }
}
