// swift-tools-version: 6.2
import PackageDescription

// As in Xcode's template: code is on the main actor by default.
let settings: [SwiftSetting] = [
  .defaultIsolation(MainActor.self),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "MainActorByDefault",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  dependencies: [.package(name: "Understudy", path: "../../..")],
  targets: [
    .target(
      name: "Stalls", dependencies: [.product(name: "Understudy", package: "Understudy")],
      swiftSettings: settings),
    .testTarget(
      name: "StallsTests",
      dependencies: ["Stalls", .product(name: "UnderstudyTesting", package: "Understudy")],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
