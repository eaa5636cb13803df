import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `A regular expression` {
  /// Whether it is found in a text, which is the same whether that is a string or, in ASCII, bytes.
  private func finds(_ pattern: Pattern, in text: String) -> Bool {
    let isFound = pattern.isFound(in: text)
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      #expect(Array(text.utf8).withUnsafeBytes { pattern.isFound(in: $0) } == isFound, "\(text)")
    }
    return isFound
  }

  @Test(arguments: [
    ("order #[0-9]+", "your order #17 is ready", true), ("order #[0-9]+", "your order #x is ready", false),
    ("^$", "", true), ("^$", "x", false), ("$^", "", true), ("$^", "x", false), ("", "", true),
    ("", "x", true),
    ("a$", "ba", true), ("a$", "ab", false), ("^b", "ab", false), ("x|^b$", "b", true),
    ("(^a|b)c", "xac", false),
    ("(?i)straße", "STRAßE", true), ("(?i)É+", "caféé", true), ("[^é]x", "éx", false), ("[^é]x", "ex", true),
    ("[à-ö]{2}", "xéè", true), ("[à-ö]{2}", "éxè", false), (".☕.", "a☕b", true), (".☕.", "☕b", false),
    ("[b-\u{D7FF}]", "\u{E000}", false), ("[b-\u{D7FF}]", "\u{D7FF}", true),
    ("[^\u{E000}]", "\u{E000}", false),
    ("\\W", "é", true), ("(?i)[^k]", "K", false), ("(?i)k", "\u{212A}", true), ("(?i)[a-c]x", "BX", true),
    ("a.c", "a\nc", false), ("\\d{2,3}$", "1234", true), ("^\\d{2,3}$", "1234", false),
    ("order", "my order", true), ("^order", "my order", false), ("order$", "my order", true),
    ("a+b", "xaaab", true), ("a{2,3}b", "ab", false), ("a{2}", "aa", true), ("^#[0-9]+$", "#12", true),
    ("^#[0-9]+$", "#1a", false), ("colou?r", "color", true), ("(?i)ORDER", "order", true),
    ("a|b|c", "xc", true),
    ("(ab)+c", "ababc", true), ("[^a-z]", "abc", false), (#"\d\d:\d\d"#, "at 12:30", true),
    (#"\S+@\w+"#, "a@b", true),
    ("é", "café", true), ("[]a]", "]", true), ("x*", "", true),
    ("(?:a|b){2}$", "ab", true), ("^[[:alpha:]]+$", "Order", true), ("[[:digit:]_-]", "order", false),
    (#"^[\D]$"#, "1", false), (#"^[\D]$"#, "\u{10FFFF}", true), (#"^[\D]$"#, "\u{E000}", true),
    (#"^[\W_]+$"#, "é_ !", true), (#"[\W_]"#, "aZ9", false), (#"^[\S\t]$"#, " ", false),
    (#"[^\D]"#, "x", false),
    (#"^[^\D]$"#, "7", true), (#"[\s-]"#, "a-b", true),
    ("[^[:space:][:punct:]]", " .!", false), ("(?i)[[:upper:]]", "a", true),
    ("[[:xdigit:]]{2}", "fF", true), ("[a[]", "[", true),
  ])
  func `a regular expression is found where it says`(source: String, text: String, isFound: Bool) throws {
    #expect(finds(try Pattern(source), in: text) == isFound)
  }

  @Test func `a regular expression is found where the standard library finds it, random as both may be`()
    throws
  {
    var random = SeededGenerator(seed: 20)
    var found = 0
    for _ in 0..<600 {
      let source = expression(depth: 3, &random)
      let pattern = try Pattern(source)
      let standard = try Regex(source).matchingSemantics(.unicodeScalar)
      for _ in 0..<12 {
        let text = String((0..<Int.random(in: 0...9, using: &random)).map { _ in letter(&random) })
        let isFound = try standard.firstMatch(in: text) != nil
        found += isFound ? 1 : 0
        #expect(finds(pattern, in: text) == isFound, "/\(source)/ in \"\(text)\"")
        #expect(!isFound || has(text, pattern.literal), "/\(source)/ in \"\(text)\"")
      }
    }
    #expect((500...6700).contains(found), "both kinds of answers are among them")
  }

  private func has(_ text: String, _ literal: [UInt8]) -> Bool {
    Array(text.utf8).withUnsafeBytes { ByteSearch.find(literal, in: $0) }
  }

  @Test(arguments: [
    ("order #[0-9]+", "order #"), ("[a-z ]+o.{3,9}zz", "zz"), ("ab+cd", "ab"), ("ab*cd", "cd"),
    ("a(b(cd){1}e)f?", "abcde"), ("a{3}bb", "bb"), ("xx|xy", ""), ("x(a|b)yz", "yz"), ("(?i)order", ""),
    ("^abc$", "abc"), ("[a][b]", "ab"), ("caffè?", "caff"), (#"\.\*"#, ".*"), (".*", ""), ("", ""),
  ])
  func `a regular expression knows the longest text that it cannot do without`(
    source: String,
    literal: String
  ) throws {
    #expect(try Pattern(source).literal == Array(literal.utf8))
  }

  /// The last but ninth letter is an a: a state for each of the ways in which nine letters can be.
  @Test func `a regular expression of very many states is followed beyond those that are written out`() throws
  {
    let source = "a[ab]{9}$"
    let pattern = try Pattern(source)
    var random = SeededGenerator(seed: 21)
    for _ in 0..<300 {
      let text = (0..<40).map { _ in Bool.random(using: &random) ? "a" : "b" }.joined()
      #expect(finds(pattern, in: text) == (Array(text)[30] == "a"))
    }
  }

  @Test func `a regular expression with much to repeat is made ready all the same`() throws {
    let letters = String(repeating: "x", count: 900)
    let pattern = try Pattern("(\(letters)|[a-z]{1,30})!")
    #expect(finds(pattern, in: "\(letters)!"))
    #expect(finds(pattern, in: "abc!"))
    #expect(!finds(pattern, in: letters))
  }

  @Test(arguments: [
    ("(", 1, "expected a closing parenthesis, found the end"),
    (")", 0, #"expected the end or an opening parenthesis before, found ")""#),
    ("[a", 2, "expected a closing bracket, found the end"),
    ("*", 0, #"expected something to repeat, found "*""#),
    ("a**", 2, #"expected something to repeat, found "*""#),
    ("a{3,2}", 4, #"expected a number from 3 on, found "2""#),
    (
      #"\q"#, 1,
      #"expected \d, \w, \s, \n, \r, \t, or a character that is no letter or digit, found "q""#
    ),
    ("(?=a)", 2, #"expected ":", since there are groups only, no look around, found "=""#),
    ("[z-a]", 3, #"expected a character from "z" on, found "a""#),
    ("a{9999}", 2, #"expected at most 1000 times, found "9999""#),
    ("a{1,12345678901234567890}", 4, #"expected at most 1000 times, found "123456789012""#),
    ("((a{1000}){1000}){9}", 0, "expected at most 1000 steps with all repetitions, found more"),
    (String(repeating: "(", count: 51), 50, #"expected at most 50 groups within one another, found "(""#),
    (String(repeating: "a", count: 1001), 0, "expected at most 1000 characters, found 1001"),
    (#"[!-\d]"#, 3, #"expected a single character, found "\d""#),
    (#"[!-\W]"#, 3, #"expected a single character, found "\W""#),
  ])
  func `a regular expression says where and what is wrong with it`(
    _ source: String,
    _ offset: Int,
    _ expected: String
  ) throws {
    let error = try #require(throws: PatternError.self) { try Pattern(source) }
    #expect(error.offset == offset)
    #expect(error.description == "at character \(offset + 1): \(expected)")
  }

  @Test func `a regular expression takes steps for each character and no more, whatever it is`() throws {
    // A backtracking engine would not end within the age of the universe.
    let text = String(repeating: "a", count: 4000) + "!"
    #expect(!finds(try Pattern("^(a+)+$"), in: text))
    #expect(!finds(try Pattern("(a|aa)+$"), in: text))
  }

  private func letter(_ random: inout SeededGenerator) -> Character {
    let letters: [Character] = ["a", "b", "c", "é", "☕"]
    return letters[Int.random(in: letters.indices, using: &random)]
  }

  private func expression(depth: Int, _ random: inout SeededGenerator) -> String {
    guard depth > 0 else { return String(letter(&random)) }
    func part() -> String { expression(depth: depth - 1, &random) }
    switch Int.random(in: 0..<14, using: &random) {
    case 0...3: return part() + part()
    case 4: return "(?:\(part())|\(part()))"
    case 5: return "(?:\(part()))*"
    case 6: return "(?:\(part()))+"
    case 7: return "(?:\(part()))?"
    case 8: return "(?:\(part())){1,2}"
    case 9: return "."
    case 10: return "[\(letter(&random))\(letter(&random))]"
    case 11: return "[^\(letter(&random))]"
    case 12: return "^\(part())"
    default: return "\(part())$"
    }
  }
}
