// swift-tools-version: 6.2
import PackageDescription

// Doubles of protocols of other packages, at pinned versions.
let package = Package(
  name: "RealModules",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [
    .package(name: "Understudy", path: "../.."),
    .package(url: "https://github.com/apple/swift-log.git", .upToNextMinor(from: "1.16.0")),
    .package(url: "https://github.com/apple/swift-nio.git", .upToNextMinor(from: "2.101.0")),
    .package(
      url: "https://github.com/apple/swift-configuration.git", .upToNextMinor(from: "1.4.0"),
      traits: []),
  ],
  targets: [
    .target(
      name: "Stage",
      dependencies: [
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "Configuration", package: "swift-configuration"),
      ]),
    .testTarget(
      name: "RealModulesTests",
      dependencies: [
        "Stage",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "UnderstudyDoubles", package: "Understudy"),
        .product(name: "UnderstudyTesting", package: "Understudy"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
