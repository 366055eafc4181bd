// swift-tools-version: 6.3
import PackageDescription

let languageSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// Whatever the compiler cannot prove safe is marked where it is used: `unsafe`.
let settings = languageSettings + [.strictMemorySafety()]

// Under the thread sanitizer `.ci/run` optimises the package, which is shipped, and the model with
// its many programs. To optimise the other tests would take most of the time.
let testSettings =
  Context.environment["UNDERSTUDY_PLAIN_TESTS"] == "1"
  ? languageSettings + [.unsafeFlags(["-Onone"])] : languageSettings

// Tests/Fuzzing is a package of its own and needs the tool's library, which no user links.
let fuzzedProducts: [Product] =
  Context.environment["UNDERSTUDY_FUZZING"] == nil
  ? [] : [.library(name: "UnderstudyTool", targets: ["UnderstudyTool", "UnderstudyWiringTool"])]

let package = Package(
  name: "Understudy",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "Understudy", targets: ["Understudy"]),
    .library(name: "UnderstudyCompatibility", targets: ["UnderstudyCompatibility"]),
    .library(name: "UnderstudyGraph", targets: ["UnderstudyGraph"]),
    .library(name: "UnderstudyDefinitions", targets: ["UnderstudyDefinitions"]),
    .library(name: "UnderstudyDoubles", targets: ["UnderstudyDoubles"]),
    .library(name: "UnderstudyEssentials", targets: ["UnderstudyEssentials"]),
    .library(name: "UnderstudyTesting", targets: ["UnderstudyTesting"]),
    .executable(name: "understudy-tool", targets: ["understudy-tool"]),
    .executable(name: "understudy-doubles", targets: ["understudy-doubles"]),
    .plugin(name: "understudy", targets: ["understudy"]),
    .plugin(name: "UnderstudyBuildDoubles", targets: ["UnderstudyBuildDoubles"]),
    .executable(name: "box-office", targets: ["box-office"]),
  ] + fuzzedProducts,
  targets: [
    .target(name: "UnderstudyAtomics"),
    .target(name: "Understudy", dependencies: ["UnderstudyAtomics"], swiftSettings: settings),
    .target(name: "UnderstudyCompatibility", dependencies: ["Understudy"], swiftSettings: settings),
    .target(name: "UnderstudyGraph", dependencies: ["Understudy"], swiftSettings: settings),
    .target(
      name: "UnderstudyDefinitions", dependencies: ["Understudy", "UnderstudyCompatibility"],
      swiftSettings: settings),
    .target(name: "UnderstudyDoubles", dependencies: ["Understudy"], swiftSettings: settings),
    .target(
      name: "UnderstudyEssentials",
      dependencies: ["Understudy", "UnderstudyCompatibility", "UnderstudyDoubles"],
      swiftSettings: settings),
    .target(
      name: "UnderstudyTesting",
      dependencies: [
        "Understudy", "UnderstudyCompatibility", "UnderstudyGraph", "UnderstudyDoubles",
        "UnderstudyTestHost",
      ],
      swiftSettings: settings),
    .target(name: "UnderstudyTestHost"),
    // The first use of the plugin compiles it, so it does not depend on the library.
    .target(name: "UnderstudyTool", swiftSettings: settings),
    .target(
      name: "UnderstudyWiringTool",
      dependencies: ["UnderstudyTool", "Understudy", "UnderstudyGraph", "UnderstudyDefinitions"],
      swiftSettings: settings),
    .executableTarget(
      name: "understudy-tool", dependencies: ["UnderstudyTool", "UnderstudyWiringTool"],
      swiftSettings: settings),
    .executableTarget(
      name: "understudy-doubles", dependencies: ["UnderstudyTool"], swiftSettings: settings),
    .plugin(
      name: "understudy",
      capability: .command(
        // Without a permission, which every command would ask for: most write nothing.
        intent: .custom(verb: "understudy", description: "Writes test doubles and wiring.")),
      // Without the tool, which the plugin builds itself: see BuiltTool.swift.
      path: "Sources/UnderstudyPlugin"),
    .plugin(
      name: "UnderstudyBuildDoubles", capability: .buildTool(),
      dependencies: ["understudy-doubles"], path: "Sources/UnderstudyBuildPlugin"),
    .target(
      name: "BoxOffice",
      dependencies: ["Understudy", "UnderstudyCompatibility", "UnderstudyDefinitions"],
      resources: [
        .copy("Resources/season.json"), .copy("Resources/services.json"),
        .copy("Resources/settings.json"),
      ], swiftSettings: settings),
    .executableTarget(name: "box-office", dependencies: ["BoxOffice"], swiftSettings: settings),
    .testTarget(
      name: "UnderstudyTests",
      dependencies: [
        "Understudy", "UnderstudyCompatibility", "UnderstudyDoubles", "UnderstudyTestHost",
        "UnderstudyTesting",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "UnderstudyGraphTests",
      dependencies: ["UnderstudyGraph", "Understudy", "UnderstudyTesting"],
      exclude: ["Snapshots"], swiftSettings: testSettings),
    .testTarget(
      name: "UnderstudyDefinitionsTests",
      dependencies: ["UnderstudyDefinitions", "Understudy", "UnderstudyTesting"],
      swiftSettings: testSettings),
    .testTarget(
      name: "UnderstudyModelTests",
      dependencies: [
        "Understudy", "UnderstudyCompatibility", "UnderstudyDoubles", "UnderstudyTesting",
      ],
      swiftSettings: languageSettings),
    .testTarget(
      name: "UnderstudyDoublesTests",
      dependencies: ["UnderstudyDoubles", "Understudy", "UnderstudyCompatibility"],
      exclude: ["Snippets"],
      swiftSettings: testSettings),
    .testTarget(
      name: "UnderstudyEssentialsTests",
      dependencies: ["UnderstudyEssentials", "UnderstudyTesting", "Understudy"],
      swiftSettings: testSettings),
    .testTarget(
      name: "UnderstudyToolTests", dependencies: ["UnderstudyTool", "UnderstudyWiringTool"],
      exclude: ["Graphs", "Snapshots"],
      swiftSettings: testSettings),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "UnderstudyTesting", "Understudy", "UnderstudyCompatibility", "UnderstudyGraph",
        "UnderstudyDefinitions", "BoxOffice",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "BoxOfficeTests",
      dependencies: ["BoxOffice", "UnderstudyDoubles", "UnderstudyTesting", "box-office"],
      swiftSettings: testSettings),
  ],
  swiftLanguageModes: [.v6]
)

// Without the sanitizer `.ci/run` runs the model alone in release, since all tests run with it.
if Context.environment["UNDERSTUDY_MODEL_ALONE"] == "1" {
  package.targets.removeAll { $0.type == .test && $0.name != "UnderstudyModelTests" }
}
