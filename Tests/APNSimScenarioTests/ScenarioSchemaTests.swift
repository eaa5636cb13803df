import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@testable import APNSimScenario

@Suite struct `The schema of scenarios` {
  /// `UPDATE=yes` writes it anew.
  @Test func `the schema of scenarios is the same in the program and in the repository`() throws {
    let url = Fixtures.root.appendingPathComponent("schemas/scenario-1.json")
    guard ProcessInfo.processInfo.environment["UPDATE"] == nil else {
      return try ScenarioSchema.text.write(to: url, atomically: true, encoding: .utf8)
    }
    let file = try String(contentsOf: url, encoding: .utf8)
    #expect(ScenarioSchema.text == file, "make faults")
  }

  @Test func `the schema of scenarios has each section of the reader, and defines whatever it refers to`()
    throws
  {
    let schema = try JSONValue.parse(ScenarioSchema.text)
    let properties = schema.member("properties")?.objectValue?.map(\.key)
    #expect(properties == ScenarioFile.sections.map { $0.key })
    let defined = Set(schema.member("$defs")?.objectValue?.map(\.key) ?? [])
    #expect(references(in: schema) == defined)
  }

  private func references(in value: JSONValue) -> Set<String> {
    switch value {
    case .object(let members):
      members.reduce(into: Set<String>()) { found, member in
        if member.key == "$ref", let text = member.value.stringValue {
          found.insert(text.replacing("#/$defs/", with: ""))
        } else {
          found.formUnion(references(in: member.value))
        }
      }
    case .array(let elements): elements.reduce(into: Set<String>()) { $0.formUnion(references(in: $1)) }
    default: []
    }
  }
}
