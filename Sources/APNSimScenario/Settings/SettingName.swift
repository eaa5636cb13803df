/// A setting's name in the three ways people write it.
package struct SettingName: Hashable, Sendable {
  /// The name in files: `badgeAbsent`.
  package let name: String

  package init(_ name: String) { self.name = name }

  /// The name as a flag: `--badge-absent`.
  package var flag: String { "--" + words(separatedBy: UInt8(ascii: "-")) }

  /// The name as an environment variable: `APNSIM_BADGE_ABSENT`.
  package var variable: String { "APNSIM_" + words(separatedBy: UInt8(ascii: "_")).uppercased() }

  /// The name's words in lower case: `badge-absent`. A capital begins a word, capitals in a row are one.
  private func words(separatedBy separator: UInt8) -> String {
    var words: [UInt8] = []
    var wasCapital = true
    for byte in name.utf8 {
      let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      if isCapital, !wasCapital { words.append(separator) }
      words.append(isCapital ? byte | 0x20 : byte)
      wasCapital = isCapital
    }
    return String(decoding: words, as: UTF8.self)
  }
}
