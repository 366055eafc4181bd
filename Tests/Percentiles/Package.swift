// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Percentiles",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Benchmarks", path: "../Benchmarks"),
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "Percentiles",
      dependencies: [
        .product(name: "BenchmarkRows", package: "Benchmarks"),
        .product(name: "Benchmark", package: "benchmark"),
      ],
      path: "Benchmarks/Percentiles",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
  ],
  swiftLanguageModes: [.v6]
)
