// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How messages and logs call a layer: by the name that it was given, or by where it was pushed.
package final class LayerLabel: Sendable {
  private let givenName: String?
  package let callSite: CallSite

  package init(_ name: String?, at callSite: CallSite) {
    givenName = name
    self.callSite = callSite
  }

  package var name: String { givenName ?? callSite.description }
}
