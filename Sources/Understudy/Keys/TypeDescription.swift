// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How a type is written in messages: as the user writes it.
package enum TypeDescription {
  /// The name of a type; of a protocol with `any` before it.
  package static func of(_ type: any Any.Type) -> String {
    let name = String(describing: type)
    guard name != "Any", name != "AnyObject" else { return name }
    return String(describing: Swift.type(of: type)).hasSuffix(".Protocol") ? "any \(name)" : name
  }
}
