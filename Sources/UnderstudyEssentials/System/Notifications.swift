// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation
public import Understudy

extension NotificationCenter {
  /// A notification center of its own, which shares no observer with another.
  public static var isolated: NotificationCenter { NotificationCenter() }
}

extension Dependencies {
  /// The notification center of the process.
  public static var notifications: Dependency<NotificationCenter> { declaredNotifications }
}

private let declaredNotifications = Dependency<NotificationCenter>(
  inTests: .mustBeOverridden, function: "notifications"
) {
  .default
}
