// swift-tools-version: 6.2
import PackageDescription

let fuzzed: [SwiftSetting] = [.unsafeFlags(["-parse-as-library"])]

let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Understudy", path: "../..")],
  targets: [.target(name: "CFuzzer"), .target(name: "FuzzedFile")]
    + [
      ("JSONFuzzer", "UnderstudyDefinitions"), ("PathFuzzer", "UnderstudyDefinitions"),
      ("PropertyListFuzzer", "UnderstudyDefinitions"), ("CassetteFuzzer", "UnderstudyDoubles"),
      ("SymbolGraphFuzzer", "UnderstudyTool"), ("WiringFuzzer", "UnderstudyTool"),
    ].map { name, product in
      .executableTarget(
        name: name,
        dependencies: ["CFuzzer", "FuzzedFile", .product(name: product, package: "Understudy")],
        swiftSettings: fuzzed)
    },
  swiftLanguageModes: [.v6]
)
