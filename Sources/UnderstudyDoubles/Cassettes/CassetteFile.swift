// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation
internal import Understudy

/// The file of a cassette. It is only replaced as a whole, under a lock between processes. So a
/// reader never sees a part of it, and a killed process damages nothing.
struct CassetteFile: Sendable {
  static let format = "understudy-cassette"
  static let version = 1

  let path: String
  // The last written contents. An unchanged file need not be decoded again.
  private let last = Lock<(data: Data, interactions: [Interaction])?>(nil)
  // True if a call has reported that an earlier recording contains a secret.
  private let hasReportedLeak = Lock(false)
  /// Called with a message if writing has created the folder.
  private let announce: (@Sendable (Message) -> Void)?

  init(path: String, announcing announce: (@Sendable (Message) -> Void)? = nil) {
    self.path = path
    self.announce = announce
  }

  var name: String { (path as NSString).lastPathComponent }

  private struct Document: Codable {
    var format = CassetteFile.format
    var version = CassetteFile.version
    var interactions: [Interaction]
  }

  /// Reads all interactions, or none if there is no file.
  func read() throws(CassetteError) -> [Interaction] {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch CocoaError.fileReadNoSuchFile {
      return []
    } catch {
      // If a parent of the path is a file, writing will fail.
      // Safety, here and below: a path is copied for the call.
      var status = stat()
      if unsafe stat(path, &status) != 0, errno == ENOTDIR { return [] }
      // The message must not propose to delete a folder.
      guard !isDirectory else {
        throw problem(
          .unreadable, "cannot be read", "it is a directory",
          remedies: ["Name a file. It need not exist yet."], hint: nil)
      }
      // The system's message is more precise than Foundation's.
      let isRefused = unsafe access(path, R_OK) != 0
      throw problem(
        .unreadable, "cannot be read", isRefused ? WholeFile.lastError : error.localizedDescription)
    }
    if let last = last.withLock({ $0 }), last.data == data { return last.interactions }
    let decoder = JSONDecoder()
    // A second look, which finds the reason, is only for a file that is not a cassette.
    if let document = try? decoder.decode(Document.self, from: data),
      document.format == Self.format, document.version >= 1, document.version <= Self.version
    {
      return document.interactions
    }
    guard let json = try? decoder.decode(JSON.self, from: data) else {
      throw problem(
        .truncated, "is not JSON to its end", "\(data.count) bytes, cut off or edited by hand")
    }
    guard case .object(let fields) = json, fields["format"] == .string(Self.format) else {
      throw problem(.foreign, "is not a cassette", "its \"format\" is not \"\(Self.format)\"")
    }
    guard case .integer(let version) = fields["version"], version >= 1 else {
      throw problem(.foreign, "is not a cassette", "its \"version\" is not a whole number from 1")
    }
    guard version <= Self.version else {
      throw problem(
        .newer, "was written by a newer version",
        "format version \(version); this one reads up to \(Self.version)")
    }
    do {
      return try decoder.decode(Document.self, from: data).interactions
    } catch {
      throw problem(.foreign, "is not a cassette", Self.prose(error))
    }
  }

  private var isDirectory: Bool {
    // Safety: a local variable that is written before the call returns.
    var isDirectory: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }

  /// Replaces the interactions with the result of `change`, atomically for all processes. Nothing
  /// is written if one of `secrets` would be in the file.
  func update(
    without secrets: Secrets = Secrets(), _ change: ([Interaction]) -> [Interaction]
  ) throws(CassetteError) {
    // A circle of links is an error of `read`.
    let file = WholeFile(path) ?? WholeFile(target: path)
    let folder = file.folder
    let isNew = !FileManager.default.fileExists(atPath: folder)
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw uncreatable(folder)
    }
    // Locks the folder itself, so that no lock file remains, and the lock of a dead process is
    // released.
    let lock = unsafe open(folder, O_RDONLY | O_CLOEXEC)
    guard lock != -1 else { throw unwritable(WholeFile.lastError) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 {
      guard errno == EINTR else { throw unwritable(WholeFile.lastError) }
    }
    let before = try read()
    let after = change(before)
    guard after != before || !FileManager.default.fileExists(atPath: path) else { return }
    let prefix = ".\((file.target as NSString).lastPathComponent)."
    removeLeftovers(prefix, in: folder)
    let data = try encode(after)
    try check(data, holding: after, before: before, for: secrets)
    if let reason = file.replace(with: data, draft: "\(prefix)\(getpid()).tmp") {
      throw unwritable(reason)
    }
    last.withLock { $0 = (data, after) }
    if isNew { announce?(Self.announcement(of: folder)) }
  }

  /// Tells where a new folder is. Its name begins with a dot, so it is easily overlooked.
  static func announcement(of folder: String) -> Message {
    let name = (folder as NSString).lastPathComponent
    return Message(
      "Calls are recorded in a new folder, '\(name)'.",
      facts: [Message.Fact("Folder", folder)],
      hint: "Add its files to version control. Without them, CI has nothing to play.")
  }

