import Foundation

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
    let data: Data
    do {
      var isDirectory: ObjCBool = false
      if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
        throw refuse("is a directory")
      }
      let handle =
        path == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { if path != "-" { try? handle.close() } }
      data = try handle.read(upToCount: DocumentLimits.bytes + 1) ?? Data()
    } catch let error as DocumentError {
      throw error
    } catch {
      throw refuse("cannot be read: \(FileFailure.reason(error))")
    }
    guard data.count <= DocumentLimits.bytes else {
      throw refuse("the file is larger than \(DocumentLimits.bytes >> 20) MiB")
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw refuse("is not UTF-8 text")
    }
    return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
  }
}
