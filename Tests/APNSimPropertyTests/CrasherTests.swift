import APNSimCore
import APNSimProperties
import APNSimTestSupport
import Foundation
import Testing

@Suite struct `Bytes that once broke something` {
  @Test(arguments: Property.allCases) func `bytes that once broke a property hold it now`(
    _ property: Property
  ) throws {
    let folder = Fixtures.root.appendingPathComponent("crashers/\(property.rawValue)")
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    for file in files.sorted(by: { $0.path < $1.path }) where file.pathExtension != "md" {
      let input = try Array(Data(contentsOf: file))
      #expect(property.violation(input) == nil, "\(file.lastPathComponent)")
    }
  }

  @Test func `each folder of bytes that once broke something belongs to a property`() throws {
    let folder = Fixtures.root.appendingPathComponent("crashers")
    let entries = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    for entry in entries where entry != "README.md" {
      #expect(Property(rawValue: entry) != nil, "\(entry)")
    }
  }

  @Test(arguments: Property.allCases) func `what the fuzzer begins with holds the property`(
    _ property: Property
  ) throws {
    let folder = Fixtures.root.deletingLastPathComponent().appendingPathComponent(
      "Fuzz/Seeds/\(property.rawValue)"
    )
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    for file in files.sorted(by: { $0.path < $1.path }) {
      let violation = try property.violation(Array(Data(contentsOf: file)))
      #expect(violation == nil, "\(file.lastPathComponent)")
    }
  }

  @Test(arguments: Property.allCases) func `random bytes hold the property`(_ property: Property) {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<100 {
      let count = Int.random(in: 0..<400, using: &generator)
      var input = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      if count > 2 { input[1] = UInt8.random(in: 0...3, using: &generator) }
      #expect(property.violation(input) == nil)
    }
  }

  @Test func `shipped scenarios hold the property, cut anywhere`() throws {
    let folder = Fixtures.root.appendingPathComponent("scenarios")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    var generator = SeededGenerator(seed: 12)
    for file in files.sorted(by: { $0.path < $1.path }) where file.pathExtension == "yaml" {
      let input = try Array(Data(contentsOf: file))
      #expect(Property.scenario.violation(input) == nil, "\(file.lastPathComponent)")
      let end = Int.random(in: 0...input.count, using: &generator)
      #expect(Property.scenario.violation(Array(input[..<end])) == nil, "\(file.lastPathComponent)")
    }
  }
}
