// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy
internal import Foundation

/// A tree of values to read: a file, the environment, the command line, code.
public struct ValueSource: Sendable {
  /// The contents of a source, with warnings.
  struct Reading {
    var nodes: [Node] = []
    /// True if the source cannot spell keys as files do.
    var isLoose = false
    /// Findings that are not errors.
    var warnings: [Finding] = []
    var errors: [Finding] = []
  }

  private let fill: @Sendable (inout Reading, ReadingLimits) -> Void

  /// The contents within limits.
  func read(_ limits: ReadingLimits) -> Reading {
    var reading = Reading()
    fill(&reading, limits)
    return reading
  }

  /// A JSON file, or a property list in XML or binary form. Its content decides.
  ///
  /// - Parameters:
  ///   - path: Where the file is.
  ///   - isOptional: True if a missing file is a warning and no error.
  /// - Returns: The source.
  public static func file(_ path: String, isOptional: Bool = false) -> ValueSource {
    ValueSource { $0.add(file: path, isOptional: isOptional, $1) }
  }

  /// A file that messages name otherwise than by its path.
  package static func file(_ path: String, named name: String) -> ValueSource {
    ValueSource { reading, limits in
      reading.add { () throws(DefinitionError) in
        try DocumentReader.read(file: path, named: name, limits: limits)
      }
    }
  }

  /// The files that a pattern matches, in the order of their names.
  ///
  /// `*` stands for any text within one segment of the path. A pattern that matches no file is a
  /// warning. A directory that cannot be read is an error.
  public static func files(matching pattern: String) -> ValueSource {
    ValueSource { reading, limits in
      let (paths, errors) = FilePattern(pattern).matches
      for path in paths { reading.add(file: path, isOptional: false, limits) }
      reading.errors += errors
      if paths.isEmpty { reading.warnings.append(Finding(.fileMissing, at: Origin(pattern))) }
    }
  }

  /// A text in JSON.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - name: The name of the source in messages.
  /// - Returns: The source.
  public static func json(_ text: String, named name: String = "JSON text") -> ValueSource {
    ValueSource { reading, limits in
      reading.add { () throws(DefinitionError) in
        try JSONReader.read(Array(text.utf8), from: SourceName(name), limits: limits)
      }
    }
  }

  /// A document in memory: JSON, or a property list in XML or binary form. Its content decides.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - name: The name of the source in messages.
  /// - Returns: The source.
  public static func document(_ bytes: [UInt8], named name: String) -> ValueSource {
    ValueSource { reading, limits in
      reading.add { () throws(DefinitionError) in
        try DocumentReader.read(bytes, from: SourceName(name), limits: limits)
      }
    }
  }

