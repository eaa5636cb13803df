import APNSimCore
import CPage

/// A file of the page.
package struct PageAsset: Sendable {
  package let bytes: [UInt8]
  /// Its media type.
  package let type: String
  /// The entity tag, in quotes: the same for the same bytes.
  package let tag: String

  fileprivate init(_ path: String, _ bytes: [UInt8]) {
    self.bytes = bytes
    type = Self.types[String(path.drop { $0 != "." }.dropFirst())] ?? "application/octet-stream"
    tag =
      "\"\(String(bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16))\""
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
  ]
}

/// The files of the page, which are part of the program.
package enum PageAssets {
  /// By their path below the folder of assets: `lib/dom.js`.
  package static let all: [String: PageAsset] = {
    var count = 0
    let table = UnsafeBufferPointer(start: apnsim_page_assets(&count), count: count)
    var all: [String: PageAsset] = [:]
    for row in table {
      let path = String(String(cString: row.path).dropFirst(folder.count))
      all[path] = PageAsset(path, Array(UnsafeBufferPointer(start: row.bytes, count: row.length)))
    }
    return all
  }()

  private static let folder = "assets/"

  /// The page itself, with its placeholders.
  static let shell = String(decoding: all["index.html"]?.bytes ?? [], as: UTF8.self)
}
