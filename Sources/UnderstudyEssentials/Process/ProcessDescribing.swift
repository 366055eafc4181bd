// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation
public import Understudy

/// The facts of a process and of its machine.
public protocol ProcessDescribing: Sendable {
  /// The name of the process.
  var processName: String { get }
  /// The number of the process.
  var processIdentifier: Int32 { get }
  /// The name of the machine.
  var hostName: String { get }
  /// The version of the operating system, for people to read.
  var operatingSystemVersionString: String { get }
  /// How many processors are in use.
  var activeProcessorCount: Int { get }
  /// The memory of the machine, in bytes.
  var physicalMemory: UInt64 { get }
  /// How long the machine has been awake, in seconds.
  var systemUptime: TimeInterval { get }
}

extension ProcessInfo: ProcessDescribing {}

/// A process whose facts a test has fixed.
public struct FixedProcess: ProcessDescribing, Hashable {
  /// The name of the process.
  public var processName: String
  /// The number of the process.
  public var processIdentifier: Int32
  /// The name of the machine.
  public var hostName: String
  /// The version of the operating system, for people to read.
  public var operatingSystemVersionString: String
  /// How many processors are in use.
  public var activeProcessorCount: Int
  /// The memory of the machine, in bytes.
  public var physicalMemory: UInt64
  /// How long the machine has been awake, in seconds.
  public var systemUptime: TimeInterval
}

extension ProcessDescribing where Self == FixedProcess {
  /// A process with these facts.
  public static func fixed(
    processName: String = "process", processIdentifier: Int32 = 1, hostName: String = "localhost",
    operatingSystemVersionString: String = "1.0", activeProcessorCount: Int = 1,
    physicalMemory: UInt64 = 1 << 30, systemUptime: TimeInterval = 0
  ) -> FixedProcess {
    FixedProcess(
      processName: processName, processIdentifier: processIdentifier, hostName: hostName,
      operatingSystemVersionString: operatingSystemVersionString,
      activeProcessorCount: activeProcessorCount, physicalMemory: physicalMemory,
      systemUptime: systemUptime)
  }
}

extension Dependencies {
  /// The facts of the process and of its machine.
  public static var processInfo: Dependency<any ProcessDescribing> { declaredProcessInfo }
}

private let declaredProcessInfo = Dependency<any ProcessDescribing>(
  inTests: .mustBeOverridden, function: "processInfo"
) {
  ProcessInfo.processInfo
}
