// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SwiftConfigurationExample",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [
    .package(name: "Understudy", path: "../../.."),
    .package(
      url: "https://github.com/apple/swift-configuration.git", .upToNextMinor(from: "1.4.0"),
      traits: ["JSON"]),
  ],
  targets: [
    .target(
      name: "ConfigurationProperties",
      dependencies: [
        .product(name: "UnderstudyDefinitions", package: "Understudy"),
        .product(name: "Configuration", package: "swift-configuration"),
      ]),
    .testTarget(
      name: "ConfigurationPropertiesTests",
      dependencies: [
        "ConfigurationProperties", .product(name: "UnderstudyTesting", package: "Understudy"),
        .product(name: "UnderstudyDefinitions", package: "Understudy"),
        .product(name: "Configuration", package: "swift-configuration"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
