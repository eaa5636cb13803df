import APNSimCore

@testable import APNSimScenario

/// The table of faults in the scenarios' README, made of the rows of the catalogue.
enum FaultTable {
  static let head = "| `fault:` | what happens |\n|---|---|\n"

  static let text = head + FaultKind.allCases.map { "| \($0.forms) | \($0.sentence) |\n" }.joined()

  /// A document with the table as it is, and as it has to be.
  static func tables(in document: String) -> (found: String, document: String)? {
    guard let start = document.firstRange(of: head)?.lowerBound else { return nil }
    let end = document[start...].firstRange(of: "\n\n")?.lowerBound ?? document.endIndex
    let found = String(document[start..<end]) + "\n"
    let before = String(document[..<start])
    return (found, before + String(text.dropLast()) + String(document[end...]))
  }
}

extension FaultKind {
  /// ``swallow``, ``{ latency: 200ms }``: by its name alone where it can stand so, and with what it takes.
  fileprivate var forms: String {
    let alone = standsAlone ? ["`\(name)`"] : []
    return (alone + (example == name ? [] : ["`{ \(example) }`"])).joined(separator: ", ")
  }

  /// Its meaning as the rest of a row: `over HTTP/2: no PING is answered`.
  fileprivate var sentence: String {
    let place = listeners == [.http2] ? "over HTTP/2: " : ""
    let isWord = meaning.dropFirst().first.map { !$0.isUppercase } ?? false
    let first = isWord ? meaning.prefix(1).lowercased() : String(meaning.prefix(1))
    return place + first + meaning.dropFirst().dropLast() + details
  }
}
