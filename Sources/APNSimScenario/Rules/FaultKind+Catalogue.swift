package import APNSimCore
package import APNSimWire

extension FaultKind {
  /// The rule that its example makes.
  package var exampleRule: Rule? {
    let text = "fault: \(example == name ? name : "{ \(example) }")"
    return (try? Document(text: text, name: name)).flatMap { RuleReader.ofRules.read($0.root, nil) }
  }

  /// Writes what the catalogue says of it: `"name":"latency","family":"connection",…`.
  /// - Parameter preview: of ``exampleRule``.
  package func writeMembers(of family: FaultFamily, _ preview: FaultPreview, to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("family", family.rawValue)
    writer.member("interfaces", listeners.map(\.rawValue))
    writer.list("parameters", parameters.all) { $0.writeMembers(to: &$1) }
    writer.member("example", example)
    writer.member("meaning", meaning)
    writer.list("sees", preview.sees) { $0.writeMembers(to: &$1) }
    writer.member("advice", preview.advice)
    writer.list("page", page) { $0.writeMembers(to: &$1) }
  }
}

extension FaultParameter {
  /// `"key":"pause","kind":"span","required":false`; a fault's only value has no key.
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    if !key.isEmpty { writer.member("key", key) }
    switch kind {
    case .count(let range):
      writer.member("kind", "count")
      writer.member("least", range.lowerBound)
      writer.member("most", range.upperBound)
    case .span: writer.member("kind", "duration")
    case .trigger:
      writer.member("kind", "trigger")
      writer.member("values", ["now"] + FaultKind.triggerNoun.keys)
    case .refusal:
      writer.member("kind", "refusal")
      writer.member("values", FaultArgumentReader.refusalNames)
    case .reason: writer.member("kind", "reason")
    case .flag: writer.member("kind", "flag")
    case .choice(let names):
      writer.member("kind", "choice")
      writer.member("values", names)
    case .code:
      writer.member("kind", "code")
      writer.member("values", HTTP2Code.names)
    case .lastStream:
      writer.member("kind", "lastStream")
      writer.member("values", ["exact", "below", "zero"])
    case .text: writer.member("kind", "text")
    }
    writer.member("required", isRequired)
  }
}
