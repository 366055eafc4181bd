import Testing
import Understudy

@Test func `a test with a layer that no framework knows`() throws {
  let resolver = Resolver()
  try withOverrides(.strict, of: resolver) {
    $0.register(1)
  } operation: {
    try #expect(resolver.resolve(Int.self) == 1)
  }
}

@Test func `the environment forbids live dependencies`() throws {
  let resolver = Resolver()
  resolver.register(1)
  let error = #expect(throws: ResolutionError.self) { try resolver.resolve(Int.self) }
  #expect(error?.description.contains("Guarded by  UNDERSTUDY_LIVE=forbidden") == true)
}
