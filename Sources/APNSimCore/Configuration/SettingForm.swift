/// The values that a setting may have, for programs: what `values` says for people.
package enum SettingForm: Hashable, Sendable {
  /// Any text that the setting understands.
  case text
  /// One of some words.
  case choice([String])
  /// On or off, also as true, yes, false, no.
  case toggle
  /// A whole number within a range.
  case number(ClosedRange<Int>)
  /// A length of simulated time.
  case span
  /// Some of some words, with commas between them; `empty` stands for none of them.
  case names([String], empty: String?)
  /// Some of these numbers, with commas between them, and one at least.
  case numbers(ClosedRange<Int>)
}
