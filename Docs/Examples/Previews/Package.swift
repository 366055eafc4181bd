// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

// On a platform without SwiftUI, a module of that name declares the parts that the bridge uses, so
// that the bridge is compiled.
#if os(Linux)
  let stub: [Target] = [.target(name: "SwiftUI", swiftSettings: settings)]
  let user: [Target.Dependency] = ["SwiftUI"]
#else
  let stub: [Target] = []
  let user: [Target.Dependency] = []
#endif

let package = Package(
  name: "Previews",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [.library(name: "UnderstudySwiftUI", targets: ["UnderstudySwiftUI"])],
  dependencies: [.package(name: "Understudy", path: "../../..")],
  targets: stub + [
    .target(
      name: "UnderstudySwiftUI",
      dependencies: user + [
        .product(name: "Understudy", package: "Understudy"),
        .product(name: "UnderstudyCompatibility", package: "Understudy"),
        .product(name: "UnderstudyEssentials", package: "Understudy"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudySwiftUITests",
      dependencies: user + [
        "UnderstudySwiftUI",
        .product(name: "UnderstudyTesting", package: "Understudy"),
        .product(name: "UnderstudyEssentials", package: "Understudy"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
