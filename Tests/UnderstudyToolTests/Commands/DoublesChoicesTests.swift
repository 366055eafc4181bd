// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

/// A build step, whose protocols `doubles.json` chooses.
@Suite struct DoublesChoicesTests {
  private let house: House
  private var path: String { "\(house.folder.path)/doubles.json" }

  init() throws {
    house = try House()
    house.modules = []
    house.isBuildStep = true
    try house.add("Shop")
    try house.add("Urn")
    house.modules[1].isChosen = false
  }

  private func run(_ choices: String) throws -> Run {
    try house.folder.write(choices, to: "doubles.json")
    return try house.run(
      "doubles", "--choices", path, "--output", "\(house.folder.path)/Doubles.swift")
  }

  @Test func `each run reads the file`() throws {
    let all = try run(#"{ "targets": ["Shop"] }"#)
    #expect(all.errors == [])
    #expect(try house.folder.text("Doubles.swift").contains("class CellarDouble"))
    let one = try run(#"{ "targets": ["Shop"], "protocols": ["Order*"] }"#)
    #expect(one.status == 0)
    #expect(try !house.folder.text("Doubles.swift").contains("class CellarDouble"))
    #expect(try house.folder.text("Doubles.swift").contains("class OrderStoreDouble"))
  }

  @Test(arguments: [
    (
      #"{ "targets": ["Shop", "Urn"] }"#,
      "names 'Urn', which the plan of the build does not have: run 'touch Package.swift', and build"
        + " again."
    ),
    (#"{ "protocols": ["*"] }"#, "needs 'targets', a list with the names of targets."),
    (
      #"{ "targets": ["Shop"], "protocol": ["*"] }"#,
      "has the unknown key 'protocol'. Did you mean 'protocols'?"
    ),
    (
      #"{ "targets": ["Shop"], "protocols": [""] }"#,
      "has '' in 'protocols', which is the name of no protocol."
    ),
    (
      #"{ "targets": ["Shop"], "protocols": ["Cellars"] }"#,
      "has 'Cellars' in 'protocols', which is the name of no protocol. Did you mean 'Cellar'?"
    ),
    ("", "is not JSON."),
  ])
  func `a mistake names the file and the key`(choices: String, problem: String) throws {
    let run = try run(choices)
    #expect(run.errors == ["error: The configuration '\(path)' \(problem)"])
    #expect(run.status == 1)
  }

  @Test func `without protocols, a comment has to choose one`() throws {
    house.modules[0].isChosen = false
    house.modules[1].isChosen = true
    #expect(
      try run(#"{ "targets": ["Urn"] }"#).errors == [
        "error: The configuration '\(path)' has no 'protocols', and no protocol of 'Urn' says"
          + " '- Understudy: double' in its documentation comment."
      ])
  }

  @Test(arguments: [["--protocol", "Cellar"], ["--module", "Shop"]])
  func `nothing else may choose`(arguments: [String]) throws {
    try house.folder.write(#"{ "targets": ["Shop"] }"#, to: "doubles.json")
    let run = try house.run(["doubles", "--choices", path, "--output", "-"] + arguments)
    #expect(
      run.errors == [
        "error: '--choices' names the protocols, and cannot be used with --protocol or --module."
          + " See 'swift package understudy help doubles'."
      ])
    #expect(run.status == 2)
  }
}
