// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

let package = Package(
  name: "GRPCServices",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "UnderstudyGRPC", targets: ["UnderstudyGRPC"]),
    .library(name: "Greeter", targets: ["Greeter"]),
  ],
  dependencies: [
    .package(name: "Understudy", path: "../../.."),
    .package(url: "https://github.com/grpc/grpc-swift-2.git", from: "2.4.0"),
    .package(url: "https://github.com/grpc/grpc-swift-protobuf.git", from: "2.4.0"),
    .package(url: "https://github.com/apple/swift-protobuf.git", from: "1.38.0", traits: []),
  ],
  targets: [
    .target(
      name: "UnderstudyGRPC",
      dependencies: [
        .product(name: "Understudy", package: "Understudy"),
        .product(name: "GRPCCore", package: "grpc-swift-2"),
      ],
      swiftSettings: settings),
    // Its folder `Generated` is written from `Protos/greeter.proto`.
    .target(
      name: "Greeter",
      dependencies: [
        .product(name: "Understudy", package: "Understudy"),
        .product(name: "GRPCCore", package: "grpc-swift-2"),
        .product(name: "GRPCProtobuf", package: "grpc-swift-protobuf"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GreeterTests",
      dependencies: [
        "UnderstudyGRPC", "Greeter",
        .product(name: "UnderstudyTesting", package: "Understudy"),
        .product(name: "GRPCCore", package: "grpc-swift-2"),
        .product(name: "GRPCInProcessTransport", package: "grpc-swift-2"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
