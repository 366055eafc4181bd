// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

// A typical test case. It overrides five of twenty dependencies, creates five objects with three
// wrappers each, and makes requests for the other five itself. Ten of the twenty are cached.

/// A dependency of an app.
protocol Service: AnyObject, Sendable {
  var number: Int { get }
}

final class Service0: Service { let number = 0 }
final class Service1: Service { let number = 1 }
final class Service2: Service { let number = 2 }
final class Service3: Service { let number = 3 }
final class Service4: Service { let number = 4 }
final class Service5: Service { let number = 5 }
final class Service6: Service { let number = 6 }
final class Service7: Service { let number = 7 }
final class Service8: Service { let number = 8 }
final class Service9: Service { let number = 9 }
final class Service10: Service { let number = 10 }
final class Service11: Service { let number = 11 }
final class Service12: Service { let number = 12 }
final class Service13: Service { let number = 13 }
final class Service14: Service { let number = 14 }
final class Service15: Service { let number = 15 }
final class Service16: Service { let number = 16 }
final class Service17: Service { let number = 17 }
final class Service18: Service { let number = 18 }
final class Service19: Service { let number = 19 }

extension Dependencies {
  static let service0 = Dependency<Service0>(lifecycle: .cached) { Service0() }
  static let service1 = Dependency<Service1> { Service1() }
  static let service2 = Dependency<Service2>(lifecycle: .cached) { Service2() }
  static let service3 = Dependency<Service3> { Service3() }
  static let service4 = Dependency<Service4>(lifecycle: .cached) { Service4() }
  static let service5 = Dependency<Service5> { Service5() }
  static let service6 = Dependency<Service6>(lifecycle: .cached) { Service6() }
  static let service7 = Dependency<Service7> { Service7() }
  static let service8 = Dependency<Service8>(lifecycle: .cached) { Service8() }
  static let service9 = Dependency<Service9> { Service9() }
  static let service10 = Dependency<Service10>(lifecycle: .cached) { Service10() }
  static let service11 = Dependency<Service11> { Service11() }
  static let service12 = Dependency<Service12>(lifecycle: .cached) { Service12() }
  static let service13 = Dependency<Service13> { Service13() }
  static let service14 = Dependency<Service14>(lifecycle: .cached) { Service14() }
  static let service15 = Dependency<Service15> { Service15() }
  static let service16 = Dependency<Service16>(lifecycle: .cached) { Service16() }
  static let service17 = Dependency<Service17> { Service17() }
  static let service18 = Dependency<Service18>(lifecycle: .cached) { Service18() }
  static let service19 = Dependency<Service19> { Service19() }
}

final class Model0 {
  @Inject var service0: Service0
  @Inject var service1: Service1
  @Inject var service2: Service2

  var sum: Int { service0.number + service1.number + service2.number }
}

final class Model1 {
  @Inject var service0: Service3
  @Inject var service1: Service4
  @Inject var service2: Service5

  var sum: Int { service0.number + service1.number + service2.number }
}

final class Model2 {
  @Inject var service0: Service6
  @Inject var service1: Service7
  @Inject var service2: Service8

  var sum: Int { service0.number + service1.number + service2.number }
}

final class Model3 {
  @Inject var service0: Service9
  @Inject var service1: Service10
  @Inject var service2: Service11

  var sum: Int { service0.number + service1.number + service2.number }
}

final class Model4 {
  @Inject var service0: Service12
  @Inject var service1: Service13
  @Inject var service2: Service14

  var sum: Int { service0.number + service1.number + service2.number }
}

final class DeclaredModel0 {
  @Inject(\.service0) var service0
  @Inject(\.service1) var service1
  @Inject(\.service2) var service2

  var sum: Int { service0.number + service1.number + service2.number }
}

final class DeclaredModel1 {
  @Inject(\.service3) var service0
  @Inject(\.service4) var service1
  @Inject(\.service5) var service2

  var sum: Int { service0.number + service1.number + service2.number }
}

final class DeclaredModel2 {
  @Inject(\.service6) var service0
  @Inject(\.service7) var service1
  @Inject(\.service8) var service2

  var sum: Int { service0.number + service1.number + service2.number }
}

final class DeclaredModel3 {
  @Inject(\.service9) var service0
  @Inject(\.service10) var service1
  @Inject(\.service11) var service2

  var sum: Int { service0.number + service1.number + service2.number }
}

final class DeclaredModel4 {
  @Inject(\.service12) var service0
  @Inject(\.service13) var service1
  @Inject(\.service14) var service2

  var sum: Int { service0.number + service1.number + service2.number }
}

/// The same dependencies in the usual handwritten form: a structure of closures in a task-local.
struct World: Sendable {
  var service0: @Sendable () -> Service0
  var service1: @Sendable () -> Service1
  var service2: @Sendable () -> Service2
  var service3: @Sendable () -> Service3
  var service4: @Sendable () -> Service4
  var service5: @Sendable () -> Service5
  var service6: @Sendable () -> Service6
  var service7: @Sendable () -> Service7
  var service8: @Sendable () -> Service8
  var service9: @Sendable () -> Service9
  var service10: @Sendable () -> Service10
  var service11: @Sendable () -> Service11
  var service12: @Sendable () -> Service12
  var service13: @Sendable () -> Service13
  var service14: @Sendable () -> Service14
  var service15: @Sendable () -> Service15
  var service16: @Sendable () -> Service16
  var service17: @Sendable () -> Service17
  var service18: @Sendable () -> Service18
  var service19: @Sendable () -> Service19

  @TaskLocal static var current = World()

  init() {
    let cached0 = Service0()
    service0 = { cached0 }
    service1 = { Service1() }
    let cached2 = Service2()
    service2 = { cached2 }
    service3 = { Service3() }
    let cached4 = Service4()
    service4 = { cached4 }
    service5 = { Service5() }
    let cached6 = Service6()
    service6 = { cached6 }
    service7 = { Service7() }
    let cached8 = Service8()
    service8 = { cached8 }
    service9 = { Service9() }
    let cached10 = Service10()
    service10 = { cached10 }
    service11 = { Service11() }
    let cached12 = Service12()
    service12 = { cached12 }
    service13 = { Service13() }
    let cached14 = Service14()
    service14 = { cached14 }
    service15 = { Service15() }
    let cached16 = Service16()
    service16 = { cached16 }
    service17 = { Service17() }
    let cached18 = Service18()
    service18 = { cached18 }
    service19 = { Service19() }
  }
}

final class ModelByHand0 {
  let service0 = World.current.service0()
  let service1 = World.current.service1()
  let service2 = World.current.service2()

  var sum: Int { service0.number + service1.number + service2.number }
}

final class ModelByHand1 {
  let service0 = World.current.service3()
  let service1 = World.current.service4()
  let service2 = World.current.service5()

  var sum: Int { service0.number + service1.number + service2.number }
}

final class ModelByHand2 {
  let service0 = World.current.service6()
  let service1 = World.current.service7()
  let service2 = World.current.service8()

  var sum: Int { service0.number + service1.number + service2.number }
}

final class ModelByHand3 {
  let service0 = World.current.service9()
  let service1 = World.current.service10()
  let service2 = World.current.service11()

  var sum: Int { service0.number + service1.number + service2.number }
}

final class ModelByHand4 {
  let service0 = World.current.service12()
  let service1 = World.current.service13()
  let service2 = World.current.service14()

  var sum: Int { service0.number + service1.number + service2.number }
}
