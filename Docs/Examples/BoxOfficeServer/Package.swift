// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

let package = Package(
  name: "BoxOfficeServer",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [
    .package(name: "Understudy", path: "../../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
    .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
  ],
  targets: [
    // Bridges that any server can use.
    .target(
      name: "UnderstudyHummingbird",
      dependencies: [
        .product(name: "Understudy", package: "Understudy"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ],
      swiftSettings: settings),
    .target(
      name: "UnderstudyNIO",
      dependencies: [
        .product(name: "Understudy", package: "Understudy"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      swiftSettings: settings),
    .target(
      name: "UnderstudyGRDB",
      dependencies: [
        .product(name: "Understudy", package: "Understudy"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ServerBridgesTests",
      dependencies: [
        "UnderstudyHummingbird", "UnderstudyNIO", "UnderstudyGRDB",
        .product(name: "UnderstudyTesting", package: "Understudy"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .target(
      name: "BoxOfficeServer",
      dependencies: [
        "UnderstudyHummingbird", "UnderstudyNIO",
        .product(name: "Understudy", package: "Understudy"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "box-office-server",
      dependencies: [
        "BoxOfficeServer", .product(name: "Understudy", package: "Understudy"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ], swiftSettings: settings),
    .testTarget(
      name: "BoxOfficeServerTests",
      dependencies: [
        "BoxOfficeServer", "UnderstudyNIO",
        .product(name: "UnderstudyTesting", package: "Understudy"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
