// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "GeneratedDoubles",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  dependencies: [.package(name: "Understudy", path: "../../..")],
  targets: [
    .target(name: "Stock"),
    .testTarget(
      name: "StockTests",
      dependencies: ["Stock", .product(name: "UnderstudyTesting", package: "Understudy")]),
    // The same tests without checked-in doubles: the build generates them.
    .testTarget(
      name: "StockBuildTests",
      dependencies: ["Stock", .product(name: "UnderstudyTesting", package: "Understudy")],
      plugins: [.plugin(name: "UnderstudyBuildDoubles", package: "Understudy")]),
    // Doubles that several test targets share.
    .target(
      name: "StockDoubles",
      dependencies: ["Stock", .product(name: "UnderstudyDoubles", package: "Understudy")]),
    .testTarget(
      name: "StockSharedTests",
      dependencies: [
        "Stock", "StockDoubles", .product(name: "UnderstudyTesting", package: "Understudy"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
