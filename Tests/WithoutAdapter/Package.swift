// swift-tools-version: 6.2
import PackageDescription

// Test targets that link their products without `UnderstudyTesting`. Their runs must not succeed.
let package = Package(
  name: "WithoutAdapter",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Understudy", path: "../..")],
  targets: [
    .testTarget(
      name: "WithoutAdapterTests",
      dependencies: [.product(name: "Understudy", package: "Understudy")]),
    .testTarget(
      name: "DoublesWithoutAdapterTests",
      dependencies: [.product(name: "UnderstudyDoubles", package: "Understudy")]),
  ],
  swiftLanguageModes: [.v6]
)
