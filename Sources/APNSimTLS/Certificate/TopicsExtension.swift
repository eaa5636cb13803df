/// Apple's certificate extension 1.2.840.113635.100.6.3.6: the topics of a certificate that serves several.
///
/// ```
/// SEQUENCE {
///   UTF8String "com.example.app"       SEQUENCE { UTF8String "app" }
///   UTF8String "com.example.app.voip"  SEQUENCE { UTF8String "voip" }
///   …
/// }
/// ```
package struct TopicsExtension: Sendable, Hashable {
  package struct Topic: Sendable, Hashable {
    /// The bundle identifier, or one derived from it.
    package var name: String
    /// "app", "voip", "complication", …
    package var kind: String

    package init(name: String, kind: String = "app") {
      self.name = name
      self.kind = kind
    }
  }

  /// The maximum number of topics that are read from one certificate.
  package static let limit = 256

  package var topics: [Topic]

  package init(_ topics: [Topic]) { self.topics = topics }

  /// Decodes the extension's value; `nil` when it is not of the form above.
  package init?(der: [UInt8]) {
    let outer = DERReader.only(DERReader.octetString, in: der[...]) ?? der[...]
    guard let content = DERReader.only(DERReader.sequence, in: outer) else { return nil }
    var reader = DERReader(content)
    topics = []
    while !reader.isAtEnd {
      guard
        topics.count < Self.limit,
        let name = reader.next(), name.tag == DERReader.utf8String,
        let kinds = reader.next(), kinds.tag == DERReader.sequence
      else { return nil }
      var kindReader = DERReader(kinds.content)
      let kind = kindReader.next()
      // Bytes that are no UTF-8 are refused: with them replaced, one name could pass for another.
      guard kind == nil || kind?.tag == DERReader.utf8String,
        let name = String(validating: name.content, as: UTF8.self),
        let kind = String(validating: kind?.content ?? [], as: UTF8.self)
      else { return nil }
      topics.append(Topic(name: name, kind: kind))
    }
  }

  /// The extension's value in DER.
  package var der: [UInt8] {
    var content: [UInt8] = []
    for topic in topics {
      content += Self.element(DERReader.utf8String, Array(topic.name.utf8))
      content += Self.element(
        DERReader.sequence,
        Self.element(DERReader.utf8String, Array(topic.kind.utf8))
      )
    }
    return Self.element(DERReader.sequence, content)
  }

  private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    switch content.count {
    case ..<0x80: [tag, UInt8(content.count)] + content
    case ..<0x100: [tag, 0x81, UInt8(content.count)] + content
    default:
      // Three bytes of length are enough for ``limit`` topics of 255 bytes.
      [tag, content.count < 0x10000 ? 0x82 : 0x83]
        + (content.count < 0x10000 ? [8, 0] : [16, 8, 0]).map {
          UInt8(truncatingIfNeeded: content.count >> $0)
        }
        + content
    }
  }
}
