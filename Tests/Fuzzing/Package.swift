// swift-tools-version: 6.2
import PackageDescription

let fuzzed: [SwiftSetting] = [.unsafeFlags(["-parse-as-library"])]

let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Understudy", path: "../..")],
  targets: [.target(name: "CFuzzer")]
    + ["JSONFuzzer", "PathFuzzer", "PropertyListFuzzer"].map { name in
      .executableTarget(
        name: name,
        dependencies: ["CFuzzer", .product(name: "UnderstudyDefinitions", package: "Understudy")],
        swiftSettings: fuzzed)
    },
  swiftLanguageModes: [.v6]
)
