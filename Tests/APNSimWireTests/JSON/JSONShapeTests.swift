import APNSimWire
import Testing

/// One list of members makes both the text of a value and its schema.
@Suite struct `The shape of an object` {
  @Test func `A shape writes its members in their order, and leaves out what is optional and nil`() {
    #expect(
      Self.text(Book(title: "Dune", pages: nil, author: .unknown))
        == #"{"title":"Dune","pages":null,"by":"unknown","parts":[]}"#
    )
    let whole = Book(title: "Dune", pages: 412, author: .known, hint: "spice", parts: [Part(bytes: [0x0A])])
    #expect(
      Self.text(whole)
        == #"{"title":"Dune","pages":412,"by":"known","hint":"spice","parts":[{"bytes":"0a"}]}"#
    )
  }

  @Test func `The schema of a shape has types, null, words and what is always there from the types of Swift`()
  {
    var schemas = JSONSchemas()
    #expect(Book.schema(&schemas).description == ##"{"$ref":"#/components/schemas/Book"}"##)
    #expect(schemas.named.map(\.key) == ["Book"])
    #expect(
      schemas.named[0].value.description
        == #"{"description":"A book.","type":"object","properties":{"#
        + #""title":{"description":"On its back.","type":"string"},"#
        + #""pages":{"type":["integer","null"],"minimum":1},"#
        + #""by":{"type":"string","enum":["known","unknown"]},"#
        + #""hint":{"description":"For people.","type":"string"},"#
        + #""parts":{"type":"array","items":{"type":"object","properties":{"#
        + #""bytes":{"type":"string","pattern":"^(?:[0-9a-f]{2})*$"}},"required":["bytes"]},"maxItems":9}},"#
        + #""required":["title","pages","by","parts"]}"#
    )
  }

  @Test func `A part with a name is referred to, and one that may be absent has its members named instead`() {
    var schemas = JSONSchemas()
    _ = Loan.schema(&schemas)
    #expect(schemas.named.map(\.key) == ["Loan", "Book"])
    #expect(
      schemas.named[0].value.description
        == ##"{"allOf":[{"$ref":"#/components/schemas/Book"},{"type":"object","properties":{"##
        + ##""bytes":{"type":"string","pattern":"^(?:[0-9a-f]{2})*$"},"##
        + ##""next":{"description":"Who waits.","anyOf":[{"$ref":"#/components/schemas/Book"},{"type":"null"}]}},"##
        + ##""required":["next"]}]}"##
    )
  }

  private static func text(_ object: some JSONObject) -> String {
    var writer = JSONWriter()
    object.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

private enum Author: String, JSONWord { case known, unknown }

private struct Part: JSONObject {
  var bytes: [UInt8]

  static let shape = JSONShape<Self> {
    $0.member("bytes") { HexText($0.bytes) }
  }
}

private struct Book: JSONObject {
  var title: String
  var pages: UInt32?
  var author: Author
  var hint: String?
  var parts: [Part] = []

  static let shape = JSONShape<Self>("Book", "A book.") {
    $0.member("title", "On its back.") { $0.title }
    $0.member("pages", "", .least(1)) { $0.pages }
    $0.member("by") { $0.author }
    $0.optional("hint", "For people.") { $0.hint }
    $0.list("parts", counts: 0...9) { $0.parts }
  }
}

private struct Loan: JSONObject {
  var book: Book
  var part: Part?

  static let shape = JSONShape<Self>("Loan") {
    $0.members { $0.book }
    $0.optionalMembers { $0.part }
    $0.member("next", "Who waits.") { _ in nil as Book? }
  }
}
