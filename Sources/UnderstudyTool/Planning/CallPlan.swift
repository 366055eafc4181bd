// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The spy for one call, and the call itself.
struct CallPlan {
  var shape = MemberPlan.Shape.spy
  var spy: SpyPlan
  /// The lines of the body.
  var body: [String]
  var notes: [String]
}

/// The parts of a call of a function, a getter or an initialiser.
struct CallInput {
  var declaration: Declaration
  var parameters: [ParameterPlan]
  var scope: GenericScope
  var result: TypeText?
  var spyName: String
  var title: String

  /// Whether an `inout` parameter is the caller's alone before and after the call, which the
  /// compiler cannot prove of a recorded value.
  var isSendingBack: Bool { parameters.contains { $0.isInout && $0.isSending } }
}

/// Plans calls for one double.
struct CallPlanner {
  let facts: TypeFacts
  /// Whether every spy of the double has to be `Sendable`.
  let isShared: Bool

  private var void: String { facts.words("Void") }
  private var never: String { facts.words("Never") }

  /// The error type of the spy.
  private func failure(_ declaration: Declaration, _ scope: GenericScope) -> String {
    switch declaration.throwing {
    case .never, .rethrowing: never
    case .any: "any \(facts.words("Error"))"
    case .typed(let type):
      scope.isMentioned(in: type) || facts.isNever(type) ? never : facts.storedText(type)
    }
  }

  func plan(_ input: CallInput) -> CallPlan {
    let declaration = input.declaration
    let mustShare =
      isShared || declaration.isStatic || declaration.kind == .initializer || input.isSendingBack
    let recorded = input.parameters.filter { $0.stored != nil }.filter { parameter in
      // A metatype that only says the requested type is not recorded. It is, if the result is
      // `Key.Value`, since `Key` says more.
      guard let name = parameter.metatype, let result = input.result?.tokens else { return true }
      return !result.indices.contains { position in
        result[position].text == name && !result[..<position].last.isDot
          && !result[(position + 1)...].first.isDot
      }
    }
    let passed = input.parameters.compactMap(\.passed)
    var notes = input.parameters.compactMap { $0.note("is not recorded") }
    let values = recorded.map { argument($0, mustShare) }
    let types = recorded.map { argumentType($0, mustShare) }
    let arguments = tuple(types)
    let failure = failure(declaration, input.scope)
    let prelude = recorded.flatMap(\.prelude)
    let inouts = recorded.filter(\.isInout)
    let answers = (input.result.map { [$0] } ?? []) + inouts.compactMap(\.inoutType)
    let isGenericAnswer = answers.contains(where: input.scope.isMentioned)
    var context = Context(
      input: input, words: facts.words, mustShare: mustShare, arguments: arguments, values: values,
      failure: failure, prelude: prelude, inouts: inouts, answers: answers,
      isSending: input.isSendingBack
        && (isGenericAnswer || !answers.allSatisfy(facts.isSendable)))

    if recorded.contains(where: { $0.stored.map(facts.isUninhabited) == true && !$0.isInout }) {
      // This can never be called, and the compiler warns about any body that is not empty.
      return CallPlan(
        spy: spy(context, "\(context.kind)<\(arguments), \(void), \(never)>", nil),
        body: [], notes: notes)
    }
    if let result = input.result, input.scope.isMentioned(in: result),
      input.scope.isNoncopyable(result)
    {
      return refusal(context, notes)
    }
    let passedGeneric = input.parameters.contains { parameter in
      parameter.passed.map { input.scope.isMentioned(in: $0.type) } ?? false
    }
    let run = runnable(input)
    // A stub could not throw the closure's error, and a function value cannot be generic.
    let isRethrowing = failure == never && declaration.throwing != .never
    if let run, isRethrowing || isGenericAnswer || passedGeneric {
      notes = ["The double runs '\(run.name)' and returns its result."]
      return running(run, context, notes)
    }
    let isSending = input.result?.tokens.first?.text == "sending"
    let isHandler =
      (!passed.isEmpty && !passedGeneric) || isSending
      || input.result.map(facts.isUnkeepable) == true
      // The compiler warns about a call that never returns and that is the whole body.
      || declaration.isAsync && input.result.map(facts.isUninhabited) == true
    if case .typed(let type) = declaration.throwing, input.scope.isMentioned(in: type), run == nil {
      // A spy has only one type of error.
      context.failure = "any \(facts.words("Error"))"
      context.cast = facts.text(type)
    }
    if isGenericAnswer {
      if !passed.isEmpty { notes.append("A function value cannot be generic.") }
      return context.isStatic ? genericStatic(context, notes) : generic(context, notes)
    }
    if isHandler {
      notes = input.parameters.compactMap { parameter in
        parameter.note(
          parameter.passed == nil ? "is not recorded" : "goes to the answering function")
      }
      return handler(context, run, notes)
    }
    return plain(context, notes)
  }