  private func encode(_ interactions: [Interaction]) throws(CassetteError) -> Data {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      var data = try encoder.encode(Document(interactions: interactions))
      data.append(UInt8(ascii: "\n"))
      return data
    } catch {
      throw unwritable(error.localizedDescription)
    }
  }

  private func check(
    _ data: Data, holding after: [Interaction], before: [Interaction], for secrets: Secrets
  ) throws(CassetteError) {
    guard let form = secrets.found(in: data, holding: after) else { return }
    if let leak = leak(
      of: secrets, in: before.filter(after.contains), ", and was not written")
    {
      hasReportedLeak.withLock { $0 = true }
      throw CassetteError(.secret, leak)
    }
    throw CassetteError(
      .secret,
      Message(
        "The cassette '\(name)' would contain a secret, and was not written.",
        facts: [Message.Fact("File", path), Message.Fact("Secret", "found \(form)")],
        remedies: [
          "Also redact the place:  redact: .keys(…), .text(…), or a function"
        ], hint: "The file was left as it is."))
  }

  /// The message about a secret that is in the file, unless a call has reported one.
  func leak(of secrets: Secrets) -> Message? {
    guard !secrets.isEmpty, !hasReportedLeak.withLock({ $0 }), let interactions = try? read()
    else { return nil }
    return leak(of: secrets, in: interactions)
  }

  /// The message about a secret in recordings that the file contains.
  private func leak(
    of secrets: Secrets, in interactions: [Interaction], _ consequence: String? = nil
  ) -> Message? {
    func form(in interactions: [Interaction]) -> String? {
      (try? encode(interactions)).flatMap { secrets.found(in: $0, holding: interactions) }
    }
    guard let found = form(in: interactions) else { return nil }
    let leaking = interactions.filter { form(in: [$0]) != nil }
    guard !leaking.isEmpty else { return nil }
    let members = Set(leaking.map { secrets.removed(from: $0.request.member) }).sorted()
      .joined(separator: ", ")
    return Message(
      "The cassette '\(name)' contains a secret from an earlier recording\(consequence ?? "").",
      facts: [
        Message.Fact("File", path), Message.Fact("Secret", "found \(found)"),
        Message.Fact("Recording", members),
      ],
      remedies: [
        "Delete the recording of \(members) from the file, redact the place, and change the secret."
      ], hint: consequence == nil ? nil : "The file was left as it is.")
  }

  /// Removes the temporary files of killed processes. No other process writes while this one has
  /// the lock.
  private func removeLeftovers(_ prefix: String, in folder: String) {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for file in files where file.hasPrefix(prefix) && file.hasSuffix(".tmp") {
      unsafe unlink("\(folder)/\(file)")
    }
  }

  private func unwritable(
    _ reason: String, remedy: String = "Make its folder writable."
  ) -> CassetteError {
    problem(
      .unwritable, "cannot be written", reason,
      remedies: [remedy, "Play only what is recorded:  mode: .none"], hint: nil)
  }

  /// The error for a folder that cannot be created. The system gives the reason for the first
  /// missing folder of the path. Foundation gives none.
  private func uncreatable(_ folder: String) -> CassetteError {
    var (missing, parent) = (folder, (folder as NSString).deletingLastPathComponent)
    while parent != missing, !FileManager.default.fileExists(atPath: parent) {
      (missing, parent) = (parent, (parent as NSString).deletingLastPathComponent)
    }
    let isMade = unsafe mkdir(missing, 0o777) == 0
    let reason = isMade ? "it was missing a moment ago" : WholeFile.lastError
    if isMade { unsafe rmdir(missing) }
    return unwritable(
      "the folder \(missing) cannot be created: \(reason)",
      remedy: "Create the folder, or name a file in another one.")
  }

  private func problem(
    _ kind: CassetteError.Kind, _ what: String, _ reason: String,
    remedies: [String] = [
      "Take the file back from version control.", "Delete it, and run once to record it anew.",
    ],
    hint: String? = "The file was left as it is."
  ) -> CassetteError {
    CassetteError(
      kind,
      Message(
        "The cassette '\(name)' \(what).",
        facts: [Message.Fact("File", path), Message.Fact("Reason", reason)], remedies: remedies,
        hint: hint))
  }

  private static func prose(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return error.localizedDescription }
    let context: DecodingError.Context
    switch error {
    case .keyNotFound(_, let found), .typeMismatch(_, let found), .valueNotFound(_, let found),
      .dataCorrupted(let found):
      context = found
    @unknown default: return "\(error)"
    }
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }
    let place = path.joined().drop { $0 == "." }
    if case .keyNotFound(let key, _) = error {
      return "\(place.isEmpty ? "it" : place) has no \"\(key.stringValue)\""
    }
    return "\(place): \(context.debugDescription)"
  }
}
