import APNSimWire

/// The JSON Schema (draft 2020-12) of scenario files, made of the tables that their reader goes by.
///
/// It accepts what the reader accepts, and refuses what can be seen without what the rest of a file says: an editor
/// completes and checks by it.
package enum ScenarioSchema {
  /// As it is printed, served and kept in `fixtures/schemas`.
  package static let text = SchemaText().lines(document).joined(separator: "\n") + "\n"

  /// Its name, which is no address: nothing has to be fetched.
  private static let identifier = "urn:apnsim:schema:scenario-1"

  private static let document: JSONValue = {
    var definitions = SchemaDefinitions()
    let root = definitions.members(of: ScenarioFile.noun)
    return .object(
      [
        .init("$schema", "https://json-schema.org/draft/2020-12/schema"), .init("$id", identifier),
        .init("title", "An apnsim scenario, version 1"),
      ] + root + [JSONValue.Member(key: "$defs", value: .object(definitions.sorted))]
    )
  }()
}
