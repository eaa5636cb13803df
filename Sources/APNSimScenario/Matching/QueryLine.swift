package import APNSimCore

/// Reads a query in one line, as people type it: `topic:com.example.* alert~"order" status:8 !device:bob`.
///
/// Terms stand side by side and all must hold; `!` or `-` before one turns it around. A term is a field, an operator
/// and a value:
///
/// | operator | value | holds where the field |
/// |---|---|---|
/// | `:` | `bob` | is that; with a `*` in a value without quotes, is like that; `:*` alone: is there |
/// | `~` | `"order"`, `/^#[0-9]+$/` | has that in it; or has the regular expression in it |
/// | `^` | `Order` | begins with that |
/// | `>` `>=` `<` `<=` | `3` | is a number on that side |
/// | `#` | `2` | has so many elements, members or characters |
///
/// A field is one of the notification object's (`topic`, `status`, …) or a path into the payload
/// (`payload.aps.badge`); `badge` and `sound` are short for those of `aps`. `alert` is what the alert says: the alert
/// itself, or the `body` of one that is a dictionary; `alert.loc-key` and the like are members of the dictionary. Quotes
/// hold spaces, and `\"` and `\\` in them.
package enum QueryLine {
  /// The most characters of a line.
  package static let longest = 4096

  /// - Throws: `DocumentError` with the column of what is wrong, what was expected and found.
  package static func parse(_ line: String) throws(DocumentError) -> Query {
    var reader = QueryLineReader(line)
    return try reader.read()
  }
}
