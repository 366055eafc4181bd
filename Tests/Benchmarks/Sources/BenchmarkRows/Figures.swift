// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Duration {
  /// The length in nanoseconds.
  public var nanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
  }
}

extension Double {
  /// The value with as many digits as are significant.
  public var figure: String {
    self >= 100 ? "\(Int(rounded()))" : "\((self * 100).rounded() / 100)"
  }
}
