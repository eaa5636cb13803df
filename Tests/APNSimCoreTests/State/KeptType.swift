@testable import APNSimCore

/// A type that is kept, with some of its values.
struct KeptType: Sendable {
  let name: String
  /// The bytes that each value is written as.
  let samples: [[UInt8]]
  /// Reads bytes to their end, and writes what was read.
  let again: @Sendable ([UInt8]) throws -> [UInt8]
  /// Members that are in no list, and cases of which there is no value.
  private(set) var missing: [String] = []
  /// Bytes that stand for no case.
  private(set) var unusedTags: [UInt8] = []

  init(_ name: String, _ samples: [[UInt8]], again: @escaping @Sendable ([UInt8]) throws -> [UInt8]) {
    (self.name, self.samples, self.again) = (name, samples, again)
  }

  init<Value: Kept>(_ values: Value...) { self.init(each: values) }

  init<Value: Kept>(
    each values: [Value],
    read: @escaping @Sendable (inout StateReader) throws -> Value = { try Value(reading: &$0) }
  ) {
    self.init(Self.name(of: Value.self), values.map { value in StateBytes.of { value.write(to: &$0) } }) {
      let value = try StateBytes.read($0, read)
      return StateBytes.of { value.write(to: &$0) }
    }
  }

  /// - Parameters:
  ///   - remade: the members that follow from others, and settings.
  ///   - read: reads one among others, which its members name.
  init<Value: KeptByMembers>(
    _ values: Value...,
    remade: [String] = [],
    read: @escaping @Sendable (inout StateReader) throws -> Value = { try Value(reading: &$0) }
  ) {
    self.init(each: values, read: read)
    for value in values {
      let members = Mirror(reflecting: value).children.compactMap(\.label).filter { !remade.contains($0) }
      let inherited = Mirror(reflecting: value).superclassMirror == nil ? 0 : 1
      if members.count + inherited != Value.members.count { missing = members }
    }
  }

  init<Value: KeptByCases>(_ values: Value...) {
    self.init(each: values)
    let found = samples.map(\.first)
    missing = Value.Tag.allCases.filter { !found.contains($0.rawValue) }.map { "\($0)" }
    unusedTags = (0...UInt8.max).filter { Value.Tag(rawValue: $0) == nil }
  }

  /// The name that the sources use: `Fault.Trigger`, `Array`.
  private static func name<Value>(of type: Value.Type) -> String {
    let name = String(reflecting: type).prefix { $0 != "<" }
    return name.split(separator: ".").dropFirst().joined(separator: ".")
  }
}
