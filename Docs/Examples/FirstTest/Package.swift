// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FirstTest",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(name: "Understudy", path: "../../..")],
  targets: [
    .target(name: "Orders", dependencies: [.product(name: "Understudy", package: "Understudy")]),
    .testTarget(
      name: "OrdersTests",
      dependencies: ["Orders", .product(name: "UnderstudyTesting", package: "Understudy")]),
  ],
  swiftLanguageModes: [.v6]
)
