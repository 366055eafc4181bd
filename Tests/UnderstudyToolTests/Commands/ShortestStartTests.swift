// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

/// `doubles` without `--output`, as the plugin runs it.
@Suite struct ShortestStartTests {
  private let house: House
  private var tests: String { "\(house.folder.path)/ShopTests" }

  init() throws {
    house = try House()
    house.modules = []
    try house.add("Shop")
    // A library without symbols, and one in which no protocol asks for a double.
    try house.add("Urn")
    house.tests = [
      .init(name: "OtherTests", directory: "Other", dependencies: ["Shop"]),
      .init(
        name: "ShopTests", directory: "\(house.folder.path)/ShopTests", dependencies: ["Shop"]),
    ]
  }

  private var names: [String]? {
    try? FileManager.default.contentsOfDirectory(atPath: "\(tests)/Doubles").sorted()
  }

  @Test func `it lists the doubles and their files, and writes nothing`() throws {
    let run = try house.run("doubles")
    #expect(run.errors == [])
    #expect(
      run.lines == [
        "Shop: 2 doubles: 9 spies, 2 handlers, 0 refusals; 0 protocols refused.",
        "  to write   \(tests)/Doubles/CellarDouble.swift",
        "  to write   \(tests)/Doubles/OrderStoreDouble.swift",
        "Nothing is written yet. To write:"
          + " swift package --allow-writing-to-package-directory understudy doubles --write",
      ])
    #expect(run.status == 0)
    #expect(names == nil)
  }

  @Test func `it repeats the user's options in the command that writes`() throws {
    house.arguments = [
      "doubles", "--target", "Shop", "--protocol", "Order*", "--force", "--explain", "--config",
      "it's.json", "--module=Shop",
    ]
    let run = try house.run(
      "doubles", "--protocol", "Order*", "--force", "--module", "Shop", "--module", "Urn")
    #expect(
      run.lines.last
        == "Nothing is written yet. To write: swift package --allow-writing-to-package-directory"
        + " understudy doubles --target Shop --protocol 'Order*' --force --explain"
        + #" --config 'it'\''s.json' --module=Shop --write"#)
    #expect(run.status == 0)
  }

  @Test func `it writes with --write, and a second run writes nothing`() throws {
    let run = try house.run("doubles", "--write")
    #expect(run.lines.last == "2 written, 0 unchanged, in \(tests)/Doubles")
    #expect(names == ["CellarDouble.swift", "OrderStoreDouble.swift"])
    #expect(
      try house.run("doubles").lines[1] == "  unchanged  \(tests)/Doubles/CellarDouble.swift")
    #expect(
      try house.run("doubles", "--write").lines.last
        == "0 written, 2 unchanged, in \(tests)/Doubles")
    #expect(try house.run("doubles", "--check").status == 0)
    try FileManager.default.removeItem(atPath: "\(tests)/Doubles/CellarDouble.swift")
    let check = try house.run("doubles", "--check")
    #expect(check.status == 1)
    #expect(
      check.errors == [
        "error: '\(tests)/Doubles/CellarDouble.swift' is missing: generate it."
      ])
  }

  @Test func `a target without tests needs an output`() throws {
    house.tests = []
    #expect(
      try house.run("doubles").errors == [
        "error: No test target depends on 'Shop'. Say where its doubles go with --output, or in the"
          + " configuration."
      ])
  }

  @Test func `if no protocol asks for a double, the modules are listed`() throws {
    house.modules.removeFirst()
    let run = try house.run("doubles")
    #expect(run.errors.first?.hasPrefix("error: No protocol of 'Urn' says") == true)
  }

  @Test func `a private protocol that asks for a double is an error if no other one does, too`()
    throws
  {
    try house.write(
      "/// - Understudy: double\nprivate protocol Vault {}\n", to: "Sources/Urn.swift", age: 60)
    let error =
      "\(house.folder.path)/Sources/Urn.swift:2:18: error: `Vault` is private and gets no double."
    // `Shop` has a protocol with a double, and `Urn` has no test target.
    #expect(try house.run("doubles", "--write").errors == [error])
    #expect(try house.run("doubles", "--module", "Urn").errors == [error])
    house.modules.removeFirst()
    for option in ["--write", "--check", "--explain"] {
      let run = try house.run("doubles", option)
      #expect(run.errors == [error])
      #expect(run.lines == [])
      #expect(run.status == 1)
    }
    #expect(names == nil)
  }

  @Test func `a private protocol that asks for a double is an error if patterns choose, too`()
    throws
  {
    try house.write(
      "/// - Understudy: double\nprivate protocol Vault {}\n", to: "Sources/Urn.swift", age: 60)
    let error =
      "\(house.folder.path)/Sources/Urn.swift:2:18: error: `Vault` is private and gets no double."
    for options in [["--write"], ["--check"], ["--output", tests]] {
      let run = try house.run(["doubles", "--protocol", "Order*"] + options)
      #expect(run.errors == [error])
      #expect(run.status == 1)
    }
    // Both jobs are for the same target.
    let jobs = ["Order*", "*"].map {
      #"{ "target": "Urn", "protocols": ["\#($0)"], "output": "\#(tests)" }"#
    }
    try house.folder.write(
      #"{ "doubles": [\#(jobs.joined(separator: ", "))] }"#, to: "understudy.json")
    #expect(
      try house.run("doubles", "--config", "\(house.folder.path)/understudy.json").errors == [error]
    )
    #expect(names == nil)
    // The other module is not read for its comments, and another package's has its own tests.
    #expect(try house.run("doubles", "--module", "Shop", "--protocol", "Order*").errors == [])
    house.modules[1].isOfOtherPackage = true
    #expect(try house.run("doubles", "--protocol", "Order*").errors == [])
  }

  @Test func `a build step with patterns reports a private protocol that asks for a double`() throws
  {
    house.isBuildStep = true
    try house.write(
      "/// - Understudy: double\nprivate protocol Vault {}\n", to: "Sources/Shop.swift", age: 60)
    let run = try house.run(
      "doubles", "--module", "Shop", "--protocol", "Order*", "--output",
      "\(house.folder.path)/Doubles.swift")
    #expect(
      run.errors == [
        "\(house.folder.path)/Sources/Shop.swift:2:18: error: `Vault` is private and gets no double."
      ])
    #expect(run.status == 1)
  }

  @Test func `with a configuration no option is needed`() throws {
    let output = "\(house.folder.path)/Fakes"
    let path = "\(house.folder.path)/understudy.json"
    try house.folder.write(
      """
      { "doubles": [{ "target": "Shop", "protocols": ["Order*"], "output": "\(output)" }] }
      """, to: "understudy.json")
    let run = try house.run("doubles", "--config", path)
    #expect(run.lines.last == "1 written, 0 unchanged, in \(output)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: output) == ["OrderStoreDouble.swift"])
    try house.folder.write(
      #"{ "doubles": [{ "target": "Sho", "output": "x" }] }"#, to: "understudy.json")
    #expect(
      try house.run("doubles", "--config", path).errors == [
        "error: No module is named 'Sho': the symbol graphs are of 'Shop' and 'Urn'."
      ])
    try house.folder.write(
      #"{ "doubles": [{ "target": "Shop", "outptu": "x" }] }"#, to: "understudy.json")
    #expect(
      try house.run("doubles", "--config", path).errors == [
        "error: The configuration '\(path)' has no 'doubles[0].output'."
      ])
  }

  @Test func `a configuration may name one file for all doubles of a target`() throws {
    let output = "\(house.folder.path)/Fakes.swift"
    let path = "\(house.folder.path)/understudy.json"
    let job = #"{ "target": "Shop", "protocols": ["Order*"], "output": "\#(output)" }"#
    try house.folder.write(#"{ "doubles": [\#(job)] }"#, to: "understudy.json")
    #expect(
      try house.run("doubles", "--config", path, "--explain").lines.contains(
        "  to write   \(output)"))
    let run = try house.run("doubles", "--config", path)
    #expect(run.lines.last == "1 written, 0 unchanged, \(output)")
    #expect(try String(contentsOfFile: output, encoding: .utf8).contains("OrderStoreDouble"))
    #expect(try house.run("doubles", "--config", path, "--check").status == 0)
    try house.folder.write(#"{ "doubles": [\#(job), \#(job)] }"#, to: "understudy.json")
    #expect(
      try house.run("doubles", "--config", path).errors.first?.contains("'\(output)'") == true)
    try house.folder.write(
      #"{ "doubles": [{ "target": "Shop", "output": "-" }] }"#, to: "understudy.json")
    let printed = try house.run("doubles", "--config", path)
    #expect(printed.status != 0)
    #expect(printed.errors.first?.contains("'-' prints the doubles") == true)
  }

  @Test func `two targets with one file are an error, and nothing is written`() throws {
    let output = "\(house.folder.path)/Fakes"
    let path = "\(house.folder.path)/understudy.json"
    let job = #"{ "target": "Shop", "protocols": ["Order*"], "output": "\#(output)" }"#
    try house.folder.write(#"{ "doubles": [\#(job), \#(job)] }"#, to: "understudy.json")
    let run = try house.run("doubles", "--config", path)
    #expect(
      run.errors == [
        "error: The output of 'Shop' and 'Shop' would be the same file"
          + " '\(output)/OrderStoreDouble.swift'. Give each target an output of its own in the"
          + " configuration."
      ])
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  /// Without `--explain`, the file would be written.
  @Test func `an explanation of a configuration writes nothing, unless it is told to`() throws {
    let output = "\(house.folder.path)/Fakes"
    let path = "\(house.folder.path)/understudy.json"
    try house.folder.write(
      #"{ "doubles": [{ "target": "Shop", "protocols": ["Order*"], "output": "\#(output)" }] }"#,
      to: "understudy.json")
    let run = try house.run("doubles", "--config", path, "--explain")
    #expect(run.lines.first == "OrderStoreDouble: Shop.OrderStore")
    #expect(run.lines.contains("  to write   \(output)/OrderStoreDouble.swift"))
    #expect(run.status == 0)
    #expect(!FileManager.default.fileExists(atPath: output))
    let check = try house.run("doubles", "--config", path, "--explain", "--check")
    #expect(check.lines.first == "OrderStoreDouble: Shop.OrderStore")
    #expect(
      check.errors == ["error: '\(output)/OrderStoreDouble.swift' is missing: generate it."])
    #expect(check.status == 1)
    let written = try house.run("doubles", "--config", path, "--explain", "--write")
    #expect(written.lines.last == "1 written, 0 unchanged, in \(output)")
    #expect(
      try house.run("doubles", "--config", path, "--protocol", "Cellar").errors == [
        "error: The configuration chooses the protocols, so '--protocol' needs --output."
          + " See 'swift package understudy help doubles'."
      ])
  }

  @Test func `--module chooses among the configured doubles`() throws {
    let path = "\(house.folder.path)/understudy.json"
    house.modules[0].target = "my-shop"
    let jobs = ["my-shop", "Urn"].map {
      #"{ "target": "\#($0)", "protocols": ["Order*"], "output": "\#(tests)/\#($0)" }"#
    }
    try house.folder.write(
      #"{ "doubles": [\#(jobs.joined(separator: ", "))] }"#, to: "understudy.json")
    for name in ["Shop", "my-shop"] {
      let run = try house.run("doubles", "--config", path, "--module", name, "--check")
      #expect(
        run.errors == [
          "error: '\(tests)/my-shop/OrderStoreDouble.swift' is missing: generate it."
        ]
      )
    }
  }

  /// With `--target`, the plugin chooses only that target, and checks the names of the others.
  @Test func `a configured target that the plugin did not choose is left out`() throws {
    let path = "\(house.folder.path)/understudy.json"
    let jobs = ["Shop", "Attic"].map {
      #"{ "target": "\#($0)", "protocols": ["Order*"], "output": "\#(tests)/\#($0)" }"#
    }
    try house.folder.write(
      #"{ "doubles": [\#(jobs.joined(separator: ", "))] }"#, to: "understudy.json")
    let run = try house.run("doubles", "--config", path, "--module", "Shop")
    #expect(run.errors == [])
    #expect(run.lines.last == "1 written, 0 unchanged, in \(tests)/Shop")
    #expect(
      try house.run("doubles", "--config", path).errors == [
        "error: No module is named 'Attic': the symbol graphs are of 'Shop' and 'Urn'."
      ])
  }

  @Test func `--module chooses among the modules, and an unknown one is an error`() throws {
    #expect(try house.run("doubles", "--module", "Shop").lines.first?.hasPrefix("Shop: ") == true)
    #expect(
      try house.run("doubles", "--module", "Sho").errors == [
        "error: No module is named 'Sho': the symbol graphs are of 'Shop' and 'Urn'."
      ])
  }

  /// `Urn` has no protocol that asks for a double any more.
  @Test func `the double of a module's last protocol is found when that is removed`() throws {
    house.tests.append(
      .init(
        name: "UrnTests", directory: "\(house.folder.path)/UrnTests", dependencies: ["Urn"]))
    _ = try house.run("doubles", "--write")
    let double = try house.folder.text("ShopTests/Doubles/CellarDouble.swift")
    try house.folder.write(
      double.replacing("Shop.Cellar", with: "Urn.Cellar"), to: "UrnTests/Doubles/CellarDouble.swift"
    )
    let run = try house.run("doubles", "--check")
    #expect(
      run.errors == [
        "error: '\(house.folder.path)/UrnTests/Doubles/CellarDouble.swift' is the double of"
          + " 'Urn.Cellar', which is not in the symbol graph of 'Urn': delete it."
      ])
    #expect(run.status == 1)
    house.modules.removeFirst()
    #expect(try house.run("doubles").errors.first?.contains("which is not in the symbol") == true)
    #expect(try house.run("doubles", "--check").status == 1)
  }

  @Test func `an error for an unwritable file says how to open the sandbox`() throws {
    try house.folder.write("", to: "ShopTests")
    let run = try house.run("doubles", "--write")
    #expect(run.errors.count == 2)
    #expect(run.errors.last?.contains("--allow-writing-to-package-directory") == true)
  }
}