  struct Context {
    let input: CallInput
    let words: Vocabulary
    let mustShare: Bool
    let arguments: String
    let values: [String]
    var failure: String
    /// The generic error type to cast to, if the spy can throw any error.
    var cast: String?
    let prelude: [String]
    let inouts: [ParameterPlan]
    let answers: [TypeText]
    /// Whether the caller gets back values that are its alone, and may not be `Sendable`.
    let isSending: Bool

    var declaration: Declaration { input.declaration }
    var isStatic: Bool { declaration.isStatic || declaration.kind == .initializer }
    var spy: String {
      "\(isStatic ? "Self" : "self").\(words.property).\(input.spyName.escaped)"
    }
    var isThrowing: Bool { failure != words("Never") }
    var tryWord: String { isThrowing ? "try " : "" }
    var awaitWord: String { declaration.isAsync ? "await " : "" }
    var kind: String { words(declaration.isAsync ? "AsyncSpy" : "Spy") }
    var tuple: String { values.count == 1 ? values[0] : "(\(values.joined(separator: ", ")))" }
    /// A call of the spy. A placeholder has the values of `inout` parameters.
    func call(placeholder: String?) -> String {
      tryWord + awaitWord + spy + (placeholder.map { "(\(tuple), placeholder: \($0))" } ?? list)
    }
    /// The argument list for a call of the spy.
    var list: String {
      let list = values.joined(separator: ", ")
      return values.count > 6 ? "((\(list)))" : "(\(list))"
    }
  }

  // MARK: Shapes

  private func plain(_ context: Context, _ notes: [String]) -> CallPlan {
    var output = tuple(context.answers.map { facts.storedText($0) })
    let isWrapped = context.mustShare && !context.answers.allSatisfy(facts.isSendable)
    if isWrapped { output = "\(facts.words("Unchecked"))<\(output)>" }
    let isKept = !context.inouts.isEmpty && context.input.result == nil && !context.isStatic
    let fallback = isKept ? inoutFallback(context, isWrapped: isWrapped) : nil
    let value = fallback == nil ? placeholder(context) : nil
    let placeholder = value.map { isWrapped ? "\(facts.words("Unchecked"))(\($0))" : $0 }
    let isOfCall = !context.inouts.isEmpty || value == "self"
    let call = context.call(placeholder: isOfCall ? placeholder : nil)
    var spy = spy(
      context, "\(context.kind)<\(context.arguments), \(output), \(context.failure)>", fallback)
    if !isOfCall { spy.placeholder = placeholder }
    return CallPlan(
      spy: spy,
      body: context.prelude + casting(finish(call, context, isWrapped: isWrapped), context),
      notes: notes)
  }

  private func generic(_ context: Context, _ notes: [String]) -> CallPlan {
    let output = tuple(context.answers.map { facts.storedText($0) })
    let arguments = "\(context.tuple), as: (\(output)).self"
    let failure = context.cast ?? context.failure
    // A placeholder of `nil` would be none. The spy itself knows that value.
    let value = placeholder(context)
    let more = value == nil || value == "nil" ? "" : ", placeholder: \(value ?? "")"
    let call =
      switch failure {
      case never: "\(context.spy).value(\(arguments)\(more))"
      case "any \(facts.words("Error"))": "try \(context.spy)(\(arguments)\(more))"
      default: "try \(context.spy)(\(arguments), throwing: \(failure).self\(more))"
      }
    let limits = context.declaration.isAsync ? ["A stub of it cannot suspend."] : []
    return CallPlan(
      spy: spy(context, "\(facts.words("GenericSpy"))<\(context.arguments)>", nil),
      body: context.prelude + finish(call, context), notes: notes + limits)
  }

