// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Configuration
public import UnderstudyDefinitions

extension ValueSource {
  /// A source with the present values of a provider of swift-configuration.
  ///
  /// A provider cannot list its keys, so the caller names them. A key without a value is left to
  /// the other sources. A value that the provider marks as secret stays secret.
  ///
  /// - Parameters:
  ///   - provider: The provider.
  ///   - keys: The paths of the values, with their types.
  /// - Returns: The source, with the name of the provider.
  /// - Throws: The error of the provider, for example if a value has another type.
  public static func configuration(
    _ provider: some ConfigProvider, keys: [String: ConfigType]
  ) throws -> ValueSource {
    let snapshot = provider.snapshot()
    var tree: [String: PropertyValue] = [:]
    for (path, type) in keys.sorted(by: { $0.key < $1.key }) {
      let components = path.split(separator: ".").map(String.init)
      let found = try snapshot.value(forKey: AbsoluteConfigKey(components), type: type)
      guard let value = found.value else { continue }
      tree.set(PropertyValue(value), at: components[...])
    }
    return .values(tree, named: provider.providerName)
  }
}

extension [String: PropertyValue] {
  fileprivate mutating func set(_ value: PropertyValue, at keys: ArraySlice<String>) {
    guard let key = keys.first else { return }
    guard keys.count > 1 else {
      self[key] = value
      return
    }
    var inner: [String: PropertyValue] = [:]
    if case .object(let members) = self[key] { inner = members }
    inner.set(value, at: keys.dropFirst())
    self[key] = .object(inner)
  }
}

extension PropertyValue {
  fileprivate init(_ value: ConfigValue) {
    let content = PropertyValue(value.content)
    self = value.isSecret ? .secret(content) : content
  }

  private init(_ content: ConfigContent) {
    self =
      switch content {
      case .string(let value): .string(value)
      case .int(let value): .integer(Int64(value))
      case .double(let value): .number(value)
      case .bool(let value): .bool(value)
      case .bytes(let value): .data(value)
      case .stringArray(let values): .array(values.map { .string($0) })
      case .intArray(let values): .array(values.map { .integer(Int64($0)) })
      case .doubleArray(let values): .array(values.map { .number($0) })
      case .boolArray(let values): .array(values.map { .bool($0) })
      case .byteChunkArray(let values): .array(values.map { .data($0) })
      }
  }
}
