// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Configuration
import Testing
import UnderstudyDoubles

@Suite struct ConfigurationTests {
  private let rows = AbsoluteConfigKey(ConfigKey("stage.rows"))

  @Test func `a provider answers a reader`() {
    let provider = ConfigProviderDouble()
    provider.spy.providerName.returns("prompter")
    provider.spy.value.returns(LookupResult(encodedKey: "STAGE_ROWS", value: 12))
    #expect(ConfigReader(provider: provider).int(forKey: "stage.rows") == 12)
    #expect(provider.spy.value.calls.map(\.0) == [rows])
    #expect(provider.spy.value.calls.map(\.1) == [.int])
  }

  @Test func `a provider answers an asynchronous reader`() async throws {
    let provider = ConfigProviderDouble()
    provider.spy.providerName.returns("prompter")
    provider.spy.fetchValue.returns(LookupResult(encodedKey: "STAGE_ROWS", value: 14))
    #expect(try await ConfigReader(provider: provider).fetchInt(forKey: "stage.rows") == 14)
    #expect(provider.spy.fetchValue.calls.map(\.0) == [rows])
  }

  @Test func `a provider returns a snapshot that is a double, too`() throws {
    let snapshot = ConfigSnapshotDouble()
    snapshot.spy.value.returns(LookupResult(encodedKey: "STAGE_ROWS", value: nil))
    let provider = ConfigProviderDouble()
    provider.spy.snapshot.returns(snapshot)
    #expect(try provider.snapshot().value(forKey: rows, type: .int).value == nil)
    #expect(snapshot.spy.value.calls.count == 1)
  }

  @Test func `the bytes of a file cannot be recorded, and go to the answering function`() throws {
    typealias Snapshot = FileConfigSnapshotDouble<FileParsingOptionsDouble>
    let options = FileParsingOptionsDouble()
    let bytes: [UInt8] = [1, 2, 3]
    Snapshot.spy.initialize.returns { bytes in
      #expect(bytes.byteCount == 3)
    }
    let snapshot = try Snapshot(
      data: bytes.span.bytes, providerName: "file", parsingOptions: options)
    snapshot.spy.providerName.returns("file")
    #expect(snapshot.providerName == "file")
    #expect(Snapshot.spy.initialize.calls.map(\.0) == ["file"])
  }
}