  /// A static spy has one output type, so the answer is cast to the requested type.
  private func genericStatic(_ context: Context, _ notes: [String]) -> CallPlan {
    let output = tuple(context.answers.map { facts.storedText($0) })
    let title = context.input.title
    let trap = facts.words("fatalError")
    var lines: [String] = []
    var answer = "\(context.call(placeholder: nil)) as? \(output)"
    if let value = placeholder(context) {
      // The generic parts may not be `Sendable`.
      let unchecked = "\(facts.words("Unchecked"))<\(output)>"
      let found = context.declaration.unusedName("found")
      lines = ["let \(found) = \(context.call(placeholder: "\(unchecked)(\(value))"))"]
      // Optional chaining would make the absent value and an optional without a value one.
      answer = "(\(found) as? \(unchecked)).map({ $0.value }) ?? \(found) as? \(output)"
    }
    return CallPlan(
      spy: spy(
        context,
        "\(context.kind)<\(context.arguments), any \(facts.words("Sendable")), \(context.failure)>",
        nil),
      body: context.prelude
        + casting(
          lines + [
            "guard let answer = \(answer) else {",
            "  \(trap)(\"A stub of \(title.literal) did not answer with \\((\(output)).self).\")",
            "}",
          ] + finish("answer", context), context),
      notes: notes + ["Its stubs differ by their arguments, not by the requested type."])
  }

  private func handler(
    _ context: Context, _ run: ParameterPlan?, _ notes: [String]
  ) -> CallPlan {
    let declaration = context.declaration
    var context = context
    var effects = declaration.isAsync ? " async" : ""
    switch declaration.throwing {
    case .never, .rethrowing: break
    case .any: effects += " throws"
    case .typed where !context.isThrowing: break
    case .typed:
      // A function that throws one type of errors cannot be the output of a spy before macOS 15 and
      // iOS 18.
      effects += " throws"
      context.cast = context.cast ?? context.failure
    }
    let result = context.input.result.map { facts.text($0) } ?? void
    // The function gives each `inout` parameter its new value.
    let parameters = context.input.parameters.filter {
      $0.passed != nil || $0.isInout && $0.stored != nil
    }
    let passed = parameters.compactMap { parameter in
      parameter.passed
        ?? parameter.inoutType.map {
          (TypeText([Token("inout")] + $0.tokens), "&" + parameter.name.escaped)
        }
    }
    let types = passed.map { facts.text($0.type.withoutOwnershipOfCopies) }.joined(separator: ", ")
    // An answering function runs on its caller's actor, so its arguments are not sent.
    let isolation = declaration.isAsync ? "nonisolated(nonsending) " : ""
    let type =
      "\(facts.words("Spy"))<\(context.arguments), \(isolation)@Sendable (\(types))\(effects)"
      + " -> \(result), \(context.failure)>"
    var copies: [(name: String, copy: String)] = []
    var values = passed.map(\.value)
    if context.isSending {
      // The function gets a copy, because its argument stays a part of the caller's actor.
      for parameter in parameters where parameter.isInout && parameter.isSending {
        let name = parameter.name.escaped
        let copy = declaration.unusedName("\(parameter.name)Copy").escaped
        copies.append((name, copy))
        values = values.map { $0 == "&\(name)" ? "&\(copy)" : $0 }
      }
    }
    var call =
      "\(context.tryWord)\(context.awaitWord)\(context.spy)\(context.list)"
      + "(\(values.joined(separator: ", ")))"
    if context.isSending, context.input.result != nil {
      call = "\(facts.words("Unchecked"))(\(call))"
    }
    let blanks = passed.map { _ in "_" }.joined(separator: ", ")
    var fallback: String?
    if let run, !context.isStatic {
      let names = parameters.map { $0.closure == nil ? "_" : "body" }.joined(separator: ", ")
      fallback = "{ _ in { \(names) in \(run.callWords)body() } }"
    } else if context.input.result == nil, !context.isStatic, !passed.isEmpty {
      fallback = "{ _ in { \(blanks) in } }"
    }
    var lines = [context.input.result == nil ? call : "return \(call)"]
    if context.isSending { lines = sendingBack(call, copies, context) }
    let body = context.prelude + casting(lines, context)
    var spy = spy(context, type, fallback)
    if fallback == nil, context.declaration.kind != .initializer {
      let head = passed.isEmpty ? "" : "\(blanks) in "
      let value = context.input.result.map { facts.placeholder($0) } ?? ""
      spy.placeholder = value.map { "{ \(head)\($0) }" }
    }
    return CallPlan(
      shape: .handler, spy: spy, body: body,
      notes: notes.isEmpty ? ["It is answered by a function."] : notes)
  }

