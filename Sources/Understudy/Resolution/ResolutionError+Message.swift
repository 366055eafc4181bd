// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension ResolutionError {
  package var message: Message {
    Message(headline, facts: messageFacts, remedies: remedies, hint: hint)
  }

  private var headline: String {
    switch reason {
    case .missing: "No registration for \(key)."
    case .fellThrough(let layer):
      "\(key) fell through to production under the strict layer '\(layer)'."
    case .mustBeOverridden where place == .escapedWork:
      "\(key) was asked for by work that belongs to no test, and production must not answer."
    case .mustBeOverridden:
      "\(key) must be overridden in tests, and production would have answered."
    case .released: "The object registered weakly for \(key) is gone."
    case .notAnObject:
      key.name?.scope == nil
        ? "\(key) was registered 'weak:', but a value type cannot be held weakly."
        : "\(key) was registered 'scopedTo:', but a value type cannot be shared by its owners."
    case .cannotBeHeldWeakly:
      "A value of type '\(name(key.type))' is not an object, and a weak wrapper holds only objects."
    case .argument(let expected, nil):
      "\(key) takes an argument of type '\(name(expected))', and none was given."
    case .argument(let expected, let given?):
      "\(key) takes an argument of type '\(name(expected))', not '\(name(given))'."
    case .cycle: "Creating \(key) needs \(key) itself."
    case .tooDeep: "Creating \(key) goes more than \(Resolver.maximumDepth) requests deep."
    case .asynchronous: "\(key) is made asynchronously, and was asked for synchronously."
    case .mainActorOnly:
      "\(key) is made on the main actor, and was asked for synchronously from elsewhere."
    case .notShareable: "\(key) cannot be cached: its type is not known to be Sendable."
    case .unimplemented: "\(key) was used, though the test says that it is unimplemented."
    case .nothingToDecorate: "\(key) is decorated, and nothing below the decorator answers it."
    case .resolverGone: "\(key) was requested from a resolver that is gone."
    case .layerEnded(let layer, let test):
      "\(key) was asked for under the ended layer '\(layer)'"
        + (test.map { " of the test '\($0)'." } ?? ".")
    case .unattributed(let tests):
      "\(key) was asked for by work that belongs to no test, and "
        + (tests.count == 1 ? "a running test overrides " : "running tests override ")
        + (path.last == key ? "it." : "what it was made from.")
    case .failed(is CancellationError): "Resolving \(key) was cancelled."
    case .failed(let error):
      "The block registered for \(key) threw an error" + (longError == nil ? ": \(error)" : ".")
    }
  }

  /// The message about a request that production answers under a layer which only warns.
  func messageOfWarning(_ layer: String) -> Message {
    Message(
      "\(key) fell through to production under the layer '\(layer)'.", facts: messageFacts,
      remedies: afterFallThrough(under: ".check(.fallThrough, .warning)"), hint: hint)
  }

  private func afterFallThrough(under option: String) -> [String] {
    let allowed = TypeDescription.metatype(of: key.type)
    return [
      "Override it:  " + place.addingOverride(of: key, taking: argument),
      "Allow it:  "
        + place.allowing(
          allowed, under: option, trait: ".overrides(\(option), allowing: \(allowed)) { … }"),
    ]
  }

  /// The description of a block's error, if it has facts of its own. They must not be mixed with
  /// these facts.
  private var longError: String? {
    guard case .failed(let error) = reason else { return nil }
    let text = "\(error)"
    return text.contains(where: \.isNewline) ? text : nil
  }

  private var messageFacts: [Message.Fact] {
    var facts: [Message.Fact] = []
    if path.count > 1 {
      facts.append(Message.Fact("Requested by", path[path.count - 2].step))
      facts.append(Message.Fact("Path", path.map(\.step).joined(separator: " → ")))
    }
    facts.append(Message.Fact("At", "\(callSite)"))
    if !consulted.isEmpty {
      facts.append(Message.Fact("Consulted", consulted.map(\.text).joined(separator: ", ")))
    }
    if let resolver, consulted.isEmpty { facts.append(Message.Fact("Resolver", resolver)) }
    if let longError { facts.insert(Message.Fact("Error", longError), at: 0) }
    if let namesake {
      facts.insert(Message.Fact("In full", key.distinguished(from: namesake)), at: 0)
    }
    if case .unattributed(let tests) = reason {
      let names = tests.map { "'\($0)'" }.firstFive
      facts.append(Message.Fact("Overridden by", names.joined(separator: "\n")))
    }
    if case .mustBeOverridden(let guardian) = reason {
      facts.append(Message.Fact("Guarded by", guardian))
    }
    if let note { facts.append(Message.Fact("Fault", note)) }
    if let handedOutAt { facts.append(Message.Fact("Handed out", "once, at \(handedOutAt)")) }
    if let registeredAt { facts.append(Message.Fact("Registered", "\(registeredAt)")) }
    if let replaced {
      let place = "\(replaced.callSite), which takes the passed argument"
      facts.append(Message.Fact("Replaced", place))
    }
    return facts
  }

  private var remedies: [String] {
    let type = name(key.type)
    let metatype = TypeDescription.metatype(of: key.type)
    switch reason {
    case .missing where key.whole != nil:
      return ["Ask once for each argument, or choose a lifecycle other than .once."]
    case .missing where handedOutAt != nil:
      return [
        "Ask for '\(type)?', which is nil once the value is handed out.",
        "Register it for more than one request, without 'lifecycle: .once'.",
      ]
    case .missing:
      let registering = "Register it:  \(key.registrationCode(taking: argument))"
      // A program without tests gets no advice about tests.
      if place == .program { return [registering] }
      return [registering, "Override it:  \(overriding)"]
    case .fellThrough: return afterFallThrough(under: ".strict")
    case .mustBeOverridden where place == .escapedWork:
      return [
        Violation.carryingContext, "Allow it where it is registered:  inTests: .allowed",
      ]
    case .mustBeOverridden:
      return [
        "Override it:  \(overriding)",
        "Allow it:  "
          + place.allowing(metatype, trait: "@Test(.overrides(allowing: \(metatype)))"),
      ]
    case .cannotBeHeldWeakly:
      return [
        "Hold the value:  @Inject var …: \(TypeDescription.code(key.type))",
        "Make '\(type)' a class.",
      ]
    case .released:
      return [
        "Keep the object for as long as it is asked for.",
        "Ask for '\(type)?', which is nil when the object is gone.",
      ]
    case .notAnObject where key.name?.scope != nil:
      return [
        "Share an object: make '\(type)' a class.",
        "Keep the value without a scope:  \(key.unscoped.cachedRegistrationCode), "
          + "and resolver.resolve(\(key.unscoped.arguments))",
      ]
    case .notAnObject:
      return [
        "Register the value itself:  resolver.register(value)",
        "Register an object:  resolver.register(weak: object)",
      ]
    case .argument(let expected, let given):
      let key = requested.key
      let (block, request) =
        isAwaited
        ? ("an asynchronous block", "await resolver.resolveAsync") : ("a block", "resolver.resolve")
      let passing =
        "Pass one\(inside(block)):  try \(request)(\(key.argument), "
        + "with: … as \(TypeDescription.code(expected))\(key.furtherArguments))"
      if replaced != nil { return [passing, "Tell the registrations apart with a name."] }
      if given != nil { return [passing, "Register a block that takes what is passed."] }
      let provider = TypeDescription.provider(of: key.type, from: expected)
      return [passing]
        + (isAwaited ? [] : ["Take a Provider of a function:  \(provider)"])
        + ["Have its parameters resolved:  resolver.register(autowiring: …)"]
    case .cycle where isEndless:
      return [
        "Create one of them once:  lifecycle: .cached",
        "Share one of them while it is held:  scopedTo: …",
      ]
    case .cycle where path.dropLast().last == key:
      return [
        "Ask for another type or name.",
        "In a decorator, use the value that it gets:  { underlying in … }",
      ]
    case .cycle:
      return [
        "Ask for one of them later:  @LazyInject",
        "Move the shared part into a third registration.",
      ]
    case .tooDeep: return ["End the recursion, or build the value in a loop within one block."]
    case .asynchronous:
      return [
        waiting,
        place == .program
          ? "Register a synchronous block for it."
          : "Override it with a double that is made synchronously.",
      ]
    case .mainActorOnly:
      return [
        waiting,
        "Ask for it in a function or initialiser that is on the main actor:  "
          + "\(requested.key.declaration == nil ? "try " : "")resolver.resolve(\(awaitedArguments))",
      ]
    case .notShareable:
      return [
        "Make '\(type)' Sendable.",
        "If it is Sendable, say so where it is registered:  lifecycle: .cached",
        "Create a new value for each request:  \(key.registrationCode(taking: argument))",
      ]
    case .unimplemented:
      return [
        "Override it with a double:  \(place.addingOverride(of: key, taking: argument))",
        "Find out why the code under test asks for it.",
      ]
    case .nothingToDecorate:
      return [
        "Register the decorated value:  \(key.registrationCode(taking: argument))",
        "Override it instead:  \(place.addingOverride(of: key, taking: argument))",
      ]
    case .resolverGone:
      return [
        "Keep the resolver for as long as its instances are used.",
        "Resolve the value while the resolver exists.",
      ]
    case .layerEnded where place == .operation || place == .program:
      let keeping =
        "Keep the layer for the object that the operation returns:  "
        + "withOverrides(until: .endOfTest) { … } operation: { … }"
      return [
        "Wait for the work before the scope ends.",
        "Cancel the work, or let it resolve what it needs while the scope lasts.",
      ] + (place == .program ? [] : [keeping])
    case .layerEnded:
      return [
        "Wait for the work before the test ends.",
        "Cancel the work, or let it resolve what it needs while the test runs.",
      ]
    case .unattributed:
      return [
        Violation.carryingContext, "Resolve before the work is sent off, and hand it the value.",
      ]
    case .failed: return []
    }
  }

  /// The key that the code requested, and the block that did so.
  private var requested: (key: AnyKey, requester: AnyKey?) {
    outerRequest ?? (key, path.dropLast().last)
  }

  private var awaitedArguments: String {
    let key = requested.key
    return key.argument + (argument == nil ? "" : ", with: …") + key.furtherArguments
  }

  /// Names the requester's block, which may have to be another kind of block, such as one that is
  /// not autowired.
  private func inside(_ kind: String) -> String {
    guard let requester = requested.requester, requester != requested.key else { return "" }
    return ", in \(kind) for \(requester)"
  }

  private var overriding: String {
    // An override of the main resolver holds for its children, too. A class of XCTest names one
    // resolver for its layer.
    let production = consulted.filter { $0.layer == nil }
    let isOfAnother = !production.isEmpty && production.allSatisfy { $0.resolver != nil }
    let hasLayer = place == .xctest && consulted.contains { $0.layer != nil }
    return place.overriding(key, taking: argument, isOfAnother: isOfAnother && !hasLayer)
  }

  /// The requester may be a block that cannot suspend, such as an autowired one. And the caller may
  /// already await it.
  private var waiting: String {
    let request = "try await resolver.resolveAsync(\(awaitedArguments))"
    return "Wait for it\(inside("an asynchronous block")):  \(request)"
  }

  private var hint: String? {
    let nearMisses = nearMisses
    guard !nearMisses.isEmpty, key.whole == nil else { return nil }
    let told = nearMisses.map { $0.isNamesake(of: key) ? $0.distinguished(from: key) : "\($0)" }
    // The label of a scope or a qualifier is not that of a name.
    let near = nearMisses[0]
    let isNamedByType = near.name?.base is NamingType
    let isNamedOtherwise = near.name.flatMap { near in
      key.name.map { type(of: near.base as Any) != type(of: $0.base as Any) }
    }
    let isTold = near.type == key.type && (isNamedByType || isNamedOtherwise ?? false)
    return "Did you mean " + told.joined(separator: ", or ") + "?"
      + (isTold ? "  resolver.resolve(\(near.arguments))" : "")
  }

  /// A key that may have been meant and has the same description.
  private var namesake: AnyKey? { nearMisses.first { $0.isNamesake(of: key) } }

  private func name(_ type: any Any.Type) -> String { TypeDescription.of(type) }
}

extension ResolutionError.Consulted {
  fileprivate var text: String {
    let count = counted(registrationCount, "registration")
    guard let layer else {
      return "production\(resolver.map { " of \($0)" } ?? "") (\(count))"
    }
    return "layer '\(layer)' (\(keys.isEmpty ? count : keys.map(\.step).joined(separator: ", ")))"
  }
}
