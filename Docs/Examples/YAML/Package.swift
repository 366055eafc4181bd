// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "YAMLExample",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [
    .package(name: "Understudy", path: "../../.."),
    .package(url: "https://github.com/jpsim/Yams.git", .upToNextMinor(from: "6.2.0")),
  ],
  targets: [
    .target(
      name: "YAMLProperties",
      dependencies: [
        .product(name: "UnderstudyDefinitions", package: "Understudy"),
        .product(name: "Yams", package: "Yams"),
      ]),
    .testTarget(
      name: "YAMLPropertiesTests",
      dependencies: [
        "YAMLProperties", .product(name: "UnderstudyTesting", package: "Understudy"),
        .product(name: "UnderstudyDefinitions", package: "Understudy"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
