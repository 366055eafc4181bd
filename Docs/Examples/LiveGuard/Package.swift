// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "LiveGuard",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Understudy", path: "../../..")],
  targets: [
    .target(
      name: "GuardedShop", dependencies: [.product(name: "Understudy", package: "Understudy")]),
    .testTarget(
      name: "GuardedShopTests",
      dependencies: [
        "GuardedShop", .product(name: "UnderstudyTesting", package: "Understudy"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
