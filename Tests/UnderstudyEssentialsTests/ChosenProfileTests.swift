// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyEssentials
import UnderstudyTesting

@Suite struct `A profile that is chosen automatically` {
  private static let profiles: [ChosenProfile] = [
    .onPreview(OverrideProfile("preview") { _ in }),
    .onSimulator(OverrideProfile("simulator") { _ in }),
    .onArgument("--demo", OverrideProfile("demo") { _ in }),
    .onTest(OverrideProfile("test") { _ in }),
  ]

  @Test(
    arguments: [
      ([:], ["app"], nil),
      ([:], ["--demo"], nil),
      (["XCODE_RUNNING_FOR_PREVIEWS": "1"], ["app", "--demo"], "preview"),
      (["XCODE_RUNNING_FOR_PREVIEWS": "0"], ["app"], nil),
      (["SIMULATOR_UDID": "7"], ["app"], "simulator"),
      ([:], ["app", "--demo"], "demo"),
      (["XCTestConfigurationFilePath": ""], ["app"], "test"),
      (["XCTestSessionIdentifier": "7"], ["app"], "test"),
      ([:], ["/usr/bin/xctest"], "test"),
      ([:], ["/tmp/AppPackageTests.xctest"], "test"),
    ] as [(ProcessEnvironment, ProcessArguments, String?)])
  func `is the first one whose condition holds`(
    environment: ProcessEnvironment, arguments: ProcessArguments, name: String?
  ) {
    #expect(ChosenProfile.first(of: Self.profiles, environment, arguments)?.name == name)
  }

  @Test func `holds for the whole process`() async {
    await #expect(processExitsWith: .success) {
      let demo = OverrideProfile("demo") { $0.override(\.uuid, with: .counting) }
      try #require(
        OverrideProfile.start(.onArgument("--none", demo), ChosenProfile(demo) { _, _ in true })
          != nil)
      let uuid = await Task.detached { Resolver.main.resolve(\.uuid)() }.value
      try #require(uuid.uuidString == "00000000-0000-0000-0000-000000000001")
    }
    withOverrides(.live(.allowed)) { _ in
    } operation: {
      #expect(Resolver.main.resolve(\.uuid)() != Resolver.main.resolve(\.uuid)())
    }
  }
}
