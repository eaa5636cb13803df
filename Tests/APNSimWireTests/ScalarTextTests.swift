import APNSimWire
import Testing

@Suite struct `Texts are changed by code points` {
  @Test(arguments: ["\u{301}", "\u{200D}", "\u{FE0F}", "", "x"])
  func `a quote is one in a shell's word, whatever combines with it`(mark: String) {
    let word = "a'\(mark); touch x; '\(mark)".inSingleQuotes
    #expect(word.isExactly(#"'a'\''\#(mark); touch x; '\''\#(mark)'"#))
  }

  @Test func `CR LF is two line ends`() {
    #expect("a\r\nb\rc\nd".onOneLine == #"a\r\nb\rc\nd"#)
    #expect("a\r\nb".withoutLineEnds == "a  b")
  }
}
