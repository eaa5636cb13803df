import APNSimCore
import APNSimTestSupport
import Testing

@Suite struct `A strings file` {
  @Test(arguments: [
    (#""key" = "value";"#, ["key": "value"]),
    (#"/* c */ "a"="1"; // x"# + "\n" + #""b" = "2";"#, ["a": "1", "b": "2"]),
    (#""a" = "1"; "a" = "2";"#, ["a": "2"]),
    (#"CFBundleName = "Game";"#, ["CFBundleName": "Game"]),
    (#""" = "";"#, ["": ""]),
    ("", [:]),
    ("  \r\n\t/* only this */", [:]),
    ("// no newline at the end", [:]),
    (#"/* a "quoted" = "comment"; */"#, [:]),
    (#""a/*b" = "c//d";"#, ["a/*b": "c//d"]),
    ("\"a\" = \"two\nlines\";", ["a": "two\nlines"]),
    (#""a" = "\"\'\\\n\r\t";"#, ["a": "\"'\\\n\r\t"]),
    (#""a" = "\U00e9\U20AC";"#, ["a": "é€"]),
    (#""a" = "\UD83D\UDE00!";"#, ["a": "😀!"]),
  ])
  func `a strings file is keys and values, comments and escapes`(text: String, entries: [String: String])
    throws
  {
    #expect(try LocalizableStrings.parse(Array(text.utf8)) == LocalizableStrings(entries))
  }

  @Test(arguments: [
    ("\"a\" \"b\";", "line 1, column 5: expected '=' after a key, found '\"'"),
    ("\"a\" = \"b\"\n\"c\" = \"d\";", "line 2, column 1: expected ';' after a value, found '\"'"),
    ("\"a\" = \"b\"", "line 1, column 10: expected ';' after a value, found the end of the file"),
    ("\n\n  = 1", "line 3, column 3: expected a key in quotes, found '='"),
    ("\"a\" = b;", "line 1, column 7: expected a value in quotes, found 'b'"),
    (
      "\r\n\"é\" = \"b;",
      "line 2, column 7: expected '\"' at the end of this string, found the end of the file"
    ),
    ("\r\r /* x *", "line 3, column 2: expected '*/' at the end of this comment, found the end of the file"),
    ("/*/", "line 1, column 1: expected '*/' at the end of this comment, found the end of the file"),
    (#""a" = "\q";"#, #"line 1, column 9: expected an escape (\" \' \\ \n \r \t \Uxxxx), found 'q'"#),
    (#""a" = "\U12g4";"#, #"line 1, column 12: expected four hex digits after \U, found 'g'"#),
    (#""a" = "\UDE00";"#, #"line 1, column 8: expected a high surrogate first, found '\UDE00'"#),
    (
      #""a" = "\UD83D";"#,
      #"line 1, column 14: expected the low surrogate (\UDC00 to \UDFFF) of '\UD83D', found '"'"#
    ),
    (
      #""a" = "\UD83D\U0041";"#,
      #"line 1, column 14: expected the low surrogate of '\UD83D', found '\U0041'"#
    ),
    (#""a" = "\"#, "line 1, column 9: expected an escaped character, found the end of the file"),
    ("\u{1}", "line 1, column 1: expected a key in quotes, found U+0001"),
  ])
  func `a strings file is refused with line, column, what was expected and what was there`(
    text: String,
    message: String
  ) {
    #expect(failure(Array(text.utf8)) == message)
  }

  @Test func `a strings file is UTF-8 with or without a mark, or UTF-16 of either order with one`() throws {
    let text = "\"clé\" = \"😀\";"
    let expected = LocalizableStrings(["clé": "😀"])
    let units = Array(text.utf16)
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    let little = units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let forms: [[UInt8]] = [
      Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFE, 0xFF] + big, [0xFF, 0xFE] + little,
    ]
    for bytes in forms { #expect(try LocalizableStrings.parse(bytes) == expected) }
  }

  @Test(
    arguments: [
      (Array("bplist00".utf8), "a binary property list (convert it with plutil)"),
      (Array("<?xml version=\"1.0\"?>".utf8), "an XML property list (convert it with plutil)"),
      ([0x22, 0, 0x61, 0], "a null byte"),
      ([0xFF, 0xFE, 0, 0, 0x22, 0, 0, 0], "UTF-32"),
    ] as [([UInt8], String)]
  )
  func `a strings file in another format is named for what it is`(bytes: [UInt8], found: String) {
    #expect(
      failure(bytes) == "line 1, column 1: expected UTF-8, or UTF-16 with a byte order mark, found \(found)"
    )
  }

  @Test(
    arguments: [
      (
        Array("\"a\"\n = \"".utf8) + [0xFF],
        "line 2, column 5: expected UTF-8, found bytes that are not UTF-8"
      ),
      ([0xFE, 0xFF, 0, 0x20, 0xD8, 0x3D], "line 1, column 2: expected UTF-16, found an unpaired surrogate"),
      ([0xFE, 0xFF, 0, 0x20, 0x20], "line 1, column 2: expected UTF-16, found half a character"),
    ] as [([UInt8], String)]
  )
  func `a strings file with bytes that are no text is refused where they are`(bytes: [UInt8], message: String)
  {
    #expect(failure(bytes) == message)
  }

  @Test func `a strings file may have a megabyte and no more`() throws {
    let room = LocalizableStrings.maximumByteCount
    #expect(try LocalizableStrings.parse(Array(repeating: 0x20, count: room)).count == 0)
    #expect(
      failure(Array(repeating: 0x20, count: room + 1))
        == "line 1, column 1: expected a file of at most 1048576 bytes, found more"
    )
  }

  @Test func `a strings file cut or changed anywhere is read or refused, never worse`() {
    let text = Array(#"/* c */ "a" = "\UD83D\UDE00%@\n"; // d"#.utf8) + [0x0A] + Array(#"b="2";"#.utf8)
    for end in text.indices { _ = try? LocalizableStrings.parse(Array(text[..<end])) }
    for index in text.indices {
      for byte in [0, 0x22, 0x5C, 0x2F, 0x80, 0xFF] as [UInt8] {
        var changed = text
        changed[index] = byte
        _ = try? LocalizableStrings.parse(changed)
      }
    }
  }

  @Test func `each strings file of the shipped fixtures is readable`() throws {
    #expect(try StringsFixture.parse("en").count == 5)
    #expect(try StringsFixture.parse("fr")["PLAY"] == "Jouer")
    #expect(try StringsFixture.parse("Spanish")["VIEW"] == "Ver")
  }

  private func failure(_ bytes: [UInt8]) -> String {
    do throws(LocalizableStringsError) {
      _ = try LocalizableStrings.parse(bytes)
      return "no error"
    } catch {
      return error.description
    }
  }
}
