import Testing
import UnderstudyDoubles

@Test func `a double that no framework knows`() {
  let sends = Spy<String, Void, Never>("send(_:)")
  sends.expects(.once)
}
