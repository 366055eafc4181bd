// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

let package = Package(
  name: "Bridges",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "UnderstudyLogging", targets: ["UnderstudyLogging"]),
    .library(name: "UnderstudyMetrics", targets: ["UnderstudyMetrics"]),
    .library(name: "UnderstudyTracing", targets: ["UnderstudyTracing"]),
    .library(name: "UnderstudyLifecycle", targets: ["UnderstudyLifecycle"]),
  ],
  dependencies: [
    .package(name: "Understudy", path: "../../.."),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
  ],
  targets: [
    .target(
      name: "UnderstudyLogging",
      dependencies: [
        .product(name: "Understudy", package: "Understudy"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "InMemoryLogging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .target(
      name: "UnderstudyMetrics",
      dependencies: [
        .product(name: "Understudy", package: "Understudy"),
        .product(name: "Metrics", package: "swift-metrics"),
      ],
      swiftSettings: settings),
    .target(
      name: "UnderstudyTracing",
      dependencies: [
        .product(name: "Understudy", package: "Understudy"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: settings),
    .target(
      name: "UnderstudyLifecycle",
      dependencies: [
        .product(name: "Understudy", package: "Understudy"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyLoggingTests",
      dependencies: [
        "UnderstudyLogging", .product(name: "UnderstudyTesting", package: "Understudy"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "InMemoryLogging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyMetricsTests",
      dependencies: [
        "UnderstudyMetrics", .product(name: "UnderstudyTesting", package: "Understudy"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyTracingTests",
      dependencies: [
        "UnderstudyTracing", .product(name: "UnderstudyTesting", package: "Understudy"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyLifecycleTests",
      dependencies: [
        "UnderstudyLifecycle", .product(name: "UnderstudyTesting", package: "Understudy"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
