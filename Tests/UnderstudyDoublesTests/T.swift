import Testing
@testable import UnderstudyDoubles
import Understudy
enum RepoError: Error { case missing }
@Test func builds() throws {
  let removes = Spy<(Int, Bool), Int, RepoError>("remove(_:hard:)")
  removes.when(.any, true).throws(.missing)
  removes.when { $0 > 100 && !$1 }.returns(0)
  let g = GenericSpy<String>("decode(_:key:)")
  g.returns(7)
  let x: Int = try g("a")
  #expect(x == 7)
  do { let s: String = try g("b"); _ = s } catch { print(error) }
  do { let s: String = try g("b"); _ = s } catch { print(error) }
  print(try removes(200, false))
  let s = Spy<(Int, Bool), Int?, Never>("remove(_:hard:)")
  s.when(7, .any).returns(3)
  #expect(s(8, true) == nil)
  for v in s.finish() { print(v) }
}
