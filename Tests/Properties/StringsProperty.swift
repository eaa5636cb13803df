import APNSimCore

/// A strings file is refused with a place in it, or read.
enum StringsProperty {
  static func violation(_ input: [UInt8]) -> String? {
    do throws(LocalizableStringsError) {
      let strings = try LocalizableStrings.parse(input)
      return strings.count <= input.count ? nil : "\(strings.count) strings of \(input.count) bytes"
    } catch {
      return error.line >= 1 && error.column >= 1 ? nil : "refused at \(error.line):\(error.column)"
    }
  }
}
