import APNSimSystem

/// Reads the text of a file, or of stdin for `-`, no more of it than is allowed.
package enum DocumentFile {
  /// The file's name in errors.
  package static func name(of path: String) -> String { path == "-" ? "stdin" : path }

  /// - Throws: `DocumentError` that says why the file cannot be read or is none of ours.
  package static func text(of path: String) throws(DocumentError) -> String {
    func refuse(_ message: String) -> DocumentError {
      let source = SourceText(name: name(of: path), text: "")
      return DocumentError(
        source: source,
        problems: [DocumentProblem(location: .start, message: message)],
        omitted: 0
      )
    }
    guard path == "-" || !SystemPath.isDirectory(path) else { throw refuse("is a directory") }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SystemPath.bytes(of: path, upTo: DocumentLimits.bytes + 1)
    } catch {
      throw refuse("cannot be read: \(error.text)")
    }
    guard bytes.count <= DocumentLimits.bytes else {
      throw refuse("the file is larger than \(DocumentLimits.bytes >> 20) MiB")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw refuse("is not UTF-8 text") }
    return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
  }
}
