// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FirstTest",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  dependencies: [.package(name: "Understudy", path: "../../..")],
  targets: [
    .target(name: "Orders", dependencies: [.product(name: "Understudy", package: "Understudy")]),
    .testTarget(
      name: "OrdersTests",
      dependencies: ["Orders", .product(name: "UnderstudyTesting", package: "Understudy")]),
  ],
  swiftLanguageModes: [.v6]
)