  /// The lines of a call that changes copies of `inout` parameters, and gives them back even if it
  /// throws.
  private func sendingBack(
    _ call: String, _ copies: [(name: String, copy: String)], _ context: Context
  ) -> [String] {
    let unchecked = facts.words("Unchecked")
    let back = copies.map { "\($0.name) = \(unchecked)(\($0.copy)).value" }
    let sent = context.declaration.unusedName("sent")
    var lines = context.input.result == nil ? [call] : ["let \(sent) = \(call)"]
    lines += back
    if context.input.result != nil { lines.append("return \(sent).value") }
    if context.isThrowing {
      lines =
        ["do {"] + lines.map { "  " + $0 } + ["} catch {"]
        + (back + ["throw error"]).map { "  " + $0 } + ["}"]
    }
    return copies.map { "var \($0.copy) = \(unchecked)(\($0.name)).value" } + lines
  }

  /// The closure that the double runs. It takes no argument, and returns the call's result.
  private func runnable(_ input: CallInput) -> ParameterPlan? {
    let closures = input.parameters.filter { $0.passed != nil }
    guard closures.count == 1, let function = closures[0].closure, function.parameters.isEmpty,
      !function.attributes.contains(where: { $0.usr != nil || $0.text == "@MainActor" }),
      !function.isAsync || input.declaration.isAsync,
      !function.isThrowing || mayThrow(input.declaration),
      function.result.isVoid ? input.result == nil : function.result.text == input.result?.text
    else { return nil }
    return closures[0]
  }

  private func mayThrow(_ declaration: Declaration) -> Bool {
    switch declaration.throwing {
    case .never: false
    case .any, .rethrowing: true
    case .typed(let type): !facts.isNever(type)
    }
  }

  private func running(_ run: ParameterPlan, _ context: Context, _ notes: [String]) -> CallPlan {
    let type = "\(context.kind)<\(context.arguments), \(void), \(context.failure)>"
    let call = context.call(placeholder: nil)
    let value = "\(run.callWords)\(run.name.escaped)()"
    return CallPlan(
      spy: spy(context, type, nil),
      body: context.prelude + [call, context.input.result == nil ? value : "return \(value)"],
      notes: notes)
  }

  private func refusal(_ context: Context, _ notes: [String]) -> CallPlan {
    let reason =
      "\(context.input.title) returns a generic value that cannot be copied, and no stub can create one."
    let type = "\(context.kind)<\(context.arguments), \(void), \(never)>"
    return CallPlan(
      shape: .refusal, spy: spy(context, type, nil),
      body: context.prelude + [
        "\(context.awaitWord)\(context.spy)\(context.list)",
        "\(facts.words("fatalError"))(\"\(reason.literal)\")",
      ], notes: [reason])
  }

  // MARK: Parts

  /// The type of a tuple of these types.
  private func tuple(_ types: [String]) -> String {
    if types.count == 1 { return types[0] }
    return types.isEmpty ? void : "(\(types.joined(separator: ", ")))"
  }

  private func spy(_ context: Context, _ type: String, _ fallback: String?) -> SpyPlan {
    SpyPlan(
      name: context.input.spyName, type: type, title: context.input.title,
      isStatic: context.isStatic, fallback: fallback)
  }

  /// The lines that return an answer: new values to `inout` parameters, the rest to the caller.
  ///
  /// - Parameter isWrapped: True if the answer is `Unchecked`.
  private func finish(
    _ call: String, _ context: Context, isWrapped: Bool = false
  ) -> [String] {
    let names = context.inouts.map { $0.name.escaped }
    // The compiler lets go of a value that it reads from an `Unchecked`.
    let isSending = context.isSending
    let wrapped = isSending && !isWrapped ? "\(facts.words("Unchecked"))(\(call))" : call
    let whole = isWrapped || isSending ? "\(wrapped).value" : call
    if names.isEmpty { return [context.input.result == nil ? whole : "return \(whole)"] }
    if names.count == 1, context.input.result == nil { return ["\(names[0]) = \(whole)"] }
    let isNamed = call == "answer"
    let answer = isNamed && isSending ? context.declaration.unusedName("sent") : "answer"
    var lines: [String] = []
    if isSending {
      lines = ["let \(answer) = \(wrapped)"]
    } else if !isNamed {
      lines = ["let answer = \(whole)"]
    }
    let parts = isSending ? "\(answer).value" : answer
    let shift = context.input.result == nil ? 0 : 1
    for (index, name) in names.enumerated() { lines.append("\(name) = \(parts).\(index + shift)") }
    if shift == 1 { lines.append("return \(parts).0") }
    return lines
  }

