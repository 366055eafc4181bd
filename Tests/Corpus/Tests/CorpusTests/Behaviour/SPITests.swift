// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

@_spi(Other) @_spi(Testing) import Corpus
import Testing
import UnderstudyDoubles

@Suite struct `Requirements of an SPI group` {
  private struct Real: SPIRequirements {
    func open() -> Int { 7 }
  }

  private func secret(_ value: some SPIRequirements) -> Int { value.secret() }
  private func count<Value: SPIRequirements>(_: Value.Type) -> Int { Value.count }

  @Test func `are the double's, not the defaults`() {
    let double = SPIRequirementsDouble()
    double.spy.secret.returns(3)
    same(secret(double), 3)
    SPIRequirementsDouble.spy.count.returns(4)
    same(count(SPIRequirementsDouble.self), 4)
  }

  @Test func `are forwarded`() {
    let double = SPIRequirementsDouble(forwardingTo: Real())
    same(double.secret(), 1)
    same(double.open(), 7)
  }

  @Test func `may be of a protocol in an extension of the group`() {
    let double = OutsideFarDouble()
    double.spy.far.returns(5)
    same(double.far(), 5)
  }
}
