extension Unicode.Scalar {
  /// True if the scalar is one of the three beyond ASCII that are canonically equivalent to one within (Unicode's
  /// canonical singletons): U+037E is `;`, U+1FEF is a grave accent, U+212A is `K`.
  package var isSameAsASCII: Bool { self == "\u{037E}" || self == "\u{1FEF}" || self == "\u{212A}" }
}
