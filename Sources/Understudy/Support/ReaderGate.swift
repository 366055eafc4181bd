// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The readers' side of a readers–writer lock that is spread over several words, so that readers on different
/// processors seldom write to the same one. No reader waits here: one that finds the gate closed is told so.
///
/// Safety of `@unchecked Sendable`: the stripes are made before anyone can see the gate and freed in `deinit`, when
/// nobody can any more; every access to them is atomic.
///
/// That no reader is within while the gate is closed: `enter` and `close` both change the same word by one atomic
/// step, so for each stripe one of the two comes first. If it is the reader, `close` sees it counted and waits
/// until it has left. If it is `close`, the reader sees the word closed, and takes itself out again without having
/// read anything. Whatever a writer did before `open` (release order) is seen by those who enter after it (acquire
/// order), and what a reader did before `leave` (release) is done before `close` returns (acquire).
///
/// Who is within runs no code of a user's, takes no lock that it did not have when it entered, and waits for nobody, so
/// the writer's wait ends; whoever waits for the gate has no lock of a layer. Writers
/// take turns by a lock of their own.
@safe
struct ReaderGate: ~Copyable, @unchecked Sendable {
  /// What a reader gives back when it leaves.
  typealias Pass = UnsafeMutableRawPointer

  /// A word, and as much room as the cache lines of most processors take.
  private struct Stripe: ~Copyable {
    let readers = Atomic<Int>(0)
    let padding: (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int) =
      (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  }

  /// What a closed word has besides its readers, of whom there are always fewer.
  private static var closed: Int { 1 << 30 }
  private static var stripeCount: Int { 8 }

  private let stripes: UnsafeMutablePointer<Stripe>

  init() {
    unsafe stripes = .allocate(capacity: ReaderGate.stripeCount)
    for index in 0..<ReaderGate.stripeCount { unsafe (stripes + index).initialize(to: Stripe()) }
  }

  deinit {
    unsafe stripes.deinitialize(count: ReaderGate.stripeCount)
    unsafe stripes.deallocate()
  }

  /// Lets the calling thread in; `nil` if the gate is closed. `leave` has to follow, soon.
  @inline(__always)
  func enter() -> Pass? {
    let stripe = unsafe stripes + ReaderGate.place
    let before = unsafe stripe.pointee.readers.add(1, ordering: .acquiring).oldValue
    guard before < ReaderGate.closed else {
      unsafe stripe.pointee.readers.subtract(1, ordering: .releasing)
      return nil
    }
    return Pass(stripe)
  }

  @inline(__always)
  static func leave(_ pass: Pass) {
    unsafe pass.assumingMemoryBound(to: Stripe.self).pointee.readers.subtract(
      1, ordering: .releasing)
  }

  /// Keeps readers out, and waits until all have left who were let in.
  func close() {
    for index in 0..<ReaderGate.stripeCount {
      unsafe stripes[index].readers.add(ReaderGate.closed, ordering: .acquiringAndReleasing)
    }
    for index in 0..<ReaderGate.stripeCount {
      // A reader that finds it closed is counted for a moment, too.
      var looks = 0
      while unsafe stripes[index].readers.load(ordering: .acquiring) != ReaderGate.closed {
        // A reader that was interrupted may be less urgent than this thread, which then has to make room for it.
        looks += 1
        if looks < 100 { yieldThread() } else { pauseThread(for: .microseconds(50)) }
      }
    }
  }

  /// Lets readers in again.
  func open() {
    for index in 0..<ReaderGate.stripeCount {
      unsafe stripes[index].readers.subtract(ReaderGate.closed, ordering: .releasing)
    }
  }

  /// The stripe of the calling thread, told by where its stack lies: which one it is matters for speed alone.
  @inline(__always)
  private static var place: Int {
    var here: UInt8 = 0
    let address = unsafe withUnsafeMutablePointer(to: &here) { UInt64(UInt(bitPattern: $0)) }
    return Int(truncatingIfNeeded: ((address >> 16) &* 0x9E37_79B9_7F4A_7C15) >> 61)
  }
}
