import APNSimCore
import APNSimWire

/// Reads what a connection of the traffic is to have seen: `{ connection: a, received: "08…", ending: close }`.
enum ConnectionTestReader {
  static func read(_ fields: Fields, _ draft: inout ScenarioDraft) -> ScriptCheck? {
    guard let place = fields.require("connection"),
      let name = place.text("the name of a connection of the traffic")
    else { return nil }
    draft.noteConnection(place)
    var test = ConnectionTest()
    test.received = fields["received"].flatMap { $0.hexBytes("what was received") }
    test.ending = fields["ending"].flatMap { $0.choice("the ending", of: TrafficEnding.self) }
    test.alert = fields["alert"]?.integer("the TLS alert", 1...255).map { UInt8(clamping: $0) }
    test.records = fields["records"].flatMap { CountReader.read($0) }
    test.tuples = fields["tuples"].flatMap { CountReader.read($0) }
    for count in ConnectionCount.allCases {
      guard let wanted = fields[count.rawValue].flatMap({ CountReader.read($0) }) else { continue }
      test.counts.append(ConnectionTest.Count(name: count, test: wanted))
    }
    guard test != ConnectionTest() else {
      let keys =
        ["received", "ending", "alert", "records", "tuples"] + ConnectionCount.allCases.map(\.rawValue)
      if keys.allSatisfy({ fields[$0] == nil }) {
        fields.value.report("an expectation about a connection needs \(Enumeration.of(keys))")
      }
      return nil
    }
    let text = "line \(fields.value.location.line): connection \(name)"
    return ScriptCheck(subject: .connection(name, test), text: text)
  }
}
