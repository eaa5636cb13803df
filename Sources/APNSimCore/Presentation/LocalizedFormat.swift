/// Puts `loc-args` into a localized string, as "Localized Formatted Strings" has it (Local and Push Notification
/// Programming Guide 2011-08-09): `%@` takes the next argument, `%n$@` the n-th from 1, `%%` is a percent sign.
///
/// Where the guide is silent:
/// - A `%n$@` does not move on what the next `%@` takes.
/// - An argument that is missing reads `(null)`, as `stringWithFormat:` writes an object that is not there.
/// - Arguments that nothing asks for are ignored.
/// - Anything else after a percent sign (`%d`, `%0$@`, one at the end) stays as it is written.
/// - The text ends at 64 KiB, so that no table can make a small payload large.
package struct LocalizedFormat {
  package private(set) var text = ""
  /// Findings that the author of the string or of the payload should know.
  package private(set) var remarks: [String] = []

  package static let maximumByteCount = 65_536
  private static let missing = "(null)"

  private let arguments: [String]
  private var used: [Bool]
  private var nextArgument = 0
  private var byteCount = 0
  private var missingSpecifier: String?
  private var unknownSpecifier: String?
  private var isCut = false

  package init(_ format: String, arguments: [String]) {
    self.arguments = arguments
    used = Array(repeating: false, count: arguments.count)
    let scalars = Array(format.unicodeScalars)
    var at = 0
    while at < scalars.count, !isCut {
      guard scalars[at] == "%" else {
        let plain = scalars[at...].prefix { $0 != "%" }
        append(Self.string(plain))
        at += plain.count
        continue
      }
      at = fill(scalars, at: at)
    }
    remark()
  }

  /// Replaces the specifier at `start`; returns where the text goes on.
  private mutating func fill(_ scalars: [Unicode.Scalar], at start: Int) -> Int {
    var at = start + 1
    var position: Int?
    while at < scalars.count, let digit = Self.digit(scalars[at]) {
      position = min((position ?? 0) * 10 + digit, 1 << 20)
      at += 1
    }
    if position != nil {
      // A number is a position only with a dollar sign after it; there is no position 0.
      if at < scalars.count, scalars[at] == "$" { at += 1 } else { position = 0 }
    }
    let conversion = at < scalars.count ? scalars[at] : nil
    switch (conversion, position) {
    case ("%", nil):
      append("%")
    case ("@", nil):
      append(argument(nextArgument, for: "%@ number \(nextArgument + 1)"))
      nextArgument += 1
    case ("@", let position?) where position > 0:
      append(argument(position - 1, for: "%\(position)$@"))
    default:
      let end = min(at + 1, start + 12, scalars.count)
      unknownSpecifier = unknownSpecifier ?? Self.string(scalars[start..<end])
      append("%")
      return start + 1
    }
    return at + 1
  }

  private mutating func argument(_ index: Int, for specifier: String) -> String {
    guard arguments.indices.contains(index) else {
      missingSpecifier = missingSpecifier ?? specifier
      return Self.missing
    }
    used[index] = true
    return arguments[index]
  }

  private mutating func append(_ piece: String) {
    var piece = piece[...]
    let room = Self.maximumByteCount - byteCount
    if piece.utf8.count > room {
      isCut = true
      while piece.utf8.count > room { piece = Self.shortened(piece, to: room) }
    }
    byteCount += piece.utf8.count
    text += piece
  }

  /// The text cut to `maximumByteCount`, the limit of formatted strings.
  package static func beginning(of text: String) -> String {
    text.utf8.count > maximumByteCount ? String(shortened(text[...], to: maximumByteCount)) : text
  }

  /// At most `count` bytes of a text, whole characters only.
  private static func shortened(_ text: Substring, to count: Int) -> Substring {
    var end = text.startIndex
    var bytes = 0
    for index in text.indices {
      bytes += text[index].utf8.count
      if bytes > count { break }
      end = text.index(after: index)
    }
    return text[..<end]
  }

  private mutating func remark() {
    if let missingSpecifier {
      remarks.append("loc-args has \(arguments.count) strings; \(missingSpecifier) has none and reads (null)")
    }
    let unused = used.count { !$0 }
    if unused > 0, !isCut {
      remarks.append("\(unused) of \(arguments.count) strings in loc-args have no place in the text")
    }
    if let unknownSpecifier {
      remarks.append("'\(unknownSpecifier)' is none of %@, %n$@ and %%; it stays as it is written")
    }
    if isCut { remarks.append("the text is cut at \(Self.maximumByteCount) bytes") }
  }

  private static func digit(_ scalar: Unicode.Scalar) -> Int? {
    ("0"..."9").contains(scalar) ? Int(scalar.value) - 0x30 : nil
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
