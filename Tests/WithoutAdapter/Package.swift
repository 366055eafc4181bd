// swift-tools-version: 6.2
import PackageDescription

// A test target that links `Understudy` without `UnderstudyTesting`. Its run must not succeed.
let package = Package(
  name: "WithoutAdapter",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Understudy", path: "../..")],
  targets: [
    .testTarget(
      name: "WithoutAdapterTests",
      dependencies: [.product(name: "Understudy", package: "Understudy")])
  ],
  swiftLanguageModes: [.v6]
)
