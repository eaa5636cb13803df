import APNSimCore
import Testing

@Suite struct `A localized format` {
  @Test(arguments: [
    ("%@ and %@ have invited you to play Monopoly", "Jenna and Frank have invited you to play Monopoly"),
    ("%2$@ and %1$@ have invited you to play Monopoly", "Frank and Jenna have invited you to play Monopoly"),
    ("100%% %@, %@", "100% Jenna, Frank"),
    ("%1$@ %1$@ %2$@", "Jenna Jenna Frank"),
    ("%2$@ %@ %@", "Frank Jenna Frank"),
    ("%@%@", "JennaFrank"),
    ("%01$@ %02$@", "Jenna Frank"),
    ("é%@😀%@", "éJenna😀Frank"),
  ])
  func `a localized format takes its arguments as the guide says`(format: String, text: String) {
    let filled = LocalizedFormat(format, arguments: ["Jenna", "Frank"])
    #expect(filled.text == text)
    #expect(filled.remarks == [])
  }

  @Test(arguments: [
    ("%@ %@ %@", "a b (null)", "loc-args has 2 strings; %@ number 3 has none and reads (null)"),
    ("%@ %@ %3$@", "a b (null)", "loc-args has 2 strings; %3$@ has none and reads (null)"),
    (
      "%@ %@ %99999999999999999999$@", "a b (null)",
      "loc-args has 2 strings; %1048576$@ has none and reads (null)"
    ),
    ("%@", "a", "1 of 2 strings in loc-args have no place in the text"),
    ("Hello", "Hello", "2 of 2 strings in loc-args have no place in the text"),
    ("%@ %@ %d", "a b %d", "'%d' is none of %@, %n$@ and %%; it stays as it is written"),
    ("%@ %@ 5%", "a b 5%", "'%' is none of %@, %n$@ and %%; it stays as it is written"),
    ("%@ %@ %0$@", "a b %0$@", "'%0$@' is none of %@, %n$@ and %%; it stays as it is written"),
    ("%@ %@ %1@", "a b %1@", "'%1@' is none of %@, %n$@ and %%; it stays as it is written"),
    ("%@ %@ %$@", "a b %$@", "'%$' is none of %@, %n$@ and %%; it stays as it is written"),
    ("%@ %@ %1$s", "a b %1$s", "'%1$s' is none of %@, %n$@ and %%; it stays as it is written"),
    ("%@ %@ %1$%", "a b %1$%", "'%1$%' is none of %@, %n$@ and %%; it stays as it is written"),
    ("%@ %@ %12$", "a b %12$", "'%12$' is none of %@, %n$@ and %%; it stays as it is written"),
  ])
  func `a localized format with missing, extra or malformed specifiers reads on and remarks`(
    format: String,
    text: String,
    remark: String
  ) {
    let filled = LocalizedFormat(format, arguments: ["a", "b"])
    #expect(filled.text == text)
    #expect(filled.remarks == [remark])
  }

  @Test func `a localized format does not read its arguments as formats`() {
    #expect(LocalizedFormat("%@ %@", arguments: ["%2$@", "100%%"]).text == "%2$@ 100%%")
  }

  @Test func `a localized format ends at 64 KiB on a whole character`() {
    let filled = LocalizedFormat(
      String(repeating: "%1$@", count: 1000),
      arguments: [String(repeating: "é", count: 1001)]
    )
    #expect(filled.text.utf8.count == LocalizedFormat.maximumByteCount)
    #expect(filled.remarks == ["the text is cut at 65536 bytes"])
    let odd = LocalizedFormat("x%@", arguments: [String(repeating: "é", count: 40_000)])
    #expect(odd.text.utf8.count == LocalizedFormat.maximumByteCount - 1)
  }

  @Test func `a localized format of any percent signs and digits never fails`() {
    let pieces = ["%", "$", "@", "0", "1", "9", "x"]
    for number in 0..<(7 * 7 * 7 * 7 * 7) {
      var rest = number
      let format = (0..<5).map { _ in
        defer { rest /= 7 }
        return pieces[rest % 7]
      }
      _ = LocalizedFormat(format.joined(), arguments: ["a"])
    }
  }
}
