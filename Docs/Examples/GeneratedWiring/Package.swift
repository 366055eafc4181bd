// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "GeneratedWiring",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(name: "Understudy", path: "../../..")],
  targets: [
    .target(
      name: "Post", dependencies: [.product(name: "Understudy", package: "Understudy")],
      exclude: ["Post.resolved.json"]),
    .target(
      name: "Shop",
      dependencies: ["Post", .product(name: "Understudy", package: "Understudy")]),
    // A program can be wired, too: name it in the configuration, or with --target.
    .executableTarget(
      name: "till",
      dependencies: [
        .product(name: "Understudy", package: "Understudy"),
        .product(name: "UnderstudyDefinitions", package: "Understudy"),
      ]),
    .testTarget(
      name: "ShopTests",
      dependencies: [
        "Post", "Shop", "till", .product(name: "Understudy", package: "Understudy"),
        .product(name: "UnderstudyDefinitions", package: "Understudy"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
