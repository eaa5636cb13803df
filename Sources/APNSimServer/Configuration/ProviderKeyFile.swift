package import APNSimTLS
import APNSimWire

/// A key as a setting names it: `FILE` or `FILE:TEAM`, or its text in PEM in the place of the file.
package struct ProviderKeyFile: Hashable, Sendable {
  package var path: String
  /// Nil where tokens of any team are good.
  package var team: String?

  package init(_ text: String) {
    path = text
    guard let colon = text.lastIndex(of: ":") else { return }
    let suffix = text[text.index(after: colon)...]
    guard !suffix.isEmpty, suffix.utf8.count <= 64, suffix.allSatisfy({ $0.isLetter || $0.isNumber }) else {
      return
    }
    (path, team) = (String(text[..<colon]), String(suffix))
  }

  /// True where the key itself is given.
  package var isText: Bool { KeyText.hasMark(path) }

  /// The words by which messages name it.
  package var name: String { isText ? "authKey" : path }

  /// The key's identifier, which the name of its file has; nil for another name.
  package var id: String? { isText ? nil : PKIDirectory.providerKeyID(ofFile: path) }

  /// - Throws: `TLSSetupError` for a file that cannot be read or is no key.
  package func key() throws(TLSSetupError) -> ProviderKey {
    isText ? try ProviderKey.read(text: Array(path.utf8), from: name) : try ProviderKey.read(path)
  }
}
