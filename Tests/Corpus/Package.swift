// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Corpus",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [.library(name: "Corpus", targets: ["Corpus"])],
  dependencies: [.package(name: "Understudy", path: "../..")],
  targets: [
    .target(name: "CorpusBase"),
    // Without this, no function can return a nonescapable value.
    .target(
      name: "Corpus", dependencies: ["CorpusBase"],
      swiftSettings: [.enableExperimentalFeature("Lifetimes")]),
    .target(
      name: "CorpusNonsending",
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .target(name: "CorpusOfFive", swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "CorpusTests",
      dependencies: [
        "Corpus", "CorpusBase", "CorpusNonsending",
        .product(name: "UnderstudyDoubles", package: "Understudy"),
        .product(name: "UnderstudyTesting", package: "Understudy"),
      ],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
    // The build generates its doubles.
    .testTarget(
      name: "CorpusOnMainTests",
      dependencies: [
        "Corpus", "CorpusOfFive",
        .product(name: "UnderstudyTesting", package: "Understudy"),
      ],
      swiftSettings: [
        .defaultIsolation(MainActor.self), .enableUpcomingFeature("MemberImportVisibility"),
      ],
      plugins: [.plugin(name: "UnderstudyBuildDoubles", package: "Understudy")]),
  ],
  swiftLanguageModes: [.v6]
)

// With UNDERSTUDY_BROKEN, the package has a target that does not compile, like one in the middle of
// an edit.
if Context.environment["UNDERSTUDY_BROKEN"] != nil {
  package.targets.append(.target(name: "Broken"))
}
