import APNSimWire
import Testing

/// The examples of four editions of the guide, as printed and repaired.
struct GuideExampleTests {
  /// The trailing commas that Apple printed: the offset of what follows instead of a name.
  static let broken = [
    "chapter-2012-example-2", "chapter-2012-example-4", "chapter-2013-example-2",
    "guide-2010-08-03-example-2",
    "guide-2010-08-03-example-4", "guide-2011-08-09-example-4",
  ]

  @Test func `an example is refused if and only if it has a trailing comma`() throws {
    let names = try Fixture.names(in: "payloads", extension: "json")
    #expect(names.count == 21)
    for name in names {
      let bytes = try Fixture.data("payloads/\(name).json")
      let verdict = judge(bytes)
      guard Self.broken.contains(name) else {
        #expect(verdict.problem == .none, "\(name)")
        continue
      }
      #expect(verdict.problem == .expectedKey, "\(name)")
      #expect(bytes[verdict.offset] == UInt8(ascii: "}"), "\(name)")
      let description = PayloadDiagnosis(verdict, payload: bytes).description
      #expect(description == "at offset \(verdict.offset): expected a string after ',', found '}'")
    }
  }

  @Test func `the repaired examples mean what was meant`() throws {
    let poker = try JSONValue.parse(try Fixture.data("payloads/repaired-example-2.json"))
    #expect(poker["aps.badge"]?.intValue == 5)
    #expect(poker["aps.alert.action-loc-key"]?.stringValue == "PLAY")
    #expect(poker["acme2.1"]?.stringValue == "whiz")
    let game = try JSONValue.parse(try Fixture.data("payloads/repaired-example-4.json"))
    #expect(game["aps.alert.loc-args"]?.arrayValue == [.string("Jenna"), .string("Frank")])
  }

  @Test func `the edition of 2011 has custom values inside aps in example 2`() throws {
    let value = try JSONValue.parse(try Fixture.data("payloads/guide-2011-08-09-example-2.json"))
    #expect(value["aps.acme1"] == .string("bar"))
    #expect(value["acme1"] == nil)
  }

  @Test func `an empty aps is fine`() throws {
    let facts = judge(try Fixture.data("payloads/guide-2010-08-03-example-5.json")).facts
    #expect(facts.hasAPS)
    #expect(!facts.hasBadge)
  }
}
