// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A type of which some values are registered by another call than `register`.
package protocol RegisteredOtherwise {
  /// The call for a key, `set("server.url", …)`, and whether it throws when it is made on a
  /// resolver. `nil` if the call is `register`.
  static func registeringCall(for key: AnyKey) -> (text: String, throwsOnResolver: Bool)?
}

extension AnyKey {
  /// The code that overrides this key on a layer: `$0.register(named: "tea") { … as Int }`.
  ///
  /// - Parameter layer: The expression for the layer.
  func overrideCode(on layer: String = "$0") -> String {
    if let name = declaration?.name { return "\(layer).override(\\.\(name)) { … }" }
    return "\(layer).\(ownCall?.text ?? registerCall)"
  }

  var registrationCode: String {
    guard let ownCall else { return "resolver.\(registerCall)" }
    return (ownCall.throwsOnResolver ? "try " : "") + "resolver.\(ownCall.text)"
  }

  private var ownCall: (text: String, throwsOnResolver: Bool)? {
    (type as? any RegisteredOtherwise.Type)?.registeringCall(for: self)
  }

  private var registerCall: String { "register\(labels) { … as \(TypeDescription.of(type)) }" }

  /// The further arguments of `register`, in parentheses: `(named: "tea")`.
  var labels: String {
    var labels = name?.labels ?? []
    if let container { labels.append("in: \(container.code)") }
    return labels.isEmpty ? "" : "(\(labels.joined(separator: ", ")))"
  }

  /// True for another key with the same description.
  func isNamesake(of other: AnyKey) -> Bool {
    self != other && description == other.description
  }

  /// The difference of this key from one with the same description.
  func told(from other: AnyKey) -> String {
    let type = type == other.type ? TypeDescription.of(type) : TypeDescription.inFull(type)
    var text = "'\(type)'"
    if let name { text += " named \(name.code)" }
    if let container { text += " in \(container.code)" }
    return text
  }
}
