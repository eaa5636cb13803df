package import APNSimWire

/// A scripted provider's note among its answers where none came, as `answers` of an expectation has it.
package enum SeenFrame {
  /// `RST_STREAM REFUSED_STREAM`.
  package static func reset(_ code: HTTP2Code) -> String { "RST_STREAM \(code.name)" }

  /// `GOAWAY NO_ERROR 5`, with the debug data after it where there is any.
  package static func goAway(_ lastStream: UInt32, _ code: HTTP2Code, _ debug: some Collection<UInt8>)
    -> String
  {
    let text = String(decoding: debug, as: UTF8.self)
    return "GOAWAY \(code.name) \(lastStream)" + (text.isEmpty ? "" : " \(text)")
  }

  /// `SETTINGS 1`: another number of streams that may be open at once; `SETTINGS` for the usual one.
  package static func maxStreams(_ count: Int?) -> String { "SETTINGS" + (count.map { " \($0)" } ?? "") }

  /// True for what stands for a frame, be it expected or noted; false for an answer.
  static func isFrame(_ text: String) -> Bool {
    frames.contains { text.hasPrefix($0) }
  }

  private static let frames = ["RST_STREAM", "GOAWAY", "SETTINGS"]

  /// The words of answers and frames.
  static let words =
    frames + HTTP2Code.names + ReasonRow.all.flatMap { [$0.name] + ($0.documentedName.map { [$0] } ?? []) }

  /// The first word of an expected answer that no answer has, and no frame; nil where each may be there. The debug data of
  /// GOAWAY may be anything.
  static func impossibleWord(in answer: String) -> String? {
    let parts = answer.split(separator: " ").map(String.init)
    guard let first = parts.first else { return answer }
    let rest = parts.dropFirst()
    switch first {
    case "GOAWAY": return nil
    case "RST_STREAM":
      let code = rest.joined(separator: " ")
      return code.isEmpty || HTTP2Code(spelled: code) != nil ? nil : code
    case "SETTINGS": return rest.first { UInt32($0) == nil }
    default:
      return parts.first { word in
        UInt16(word).map { !(100...599 ~= $0) } ?? (Reason(name: word) == nil)
      }
    }
  }

  /// True where an expected answer means what was noted: its words stand there, in their order. `410`, `Unregistered` and
  /// `410 Unregistered` all mean the answer `410 Unregistered`, and `GOAWAY 5` any that names stream 5.
  static func means(_ expected: String, _ noted: String) -> Bool {
    var words = expected.split(separator: " ")[...]
    for word in noted.split(separator: " ") where words.first == word { words.removeFirst() }
    return words.isEmpty
  }
}
