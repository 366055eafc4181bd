// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Understudy", path: "../..")],
  targets: [
    .target(name: "AllocationCounter"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "AllocationCounter", .product(name: "Understudy", package: "Understudy"),
        .product(name: "UnderstudyDoubles", package: "Understudy"),
      ]),
    .testTarget(
      name: "SuiteTests",
      dependencies: [.product(name: "UnderstudyTesting", package: "Understudy")]),
  ],
  swiftLanguageModes: [.v6]
)
