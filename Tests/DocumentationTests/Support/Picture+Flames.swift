// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A function of a profile, its callees, and the number of its samples.
struct Flame {
  let name: String
  private(set) var samples = 0
  private(set) var calls: [Flame] = []

  init(_ name: String) {
    self.name = name
  }

  /// Reads lines of frames, outermost first, with a number of samples each: `main;work;read 12`.
  init(folded text: String) {
    self.init("all")
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      guard let space = line.lastIndex(of: " "),
        let samples = Int(line[line.index(after: space)...])
      else { continue }
      add(line[..<space].split(separator: ";")[...], samples)
    }
  }

  private mutating func add(_ frames: ArraySlice<Substring>, _ more: Int) {
    samples += more
    guard let next = frames.first else { return }
    let index =
      calls.firstIndex { $0.name == next }
      ?? {
        calls.append(Flame(String(next)))
        return calls.count - 1
      }()
    calls[index].add(frames.dropFirst(), more)
  }

  fileprivate var depth: Int { 1 + (calls.map(\.depth).max() ?? 0) }

  fileprivate var part: Picture.Part {
    if name.hasPrefix("Understudy") { return .production }
    return name.hasPrefix("SuiteTests") ? .layer : .neither
  }
}

extension Picture {
  /// A flame graph that hangs from its root. A callee is below its caller, as wide as its share.
  static func flames(_ flame: Flame, title: String, summary: String) -> Picture {
    let rowHeight = 19
    var picture = Picture(
      title, summary, width: 700, height: 64 + rowHeight * flame.depth + 14)
    picture.text(title, .bold, x: 20, y: 30)
    picture.text(
      "Blue: this package. Yellow: the tests. Grey: Swift Testing, the runtime, the system.",
      .small, x: 20, y: 50)
    picture.draw(flame, left: 20, width: 660, y: 60, rowHeight: rowHeight)
    return picture
  }

  private mutating func draw(_ flame: Flame, left: Int, width: Int, y: Int, rowHeight: Int) {
    box(flame.part, x: left, y: y, width: width, height: rowHeight - 2, radius: 2)
    let name = flame.name.split(separator: ".").suffix(2).joined(separator: ".")
    // A character is about seven units wide.
    let room = (width - 8) / 7
    if room >= 4 {
      text(
        name.count <= room ? name : name.prefix(room - 1) + "…", .small, x: left + 4, y: y + 13)
    }
    var x = left
    for call in flame.calls {
      let callWidth = width * call.samples / max(1, flame.samples)
      if callWidth >= 2 {
        draw(call, left: x, width: callWidth, y: y + rowHeight, rowHeight: rowHeight)
      }
      x += callWidth
    }
  }
}
