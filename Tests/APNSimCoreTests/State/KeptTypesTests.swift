import APNSimTestSupport
import Foundation
import Testing

@testable import APNSimCore

/// Claims that hold of each kept type, whatever its values are.
@Suite struct `Kept types` {
  private static let names = KeptTypes.all.map(\.name)

  private static func type(_ name: String) throws -> KeptType {
    try #require(KeptTypes.all.first { $0.name == name })
  }

  @Test(arguments: names)
  func `a value is written as the same bytes once it has been read`(name: String) throws {
    let type = try Self.type(name)
    for sample in type.samples {
      #expect(try type.again(sample) == sample)
      #expect(throws: StateError.self, "nothing follows it") { try type.again(sample + [0]) }
    }
  }

  @Test(arguments: names)
  func `no byte at a value's end can be missing`(name: String) throws {
    let type = try Self.type(name)
    for sample in type.samples {
      for count in sample.indices {
        #expect(throws: StateError.self, "\(count) of \(sample.count) bytes") {
          try type.again(Array(sample.prefix(count)))
        }
      }
    }
  }

  /// Nothing traps, and what has been read can be written.
  @Test(arguments: names, [0x01, 0x81, 0xFF] as [UInt8])
  func `a value of which a byte is another is read or refused`(name: String, bits: UInt8) throws {
    let type = try Self.type(name)
    for sample in type.samples {
      for place in sample.indices {
        var damaged = sample
        damaged[place] ^= bits
        do { _ = try type.again(damaged) } catch is StateError {}
      }
    }
  }

  @Test(arguments: names)
  func `every member is in its type's list, and every case can be read`(name: String) throws {
    #expect(try Self.type(name).missing == [])
  }

  @Test(arguments: names)
  func `a byte that stands for no case is refused`(name: String) throws {
    let type = try Self.type(name)
    for tag in type.unusedTags { #expect(throws: StateError.self) { try type.again([tag]) } }
  }

  @Test func `each type that the sources keep is tested here`() throws {
    let declaration =
      /^ *(?:extension|(?:\w+ )*(?:struct|enum|class)) ([\w.]+)[^{]*\bKept(?:ByMembers|ByCases)?\b/
    let protocols = ["Kept", "Input"]
    let kept = try Self.sources().flatMap { text in
      text.split(separator: "\n").compactMap { try? declaration.prefixMatch(in: $0).map { String($0.1) } }
    }
    #expect(kept.filter { !protocols.contains($0) }.sorted() == Self.names.sorted())
  }

  private static func sources() throws -> [String] {
    let root = Fixtures.root.deletingLastPathComponent().appendingPathComponent("Sources/APNSimCore")
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    let found = files?.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
    return try found.map { try String(contentsOf: $0, encoding: .utf8) }
  }
}
