/// The body of a request that has nothing to say: none, or `{}`.
package enum EmptyRequest {
  package static func read(_ text: String) throws(DocumentError) {
    try RequestText.read(text.isEmpty ? "{}" : text) { root in
      for entry in root.entries("no body, or an empty object") {
        entry.key.report("unknown key \"\(entry.name)\"; expected none")
      }
      return ()
    }
  }
}
