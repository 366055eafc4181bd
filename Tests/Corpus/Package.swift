// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Corpus",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [.library(name: "Corpus", targets: ["Corpus"])],
  dependencies: [.package(name: "Understudy", path: "../..")],
  targets: [
    .target(name: "CorpusBase"),
    .target(name: "Corpus", dependencies: ["CorpusBase"]),
    .testTarget(
      name: "CorpusTests",
      dependencies: [
        "Corpus", "CorpusBase", .product(name: "UnderstudyDoubles", package: "Understudy"),
      ], exclude: ["Behaviour/Cassettes"]),
  ],
  swiftLanguageModes: [.v6]
)
