// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

let package = Package(
  name: "CommandLine",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [
    .package(name: "Understudy", path: "../../.."),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
  ],
  targets: [
    .target(
      name: "Tickets",
      dependencies: [
        .product(name: "Understudy", package: "Understudy"),
        .product(name: "UnderstudyCompatibility", package: "Understudy"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "print-tickets",
      dependencies: [
        "Tickets", .product(name: "Understudy", package: "Understudy"),
        .product(name: "UnderstudyCompatibility", package: "Understudy"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "TicketsTests",
      dependencies: [
        "Tickets", "print-tickets",
        .product(name: "UnderstudyTesting", package: "Understudy"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
