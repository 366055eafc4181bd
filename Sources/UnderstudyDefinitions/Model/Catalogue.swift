// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Understudy

/// The types, functions and methods that definitions may use, by the names that files give them.
///
/// A file can create only types that the program offers here. A name in a file is looked up in the
/// catalogue and nowhere else.
///
/// ```swift
/// var catalogue = Catalogue()
/// catalogue.offer("Shop.SMTPMailer", labels: ["host", "port"]) { (host: String, port: Int) in
///   SMTPMailer(host: host, port: port) as any Mailer
/// }
/// ```
///
/// A service is registered as the type that the closure returns.
public struct Catalogue: Sendable {
  struct MethodName: Hashable, Sendable {
    let owner: ObjectIdentifier
    let name: String
  }

  var classes: [String: CatalogueEntry] = [:]
  var methods: [MethodName: CatalogueEntry] = [:]
  var calls: [MethodName: CatalogueCall] = [:]

  /// Creates an empty catalogue.
  public init() {}

  /// Offers a class or a function, with a closure that creates a value from arguments.
  ///
  /// - Parameters:
  ///   - name: Its name in files.
  ///   - labels: The labels of the arguments, for files that give them by label.
  ///   - make: Creates the value. The arguments are checked against the types of its parameters.
  ///     Optional parameters at the end may be left out.
  public mutating func offer<each Argument, Value: Sendable>(
    _ name: String, labels: [String] = [],
    _ make: @escaping @Sendable (repeat each Argument) throws -> Value
  ) {
    let parameters = [CatalogueParameter].list(of: repeat (each Argument).self, labels: labels)
    // A closure that takes `ServiceArguments` takes all arguments, not one.
    let isReading = parameters.map { $0.type == ServiceArguments.self } == [true]
    classes[name] = CatalogueEntry(Value.self, parameters: isReading ? nil : parameters) {
      _, arguments in
      let reader = ArgumentReader(arguments)
      if isReading { return try make(repeat reader.all((each Argument).self)) }
      return try make(repeat reader.next((each Argument).self))
    }
  }

  /// Offers a class or a function that reads its arguments itself. They are not checked before.
  ///
  /// - Parameters:
  ///   - name: Its name in files.
  ///   - make: Creates the value.
  @_disfavoredOverload  // A closure of one `Any` would do for this, too, and takes an argument.
  public mutating func offer<Value: Sendable>(
    _ name: String, reading make: @escaping @Sendable (ServiceArguments) throws -> Value
  ) {
    classes[name] = CatalogueEntry(Value.self, parameters: nil) { _, arguments in
      try make(arguments)
    }
  }

  /// Offers a method of a service that creates another service.
  ///
  /// - Parameters:
  ///   - name: Its name in files.
  ///   - owner: The type that the other service is registered as.
  ///   - labels: The labels of the arguments.
  ///   - make: Gets the service and the arguments, and creates the value.
  public mutating func offer<Owner: Sendable, each Argument, Value: Sendable>(
    method name: String, of owner: Owner.Type, labels: [String] = [],
    _ make: @escaping @Sendable (Owner, repeat each Argument) throws -> Value
  ) {
    methods[MethodName(owner: ObjectIdentifier(owner), name: name)] = CatalogueEntry(
      Value.self, parameters: .list(of: repeat (each Argument).self, labels: labels)
    ) { factory, arguments in
      guard let owner = factory as? Owner else {
        throw DefinitionError.wrongOwner(name, expected: Owner.self)
      }
      let reader = ArgumentReader(arguments)
      return try make(owner, repeat reader.next((each Argument).self))
    }
  }

