// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation

/// A fault that `run --self-test` plants where a reader gives an answer that it gives for no file
/// of the corpus. The fuzzer must find it.
public enum PlantedFault: String, Sendable {
  /// The process ends.
  case trap
  /// The reader never ends.
  case loop
  /// The reader takes all memory.
  case memory

  private static let planted = ProcessInfo.processInfo.environment["UNDERSTUDY_FUZZING_FAULT"]
    .flatMap(PlantedFault.init)

  /// Occurs if `answer`, an error of a reader in prose, contains `words`.
  public static func occur(in answer: String, saying words: String) {
    guard let planted, answer.contains(words) else { return }
    switch planted {
    case .trap: preconditionFailure("The planted fault.")
    case .loop: while getpid() != 0 {}
    case .memory:
      // More than the limit, and no more: the fuzzer looks at it once a second.
      let taken = (0..<1_536).map { Array(repeating: UInt8($0 & 0xFF), count: 1 << 20) }
      while taken.count > 0, getpid() != 0 {}
    }
  }
}
