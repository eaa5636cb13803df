/// The reason why bytes cannot be compressed or decompressed, in zlib's words.
package struct GzipError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}
