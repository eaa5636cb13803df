import APNSimCore
import APNSimWire

extension Value {
  /// An app's bundle ID as a topic.
  func topic() -> String? {
    guard let text = text("a topic, such as com.example.app") else { return nil }
    guard accepts(AppKey.isTopic(text)) else {
      mismatch(AppKey.expectedTopic)
      return nil
    }
    return text
  }

  /// A device token, or the word `issued` for one that the simulator makes.
  func deviceToken() -> TokenSource? {
    if scalar == "issued" { return .issued }
    return token(sizes: 1...100).map { .given($0) }
  }

  /// A token's bytes from hex digits.
  func token(sizes: ClosedRange<Int>) -> [UInt8]? {
    guard let text = text("a token in hex digits") else { return nil }
    let digits = text.utf8.count
    if let position = text.unicodeScalars.firstIndex(where: { !$0.properties.isASCIIHexDigit }) {
      let number = text.unicodeScalars.distance(from: text.startIndex, to: position) + 1
      report(
        """
        expected a token in hex digits, found "\(text.unicodeScalars[position])" \
        as character \(number) of \(text.unicodeScalars.count)
        """
      )
      return nil
    }
    guard digits.isMultiple(of: 2) else {
      report("expected an even number of hex digits (64 for the usual token), found \(digits)")
      return nil
    }
    guard accepts(sizes.contains(digits / 2)), let bytes = Hex.decode(text) else {
      report(
        "expected a token of \(sizes.lowerBound) to \(sizes.upperBound) bytes, found \(digits / 2) bytes"
      )
      return nil
    }
    return bytes
  }

  /// A date and time; in a strict document not in seconds since 1970.
  func timestamp(_ subject: String) -> Timestamp? {
    let isRefused = isNull || problems.isStrict && scalar.flatMap { Int64($0) } != nil
    guard let moment = scalar.flatMap({ Timestamp($0) }), !isRefused else {
      mismatch("a time for \(subject), such as 2012-06-01T00:00:00Z")
      return nil
    }
    return moment
  }

  /// A time as the protocol carries it, in a feedback tuple or as an expiry: four bytes that count seconds since 1970.
  func wireTime(_ subject: String) -> Timestamp? {
    let times = Timestamp(seconds: 0)..<Timestamp(seconds: Int64(UInt32.max) + 1)
    guard let moment = timestamp(subject) else { return nil }
    guard accepts(times.contains(moment)) else {
      mismatch("a time for \(subject) from 1970-01-01T00:00:00Z to 2106-02-07T06:28:15Z")
      return nil
    }
    return moment
  }

  func timeSpan(_ subject: String) -> TimeSpan? {
    guard let span = scalar.flatMap({ TimeSpan($0) }), !isNull else {
      mismatch("a duration for \(subject), such as 300ms, 5s, 10m, 2h or 28d")
      return nil
    }
    return span
  }
}
