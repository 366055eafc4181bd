import Testing
import UnderstudyDoubles

@Test func `a double that no framework knows`() {
  let loads = Spy<Int, Int, any Error>("load(_:)")
  _ = try? loads(7)
}