  /// The variables of the environment that begin with a prefix: `APP__SERVER__URL` is `server.url`.
  ///
  /// Two underscores separate the keys from each other and from the prefix. The prefix may contain
  /// two underscores. A key matches the spelling of an earlier source: `APP__MAX_SIZE` is `maxSize`
  /// if there is such a key and no `max_size`, and `max_size` otherwise.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of the variables, before two underscores. An empty prefix stands for
  ///     variables that begin with two underscores.
  ///   - variables: The environment. By default the process's environment.
  /// - Returns: The source.
  public static func environment(
    prefix: String, variables: [String: String]? = nil
  ) -> ValueSource {
    ValueSource { reading, limits in
      reading.isLoose = true
      let variables = variables ?? ProcessInfo.processInfo.environment
      for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
        guard name.hasPrefix("\(prefix)__") else { continue }
        let keys = name.dropFirst(prefix.count + 2).lowercased().split(
          separator: "__", omittingEmptySubsequences: false
        ).map(String.init)
        guard !keys.contains("") else { continue }
        let origin = Origin.ofText("environment variable \(name)")
        guard keys.count <= limits.appliedDepth else {
          reading.errors.append(Finding(.tooDeep(limit: limits.appliedDepth), at: origin))
          continue
        }
        reading.nodes.append(Node(.string(value), under: keys[...], at: origin))
      }
    }
  }

  /// The options of a command line: `--server.url=http://…`, `--server.url http://…`, `--debug`.
  ///
  /// An option without a value is `true`. Other arguments are skipped, and `--` ends the options.
  ///
  /// - Parameter arguments: The command line without the program's name.
  /// - Returns: The source.
  public static func arguments(
    _ arguments: [String] = Array(CommandLine.arguments.dropFirst())
  ) -> ValueSource {
    ValueSource { reading, limits in
      var rest = arguments[...]
      while let argument = rest.popFirst(), argument != "--" {
        guard argument.hasPrefix("--") else { continue }
        // Compares scalars, since a `=` with a combining mark is one character but still a `=`.
        let option = argument.unicodeScalars.dropFirst(2)
        let name = String(option.prefix { $0 != "=" })
        var value: PropertyValue = true
        if let end = option.firstIndex(of: "=") {
          value = .string(String(option[end...].dropFirst()))
        } else if let next = rest.first, !next.hasPrefix("--") {
          value = .string(next)
          rest.removeFirst()
        }
        reading.add(value, at: name, .ofText("argument --\(name.isEmpty ? "=" : name)"), limits)
      }
    }
  }

  /// A tree that your code has created, from any format.
  ///
  /// - Parameters:
  ///   - values: The tree.
  ///   - name: The name of the source in messages. By default the place of the call.
  /// - Returns: The source.
  public static func values(
    _ values: [String: PropertyValue], named name: String? = nil, fileID: StaticString = #fileID,
    line: Int = #line
  ) -> ValueSource {
    let source = name ?? "\(CallSite(fileID: fileID, line: line))"
    return node(Node(.object(values), at: Origin(source)))
  }

  /// A tree that has already been read.
  package static func node(_ node: Node, isLoose: Bool = false) -> ValueSource {
    ValueSource { reading, _ in
      reading.nodes = [node]
      reading.isLoose = isLoose
    }
  }
}

extension ValueSource.Reading {
  fileprivate mutating func add(file path: String, isOptional: Bool, _ limits: ReadingLimits) {
    add { () throws(DefinitionError) in try DocumentReader.read(file: path, limits: limits) }
    guard isOptional, let last = errors.last, last.problem == .fileMissing else { return }
    errors.removeLast()
    warnings.append(last)
  }

  fileprivate mutating func add(_ read: () throws(DefinitionError) -> Node) {
    do throws(DefinitionError) {
      let node = try read()
      guard node.members != nil else {
        errors.append(
          Finding(
            .wrongShape(part: "A source of properties", expected: "an object", found: node.kind),
            at: node.origin))
        return
      }
      nodes.append(node)
    } catch {
      errors += error.findings
    }
  }

  fileprivate mutating func add(
    _ value: PropertyValue, at path: String, _ origin: Origin, _ limits: ReadingLimits
  ) {
    do throws(PropertyPath.Malformed) {
      nodes.append(try Node(value, atPath: path, origin, limits))
    } catch {
      errors.append(error.finding(of: path, at: origin))
    }
  }
}

extension Node {
  /// A tree with one value under some keys.
  init(_ value: PropertyValue, under keys: ArraySlice<String>, at origin: Origin) {
    guard let first = keys.first else {
      self.init(value, at: origin)
      return
    }
    let inner = Node(value, under: keys.dropFirst(), at: origin)
    self.init(.object([Member(first, at: origin, inner)]), at: origin)
  }

  /// A tree with one value at a path of keys. The path must not contain an index, and needs a key
  /// unless the value is an object.
  init(
    _ value: PropertyValue, atPath path: String, _ origin: Origin,
    _ limits: ReadingLimits = ReadingLimits()
  ) throws(PropertyPath.Malformed) {
    let keys = try PropertyPath(path).keys
    guard keys.count <= limits.appliedDepth else { throw .tooDeep }
    self.init(value, under: keys[...], at: origin)
    guard members != nil else { throw .wholeTree }
  }
}

extension PropertyPath {
  /// The keys of a path without indices.
  var keys: [String] {
    get throws(Malformed) {
      var keys: [String] = []
      for step in steps {
        guard case .key(let key) = step else { throw .indexed }
        keys.append(key)
      }
      return keys
    }
  }
}
