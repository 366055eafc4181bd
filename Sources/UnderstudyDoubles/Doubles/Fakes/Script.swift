// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// Values that a fake returns in order, and then again from the first one.
///
/// This is a pure table. `next` returns an end to report, and the caller reports it outside the
/// lock.
struct Script<Value: Sendable>: Sendable {
  private let values: [Value]
  private let end: ScriptEnd?
  private var position = 0

  /// Creates a script that may start again without an issue.
  ///
  /// - Parameter values: At least one value.
  init(_ values: [Value]) {
    self.values = values
    end = nil
  }

  /// Creates a script whose end is an issue.
  ///
  /// - Parameter endless: The sources that never run out, in prose.
  init(_ values: [Value], of noun: String, endless: String, madeAt: CallSite) {
    self.values = values
    end = ScriptEnd(of: noun, count: values.count, endless: endless, madeAt: madeAt)
  }

  /// The number of repeated values.
  var repeats: Int { position - values.count }

  /// The next value, and an end to report if the script ran out before it.
  mutating func next() -> (Value, exhausted: ScriptEnd?) {
    defer { position += 1 }
    return (values[position % values.count], position == values.count ? end : nil)
  }
}

/// The end of a script, and the layer to report it to.
final class ScriptEnd: Sendable {
  private let noun: String
  private let count: Int
  private let endless: String
  private let madeAt: CallSite
  private let end = LayerEnd.adopt()

  init(of noun: String, count: Int, endless: String, madeAt: CallSite) {
    self.noun = noun
    self.count = count
    self.endless = endless
    self.madeAt = madeAt
  }

  func report() {
    end.report(
      Message(
        "A script of \(noun) ran out.",
        facts: [Message.Fact("Length", "\(count)"), Message.Fact("Made at", "\(madeAt)")],
        remedies: [
          "Add to the script, or let the code under test ask for fewer.",
          "Use \(endless), which never run out.",
        ]),
      at: madeAt)
  }
}
