// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [.library(name: "BenchmarkRows", targets: ["BenchmarkRows"])],
  dependencies: [.package(name: "Understudy", path: "../..")],
  targets: [
    .target(name: "AllocationCounter"),
    .target(
      name: "BenchmarkRows",
      dependencies: [
        "AllocationCounter", .product(name: "Understudy", package: "Understudy"),
        .product(name: "UnderstudyDoubles", package: "Understudy"),
      ]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "AllocationCounter", "BenchmarkRows", .product(name: "Understudy", package: "Understudy"),
      ]),
    .testTarget(
      name: "SuiteTests",
      dependencies: [.product(name: "UnderstudyTesting", package: "Understudy")]),
  ],
  swiftLanguageModes: [.v6]
)
