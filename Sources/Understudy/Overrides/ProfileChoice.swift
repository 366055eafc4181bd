// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Which profile was asked for, and by what.
struct ProfileChoice: Hashable {
  let name: String?
  let source: String

  /// Takes the option out of the arguments; the last one counts. Without one, the variable counts
  /// unless it is empty.
  init(_ arguments: inout [String], variable: String?) throws(OverrideProfileError) {
    var rest: [String] = []
    var words = arguments[...]
    var found: String?
    while let word = words.popFirst() {
      if word == "--" {
        rest += [word] + words
        break
      } else if word == OverrideProfile.option {
        guard let value = words.popFirst() else { throw .nameMissing }
        found = value
      } else if word.hasPrefix("\(OverrideProfile.option)=") {
        found = String(word.dropFirst(OverrideProfile.option.count + 1))
      } else {
        rest.append(word)
      }
    }
    if found?.isEmpty == true { throw .nameMissing }
    arguments = rest
    name = found ?? variable.flatMap { $0.isEmpty ? nil : $0 }
    source = found == nil ? OverrideProfile.variable : OverrideProfile.option
  }

  /// The profile of that name; `nil` if none was asked for.
  func profile(of offered: [OverrideProfile]) throws(OverrideProfileError) -> OverrideProfile? {
    guard let name else { return nil }
    guard let profile = offered.first(where: { $0.name == name }) else {
      throw .unknown(name, askedForBy: source, offered: offered.map(\.name))
    }
    return profile
  }
}
