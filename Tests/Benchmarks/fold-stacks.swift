// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Folds the demangled output of `perf script`. Each line is a stack, outermost frame first, with
// its number of samples. Stacks with a small share are cut at a frame with a larger one.
//
//   perf script | swift demangle | swift fold-stacks.swift

let smallestShare = 0.004

/// `closure #1 (A) in Understudy.Resolver.value<A>(for: B) throws -> A` is
/// `Understudy.Resolver.value`.
func shortName(_ symbol: Substring) -> String? {
  if symbol.contains("thunk") || symbol.contains("partial apply") { return nil }
  var name = String(symbol)
    .replacing(#/\(([^()]+?) in _[0-9A-F]{32}\)/#) { $0.output.1 }
    .replacing(#/\(extension in \w+\):/#, with: "")
    .replacing(#/\(\d+\) (suspend|await) resume partial function for /#, with: "")
  // `function signature specialization <…> of X` and `merged X` become X.
  if name.contains("specialization <"), let range = name.ranges(of: "> of ").last {
    name = String(name[range.upperBound...])
  }
  if name.contains("closure #"), let range = name.ranges(of: " in ").last {
    name = String(name[range.upperBound...])
  }
  for prefix in [
    "merged ", "protocol witness for ", "dispatch thunk of ", "static ",
    "one-time initialization function for ",
    "variable initialization expression of ", "lazy protocol witness table accessor for type ",
    "type metadata accessor for ", "outlined copy of ", "outlined destroy of ",
    "default argument 0 of ",
  ] where name.hasPrefix(prefix) {
    name.removeFirst(prefix.count)
  }
  name = String(name.prefix { !"<([ ;".contains($0) })
  let parts = name.split(separator: ".").filter { !$0.hasPrefix("$") }
  return parts.isEmpty ? nil : parts.joined(separator: ".")
}

/// A frame of a stack: `    55d0c0ffee some symbol`.
func frame(_ line: Substring) -> String? {
  let words = line.drop(while: \.isWhitespace).split(separator: " ", maxSplits: 1)
  guard words.count == 2, words[1] != "[unknown]" else { return nil }
  return shortName(words[1])
}

final class Node {
  var samples = 0
  var calls: [String: Node] = [:]

  func add(_ frames: ArraySlice<String>) {
    samples += 1
    guard let next = frames.first else { return }
    let call = calls[next] ?? Node()
    calls[next] = call
    call.add(frames.dropFirst())
  }

  /// Prints the stacks below this frame. A callee with few samples counts as its caller.
  func write(_ path: [String], atLeast least: Int) {
    let large = calls.filter { $0.value.samples >= least }.sorted {
      ($1.value.samples, $0.key) < ($0.value.samples, $1.key)
    }
    let rest = samples - large.reduce(0) { $0 + $1.value.samples }
    if rest > 0 { print("\(path.isEmpty ? "others" : path.joined(separator: ";")) \(rest)") }
    for (name, node) in large { node.write(path + [name], atLeast: least) }
  }
}

let root = Node()
var stack: [String] = []
func finish() {
  // A recursive call, or a call of the function's own closure, is one frame.
  var frames: [String] = []
  for frame in stack.reversed() where frames.last != frame { frames.append(frame) }
  // Starts at the tests or their runner. A stack with neither belongs to the package manager that
  // started them.
  let known = frames.drop { frame in
    !["Testing.", "SuiteTests.", "Understudy"].contains { frame.hasPrefix($0) }
  }
  if !known.isEmpty { root.add(known) }
  stack = []
}
while let line = readLine() {
  if line.isEmpty {
    finish()
  } else if line.first?.isWhitespace == true, let frame = frame(line[...]) {
    stack.append(frame)
  }
}
finish()
root.write([], atLeast: Int(Double(root.samples) * smallestShare))
