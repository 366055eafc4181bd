// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Reads a binary property list (`bplist00`), with the offset of every value.
///
/// In this format a few hundred bytes can describe a tree of billions of values, or a tree that
/// contains itself. Foundation's reader creates the whole tree first. This reader counts while it
/// reads, reads each text only once, and rejects a file with more values than bytes. Only a file
/// with shared arrays and dictionaries can have that many. It also rejects a file that uses long
/// keys again and again.
///
/// - Complexity: O(bytes) time and memory, within the limits.
package struct BinaryPropertyListReader {
  private let bytes: [UInt8]
  private let source: SourceName
  private let limits: ReadingLimits
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let tableOffset: Int
  private var valueCount = 0
  /// The offsets of the arrays and dictionaries that are being read. One inside itself is an error.
  private var open: Set<Int> = []
  /// The length of the contents of all scalars that have been read.
  private var scalarLength = 0
  /// The bytes that are left for keys. Each use of a key counts, since each is hashed.
  private var keyLengthLeft: Int
  /// The scalars that have been read, by offset.
  private var scalars: [Int: PropertyValue] = [:]

  /// Reads one document.
  package static func read(
    _ bytes: [UInt8], from source: SourceName, limits: ReadingLimits = ReadingLimits()
  ) throws(DefinitionError) -> Node {
    try limits.check(bytes, from: source)
    var reader = try BinaryPropertyListReader(bytes, source, limits)
    let top = reader.number(at: bytes.count - 16, size: 8)
    return try reader.object(top, at: bytes.count - 16)
  }

  private init(
    _ bytes: [UInt8], _ source: SourceName, _ limits: ReadingLimits
  ) throws(DefinitionError) {
    self.bytes = bytes
    self.source = source
    self.limits = limits
    keyLengthLeft = 16 * bytes.count + (1 << 20)
    guard bytes.count >= 8 + 32 else {
      throw DefinitionError(.truncated(expected: "a trailer of 32 bytes"), at: Origin(source))
    }
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    objectCount = Int(clamping: bytes[trailer + 8..<trailer + 16].bigEndian)
    tableOffset = Int(clamping: bytes[trailer + 24..<trailer + 32].bigEndian)
    let (size, overflow) = objectCount.multipliedReportingOverflow(by: offsetSize)
    guard 1...8 ~= offsetSize, 1...8 ~= referenceSize, objectCount > 0, !overflow,
      tableOffset >= 8, tableOffset <= trailer, size == trailer - tableOffset
    else {
      throw DefinitionError(
        .unexpected(found: "another trailer", expected: "the trailer of a property list"),
        at: Origin(source, column: trailer))
    }
  }

  private func number(at offset: Int, size: Int) -> Int {
    Int(clamping: bytes[offset..<offset + size].bigEndian)
  }

  private func failure(_ problem: Finding.Problem, _ offset: Int) -> DefinitionError {
    DefinitionError(problem, at: Origin(source, column: offset))
  }

  private mutating func object(_ index: Int, at place: Int) throws(DefinitionError) -> Node {
    valueCount += 1
    let limit = min(limits.valueCount, bytes.count)
    guard valueCount <= limit else { throw failure(.tooManyValues(limit: limit), place) }
    guard index < objectCount else {
      throw failure(.unexpected(found: "a number too large", expected: "an object"), place)
    }
    let offset = number(at: tableOffset + index * offsetSize, size: offsetSize)
    guard 8..<tableOffset ~= offset else {
      throw failure(.unexpected(found: "an offset too large", expected: "an object"), place)
    }
    let origin = Origin(source, column: offset)
    if let scalar = scalars[offset] { return Node(.scalar(scalar), at: origin) }
    if let scalar = try scalar(at: offset) {
      scalars[offset] = scalar
      return Node(.scalar(scalar), at: origin)
    }
    switch bytes[offset] >> 4 {
    case 0xA, 0xD:
      guard open.count < limits.appliedDepth else {
        throw failure(.tooDeep(limit: limits.appliedDepth), offset)
      }
      guard open.insert(offset).inserted else {
        throw failure(.refused("a value that contains itself"), offset)
      }
      defer { open.remove(offset) }
      return Node(
        bytes[offset] >> 4 == 0xA ? try array(at: offset) : try dictionary(at: offset), at: origin)
    default:
      throw failure(
        .unexpected(
          found: "the type 0x" + String(bytes[offset], radix: 16, uppercase: true),
          expected: "a value"), offset)
    }
  }

  // MARK: Collections

  private mutating func array(at offset: Int) throws(DefinitionError) -> Node.Content {
    let range = try content(at: offset, unit: referenceSize)
    var elements: [Node] = []
    for place in stride(from: range.lowerBound, to: range.upperBound, by: referenceSize) {
      elements.append(try object(number(at: place, size: referenceSize), at: place))
    }
    return .array(elements)
  }

  private mutating func dictionary(at offset: Int) throws(DefinitionError) -> Node.Content {
    let range = try content(at: offset, unit: 2 * referenceSize)
    let middle = range.lowerBound + range.count / 2
    var members = MemberList()
    for place in stride(from: range.lowerBound, to: middle, by: referenceSize) {
      let key = try object(number(at: place, size: referenceSize), at: place)
      guard let name = key.string else {
        throw failure(.unexpected(found: key.kind, expected: "a key"), place)
      }
      keyLengthLeft -= name.utf8.count
      guard keyLengthLeft >= 0 else {
        throw failure(.refused("keys with far more bytes together than the file"), place)
      }
      guard members.reserve(name) else { throw failure(.duplicateKey(name), place) }
      let valuePlace = place + range.count / 2
      members.append(
        Node.Member(
          name, at: key.origin,
          try object(number(at: valuePlace, size: referenceSize), at: valuePlace)))
    }
    return .object(members.list)
  }

  // MARK: Scalars

  /// The scalar at an offset, or `nil` for any other value.
  private mutating func scalar(at offset: Int) throws(DefinitionError) -> PropertyValue? {
    let low = Int(bytes[offset] & 0x0F)
    switch bytes[offset] >> 4 {
    case 0x0 where low == 8 || low == 9: return .bool(low == 9)
    case 0x1: return try integer(1 << low, at: offset)
    case 0x2: return .number(try real(1 << low, at: offset))
    case 0x3: return .date(try real(1 << low, at: offset))
    case 0x4: return .data(Array(bytes[try content(ofScalarAt: offset, unit: 1)]))
    case 0x5, 0x6: return .string(try string(at: offset))
    default: return nil
    }
  }

  /// The range of a scalar's contents. Scalars of a proper document share no byte, so all of them
  /// are no longer than the document.
  private mutating func content(
    ofScalarAt offset: Int, unit: Int
  ) throws(DefinitionError) -> Range<Int> {
    let range = try content(at: offset, unit: unit)
    scalarLength += range.count
    guard scalarLength <= bytes.count else {
      throw failure(.refused("contents that overlap"), offset)
    }
    return range
  }

  private func integer(_ size: Int, at offset: Int) throws(DefinitionError) -> PropertyValue {
    guard size <= 16, offset + 1 + size <= tableOffset else {
      throw failure(.truncated(expected: "an integer"), offset)
    }
    let digits = bytes[offset + 1..<offset + 1 + size]
    let low = digits.bigEndian
    // Integers of one, two and four bytes are unsigned, and those of eight and sixteen are signed.
    guard size == 16 else {
      return .integer(Int64(bitPattern: low))
    }
    let high = digits.prefix(8).bigEndian
    let signed = Int64(bitPattern: low)
    if high == .max, signed < 0 { return .integer(signed) }
    guard high == 0 else { throw failure(.numberOutOfRange, offset) }
    return signed < 0 ? .unsigned(low) : .integer(signed)
  }

  private func real(_ size: Int, at offset: Int) throws(DefinitionError) -> Double {
    guard size == 4 || size == 8, offset + 1 + size <= tableOffset else {
      throw failure(.truncated(expected: "a number"), offset)
    }
    let bits = bytes[offset + 1..<offset + 1 + size].bigEndian
    let value =
      size == 4
      ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
      : Double(bitPattern: bits)
    guard value.isFinite else { throw failure(.numberOutOfRange, offset) }
    return value
  }

  private mutating func string(at offset: Int) throws(DefinitionError) -> String {
    let isWide = bytes[offset] >> 4 == 6
    let range = try content(ofScalarAt: offset, unit: isWide ? 2 : 1)
    let text: String?
    if isWide {
      let units = stride(from: range.lowerBound, to: range.upperBound, by: 2)
        .map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
      text = String(validUTF16: units)
    } else {
      text = String(validUTF8: bytes[range])
    }
    guard let text else { throw failure(.invalidUTF8, offset) }
    return text
  }

  /// The range of an object's contents. The count is in its first byte, or in the integer after it.
  private func content(at offset: Int, unit: Int) throws(DefinitionError) -> Range<Int> {
    var count = Int(bytes[offset] & 0x0F)
    var start = offset + 1
    if count == 0xF {
      guard start < tableOffset, bytes[start] >> 4 == 1 else {
        throw failure(.truncated(expected: "a count"), offset)
      }
      let size = 1 << Int(bytes[start] & 0x0F)
      guard size <= 8, start + 1 + size <= tableOffset else {
        throw failure(.truncated(expected: "a count"), offset)
      }
      count = number(at: start + 1, size: size)
      start += 1 + size
    }
    let (length, overflow) = count.multipliedReportingOverflow(by: unit)
    guard !overflow, length <= tableOffset - start else {
      throw failure(.truncated(expected: "\(count) elements"), offset)
    }
    return start..<start + length
  }
}

extension ArraySlice<UInt8> {
  /// The last eight bytes as a number, the first of them the highest.
  fileprivate var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
