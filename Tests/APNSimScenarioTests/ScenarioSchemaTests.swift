import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimScenario

@Suite struct `The schema of scenarios` {
  @Test func `the schema of scenarios is the same in the program and in the repository`() throws {
    let file = try String(decoding: Fixtures.data("schemas/scenario-1.json"), as: UTF8.self)
    #expect(ScenarioSchema.text == file, "apnsim scenario schema > fixtures/schemas/scenario-1.json")
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
