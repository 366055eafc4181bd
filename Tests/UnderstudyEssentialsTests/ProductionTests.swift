// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyEssentials
import UnderstudyTesting

/// Runs `operation` where production may answer.
private func live<Result>(
  _ operation: () async throws -> Result
) async rethrows -> Result {
  try await withOverrides(.live(.allowed), { _ in }, operation: operation)
}

/// The ready-made dependencies without an override, each in a process of its own.
@Suite struct `Production` {
  @Test func `writes to the standard streams`() async throws {
    let result = try await #require(
      processExitsWith: .success,
      observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      Resolver.main.resolve(\.standardOutput).writeLine("sold: 7")
      Resolver.main.resolve(\.standardError).writeLine("warning: 1 left")
    }
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(output.contains("sold: 7\n"), "\(output)")
    #expect(!output.contains("warning"))
    #expect(errors.contains("warning: 1 left\n"), "\(errors)")
    #expect(!errors.contains("sold"))
  }

  @Test func `has the user's regions, real clocks and real stores`() async throws {
    await #expect(processExitsWith: .success) {
      try await live {
        let resolver = Resolver.main
        #expect(resolver.resolve(\.locale) == .autoupdatingCurrent)
        #expect(resolver.resolve(\.calendar) == .autoupdatingCurrent)
        #expect(resolver.resolve(\.timeZone) == .autoupdatingCurrent)
        #expect(
          resolver.resolve(\.preferredLocales).map(\.identifier)
            == Locale.preferredLanguages.map { Locale(identifier: $0).identifier })
        let before = Date.now
        #expect(resolver.resolve(\.date).now >= before)
        #expect(resolver.resolve(\.uuid)() != resolver.resolve(\.uuid)())
        try await resolver.resolve(\.continuousClock).sleep(for: .zero)
        try await resolver.resolve(\.suspendingClock).sleep(for: .zero)
        #expect(resolver.resolve(\.continuousClock) is ContinuousClock)
        #expect(resolver.resolve(\.suspendingClock) is SuspendingClock)
        #expect(resolver.resolve(\.notifications) === NotificationCenter.default)
        #expect(resolver.resolve(\.keyValueStore) is UserDefaultsStore)
        #expect(resolver.resolve(\.fileSystem).exists("/"))
        #expect(resolver.resolve(\.httpClient) is URLSessionClient)
        #expect(
          resolver.resolve(\.environment)["PATH"] == ProcessInfo.processInfo.environment["PATH"])
      }
    }
  }

  #if os(Linux)
    /// `xdg-open` is a script here, which keeps its argument.
    @Test func `opens a URL in the user's program, and says if none did`() async throws {
      await #expect(processExitsWith: .success) {
        let directory = TemporaryDirectory()
        let script = "\(directory.path)/xdg-open"
        try """
        #!/bin/sh
        echo "$1" > "\(directory.path)/opened"
        case "$1" in *refused*) exit 4;; esac
        """.write(toFile: script, atomically: true, encoding: .utf8)
        let open = await live { Resolver.main.resolve(\.openURL) }
        let help = try #require(URL(string: "https://example.com/help?a=1&b=%20c"))
        let refused = try #require(URL(string: "https://example.com/refused"))
        unsafe setenv("PATH", directory.path, 1)
        #expect(await !open(help), "a file without permission is no program")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        #expect(await open(help))
        let opened = try String(contentsOfFile: "\(directory.path)/opened", encoding: .utf8)
        #expect(opened == "https://example.com/help?a=1&b=%20c\n")
        #expect(await !open(refused))
      }
    }
  #endif
}
