import CYAML

/// A part of a YAML text: a value, or where several of them begin or end.
enum YAMLEvent {
  case scalar(Node.Scalar, anchor: String?)
  case alias(of: String, SourceLocation)
  case sequenceStart(SourceLocation, anchor: String?)
  case mappingStart(SourceLocation, anchor: String?)
  /// Of a sequence or a mapping.
  case collectionEnd
  case documentStart(SourceLocation)
  /// An event that no tree is made of: where the text begins and ends, and where its document ends.
  case boundary

  /// - Parameter event: has to be deleted afterwards.
  init(_ event: yaml_event_t) {
    let location = SourceLocation(event.start_mark)
    switch event.type {
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      // May contain zeros.
      let bytes = UnsafeBufferPointer(start: scalar.value, count: Int(clamping: scalar.length))
      let value = Node.Scalar(
        string: String(decoding: bytes, as: UTF8.self),
        style: Node.Scalar.Style(scalar.style),
        location: location
      )
      self = .scalar(value, anchor: Self.text(scalar.anchor))
    case YAML_ALIAS_EVENT: self = .alias(of: Self.text(event.data.alias.anchor) ?? "", location)
    case YAML_SEQUENCE_START_EVENT:
      self = .sequenceStart(location, anchor: Self.text(event.data.sequence_start.anchor))
    case YAML_MAPPING_START_EVENT:
      self = .mappingStart(location, anchor: Self.text(event.data.mapping_start.anchor))
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: self = .collectionEnd
    case YAML_DOCUMENT_START_EVENT: self = .documentStart(location)
    default: self = .boundary
    }
  }

  private static func text(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    bytes.map { String(cString: UnsafePointer($0)) }
  }
}

extension Node.Scalar.Style {
  fileprivate init(_ style: yaml_scalar_style_t) {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: self = .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: self = .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: self = .block
    default: self = .plain
    }
  }
}