  /// Offers a method that is called on a service after its creation.
  ///
  /// - Parameters:
  ///   - name: Its name in files.
  ///   - owner: The type that the service is registered as.
  ///   - labels: The labels of the arguments.
  ///   - call: Gets the service, to be changed in place, and the arguments.
  public mutating func offer<Owner: Sendable, each Argument>(
    call name: String, on owner: Owner.Type, labels: [String] = [],
    _ call: @escaping @Sendable (inout Owner, repeat each Argument) throws -> Void
  ) {
    calls[MethodName(owner: ObjectIdentifier(owner), name: name)] = CatalogueCall(
      parameters: .list(of: repeat (each Argument).self, labels: labels)
    ) { service, arguments in
      guard var owner = service as? Owner else {
        throw DefinitionError.wrongOwner(name, expected: Owner.self)
      }
      let reader = ArgumentReader(arguments)
      try call(&owner, repeat reader.next((each Argument).self))
      return owner
    }
  }

  /// The names of classes and functions, sorted.
  public var names: [String] { classes.keys.sorted() }
}

/// The creation of services by an offered class or function, with the type erased.
package struct CatalogueEntry: Sendable {
  /// The type under which the created services are registered.
  package let type: any Any.Type
  /// The parameters, or `nil` if the closure reads the arguments itself.
  package let parameters: [CatalogueParameter]?
  /// Creates the registration of such a service.
  package let registration:
    @Sendable (RegistrationTraits, @escaping @Sendable (Resolver) throws -> ServiceIngredients) ->
      AnyRegistration
  /// Creates the registration of an alias of such a service.
  package let alias: @Sendable (RegistrationTraits, String) -> AnyRegistration
  /// Resolves such a service by name.
  package let resolve: @Sendable (String, Resolver, CallSite) throws -> any Sendable
  /// The same, or `nil` if nothing answers. The caller is responsible for the claims.
  package let resolveIfThere:
    @Sendable (String, Resolver, CallSite, inout [Claim]) throws -> (any Sendable)?

  init<Value: Sendable>(
    _ type: Value.Type, parameters: [CatalogueParameter]?,
    _ make: @escaping @Sendable ((any Sendable)?, ServiceArguments) throws -> Value
  ) {
    self.type = type
    self.parameters = parameters
    registration = { traits, ingredients in
      Registration<Value>(traits, sharing: SendableType()) { invocation in
        let ingredients = try ingredients(invocation.resolver)
        var value = try make(ingredients.factory, ingredients.arguments)
        for (call, arguments) in ingredients.calls {
          guard let changed = try call.run(value, arguments) as? Value else { continue }
          value = changed
        }
        return value
      }
    }
    alias = { traits, name in
      Registration<Value>(traits, standingFor: Key<Value>(named: name))
    }
    resolve = { name, resolver, callSite in
      try resolver.resolve(Key<Value>(named: name), at: callSite)
    }
    resolveIfThere = { name, resolver, callSite, claims in
      let request = Request(Key<Value>(named: name).erased, at: callSite)
      let value: Value? = try resolver.valueIfThere(for: request, claiming: &claims)
      return value
    }
  }
}

/// An offered method that is called after the creation, with the type erased.
package struct CatalogueCall: Sendable {
  package let parameters: [CatalogueParameter]
  package let run: @Sendable (any Sendable, ServiceArguments) throws -> any Sendable
}

/// The inputs for creating a service.
package struct ServiceIngredients {
  /// The service whose method creates it.
  package var factory: (any Sendable)?
  package var arguments: ServiceArguments
  package var calls: [(CatalogueCall, ServiceArguments)]
}

extension DefinitionError {
  fileprivate static func wrongOwner(
    _ method: String, expected: any Any.Type
  ) -> DefinitionError {
    DefinitionError(
      .wrongArgument(
        label: "of '\(method)'", expected: TypeDescription.of(expected), found: "another service"))
  }
}

extension Catalogue {
  func methodNames(of type: any Any.Type) -> [String] {
    methods.keys.filter { $0.owner == ObjectIdentifier(type) }.map(\.name)
  }

  func callNames(of type: any Any.Type) -> [String] {
    calls.keys.filter { $0.owner == ObjectIdentifier(type) }.map(\.name)
  }
}

extension Resolver {
  func resolve<Value>(
    _ key: Key<Value>, at callSite: CallSite
  ) throws(ResolutionError) -> Value {
    try value(for: Request(key.erased, at: callSite))
  }
}
