// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "DefinitionsSpeed",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Understudy", path: "../..")],
  targets: [
    .executableTarget(
      name: "DefinitionsSpeed",
      dependencies: [
        .product(name: "Understudy", package: "Understudy"),
        .product(name: "UnderstudyDefinitions", package: "Understudy"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