  /// The lines with a cast of the thrown error to the generic error type.
  private func casting(_ lines: [String], _ context: Context) -> [String] {
    guard let cast = context.cast else { return lines }
    let title = context.input.title.literal
    let trap = facts.words("fatalError")
    return ["do {"] + lines.map { "  " + $0 } + [
      "} catch let error as \(cast) {", "  throw error", "} catch {",
      "  \(trap)(\"A stub of \(title) threw an error that is not \\(\(cast).self): \\(error)\")",
      "}",
    ]
  }

  /// The values of a call without a stub: a placeholder of the result, if there is one, and the
  /// values of `inout` parameters.
  private func placeholder(_ context: Context) -> String? {
    // A tuple of the values themselves would join what the caller gets back apart.
    var values = context.inouts.map { parameter in
      context.isSending
        ? "\(facts.words("Unchecked"))(\(parameter.name.escaped)).value" : parameter.name.escaped
    }
    if let result = context.input.result {
      // An initialiser without a stub does not fail.
      let isVoid = context.declaration.kind == .initializer
      guard !isVoid || !values.isEmpty,
        let value = isVoid ? "()" : isItself(result, context) ? "self" : facts.placeholder(result)
      else { return nil }
      values.insert(value, at: 0)
    }
    return values.isEmpty ? nil : tuple(values)
  }

  /// Whether the double itself can be the result.
  private func isItself(_ result: TypeText, _ context: Context) -> Bool {
    guard !context.isStatic, let last = result.tokens.last else { return false }
    let isExistential = result.has("any") && !result.has("&") && result.function == nil
    return result.text == "Self" || isExistential && last.usr == facts.usr
  }

  /// A function that answers with the values of `inout` parameters.
  private func inoutFallback(_ context: Context, isWrapped: Bool) -> String {
    let recorded = context.input.parameters.filter { $0.stored != nil }
    guard recorded.count > 1 else { return "{ $0 }" }
    let positions = recorded.indices.filter { recorded[$0].isInout }
    // A single value is wrapped in the arguments and in the answer.
    if positions.count == 1 { return "{ $0.\(positions[0]) }" }
    let values = positions.map { position in
      "$0.\(position)" + (isUnchecked(recorded[position].stored, context.mustShare) ? ".value" : "")
    }
    let value = "(\(values.joined(separator: ", ")))"
    return "{ \(isWrapped ? "\(facts.words("Unchecked"))(\(value))" : value) }"
  }

  private func isUnchecked(_ stored: TypeText?, _ mustShare: Bool) -> Bool {
    stored.map { mustShare && !facts.isSendable($0) } ?? false
  }

  private func argument(_ parameter: ParameterPlan, _ mustShare: Bool) -> String {
    guard isUnchecked(parameter.stored, mustShare) else { return parameter.value }
    return "\(facts.words("Unchecked"))(\(parameter.value))"
  }

  private func argumentType(_ parameter: ParameterPlan, _ mustShare: Bool) -> String {
    guard let stored = parameter.stored else { return void }
    let text = facts.storedText(stored)
    return isUnchecked(stored, mustShare) ? "\(facts.words("Unchecked"))<\(text)>" : text
  }
}

extension ParameterPlan {
  /// The effect words for a call of the closure.
  fileprivate var callWords: String {
    (closure?.isThrowing == true ? "try " : "") + (closure?.isAsync == true ? "await " : "")
  }
}

extension Token? {
  fileprivate var isDot: Bool { self?.text == "." }
}

extension TypeText {
  /// A function type needs an ownership specifier for a noncopyable parameter only.
  fileprivate var withoutOwnershipOfCopies: TypeText {
    let specifiers = tokens.prefix {
      ["isolated", "inout", "borrowing", "consuming"].contains($0.text)
    }
    return TypeText(specifiers.filter { $0.text != "isolated" } + tokens[specifiers.endIndex...])
  }
}
