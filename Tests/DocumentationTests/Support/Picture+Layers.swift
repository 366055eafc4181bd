// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Picture {
  /// A stack of layers over production, and an arrow from each request to the level that answers
  /// it.
  static func layers(_ stage: LayerStage) -> Picture {
    let step = 62
    var picture = Picture(
      "The stack of layers",
      "Layers above production, innermost first. The innermost layer that has a registration for a "
        + "key answers it.", width: 680, height: 46 + step * (stage.levels.count + 1) + 14)
    picture.text(
      "The innermost layer that has a registration for a key answers the request.", .bold, x: 24,
      y: 30)
    for (index, level) in stage.levels.enumerated() {
      let isProduction = index == stage.levels.count - 1
      let kept = level.kept.isEmpty ? "" : "; stores the \(level.kept.joined(separator: ", "))"
      picture.box(
        isProduction ? .production : .layer,
        isProduction ? "production: the Resolver" : "layer of \(level.name)",
        (isProduction ? "registers " : "overrides ") + level.keys.joined(separator: ", ") + kept,
        x: 220, y: 46 + step * index, width: 340, isCentred: false)
    }
    picture.box(
      .neither, "declared defaults: Dependencies", "a declared dependency cannot be missing",
      x: 220, y: 46 + step * stage.levels.count, width: 340, isCentred: false)
    for answer in stage.answers {
      let y = 72 + step * answer.level
      picture.text(answer.question, .code, x: 24, y: y + 5)
      picture.line("M130 \(y) L216 \(y)", isArrow: true)
      if let home = answer.home, home < answer.level {
        picture.text("stored in the layer of", .small, x: 24, y: y + 24)
        picture.text("\(stage.levels[home].name)", .small, x: 24, y: y + 40)
      }
    }
    picture.text("ends first", .small, x: 576, y: 77)
    let base = 46 + step * (stage.levels.count - 1)
    picture.text("sees nothing", .small, x: 576, y: base + 31)
    picture.text("of the above", .small, x: 576, y: base + 47)
    return picture
  }
}
