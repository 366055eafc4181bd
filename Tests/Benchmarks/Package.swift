// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Understudy", path: "../.."),
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
  ],
  targets: [
    .target(name: "AllocationCounter"),
    .target(
      name: "BenchmarkRows",
      dependencies: [
        "AllocationCounter", .product(name: "Understudy", package: "Understudy"),
        .product(name: "UnderstudyDoubles", package: "Understudy"),
        .product(name: "UnderstudyEssentials", package: "Understudy"),
      ]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "AllocationCounter", "BenchmarkRows", .product(name: "Understudy", package: "Understudy"),
      ]),
    .executableTarget(
      name: "Percentiles",
      dependencies: ["BenchmarkRows", .product(name: "Benchmark", package: "benchmark")],
      path: "Benchmarks/Percentiles",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    .testTarget(
      name: "SuiteTests",
      dependencies: [.product(name: "UnderstudyTesting", package: "Understudy")]),
  ],
  swiftLanguageModes: [.v6]
)
