import Testing
@testable import UnderstudyDoubles
@Test func builds() {}
