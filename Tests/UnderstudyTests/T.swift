import Testing
@testable import UnderstudyTesting
@Test func builds() {}
