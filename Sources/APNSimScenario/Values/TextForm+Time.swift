import APNSimCore

/// The forms of spans and moments (``TimeSpan``, ``Timestamp``).
extension TextForm {
  private static let span = #"(?:[0-9]+(?:\.[0-9]{1,9})?(?:ms|s|m|h|d))+"#
  private static let monthAndDay =
    "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))"
  private static let clock = #"[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?"#
  private static let offset = "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
  private static let moment = "[0-9]{4}-\(monthAndDay)(?:\(clock)\(offset)?)?"
  private static let seconds = "[+-]?(?:[0-9]{1,3}|[0-9]{5,19})"
  /// 1970-01-01T00:00:00Z to 2106-02-07T06:28:15Z, as far as the date and the sign of the offset say it.
  private static let wireMoment =
    "(?:(?:19[7-9][0-9]|20[0-9]{2}|210[0-6])-\(monthAndDay)(?:\(clock)\(offset)?)?"
    + "|1969-12-31\(clock)-(?:[01][0-9]|2[0-3]):[0-5][0-9])"

  static let duration = TextForm(
    "duration",
    "a duration, such as 300ms, 5s, 10m, 2h, 28d or 1h30m",
    pattern: "(?:0|\(span))",
    numbers: .whole("0", "0"),
    examples: ["300ms", "5s", "10m", "2h", "28d"]
  )

  static let age = TextForm(
    "age",
    "a duration, such as 61m, or one ahead of now, such as -61m",
    pattern: "-?(?:0|\(span))",
    numbers: .whole("0", "0"),
    examples: ["61m", "-61m"]
  )

  static let time = TextForm(
    "time",
    "a time, such as 2012-06-01T00:00:00Z, or seconds since 1970",
    pattern: "(?:\(seconds)|\(moment))",
    numbers: .whole("-9223372036854775808", "9223372036854775807"),
    examples: ["2012-06-01T00:00:00Z"]
  )

  static let wireTime = TextForm(
    "wireTime",
    "a time from 1970-01-01T00:00:00Z to 2106-02-07T06:28:15Z, or seconds since 1970",
    pattern: "(?:\\+?(?:[0-9]{1,3}|[0-9]{5,10})|\(wireMoment))",
    numbers: .whole("0", "4294967295"),
    examples: ["2012-06-01T00:00:00Z"]
  )

  static let expiry = TextForm(
    "expiry",
    "an expiry as seconds since 1970, as a time such as 2012-06-02T00:00:00Z, as a duration such as 1h, or none",
    pattern: "(?:none|\(span)|[+-]?[0-9]{1,10}|\(wireMoment))",
    numbers: .whole("-2147483648", "4294967295"),
    examples: ["1h", "none"],
    request: InRequest(takesNumbers: true)
  )

  static let tokenLife = TextForm(
    "tokenLife",
    "a duration such as 8h, or a time such as 2012-06-01T00:00:00Z, after which the token expires",
    pattern: "(?:\(span)|\(seconds)|\(moment))",
    numbers: .whole("-9223372036854775808", "9223372036854775807"),
    examples: ["8h"]
  )

  static let pastMoment = TextForm(
    "moment",
    "a time such as 2012-06-01T00:00:00Z, or a duration such as 2h ago",
    pattern: "(?:(?:0|\(span)) ago|\(seconds)|\(moment))",
    numbers: .whole("-9223372036854775808", "9223372036854775807"),
    examples: ["2h ago"]
  )

  static let clockSetting = TextForm(
    "clockSetting",
    "real, virtual or virtual@TIME, such as virtual@2012-06-01T00:00:00Z",
    pattern: "(?:real|virtual(?:@(?:\(seconds)|\(moment)))?)",
    examples: ["real", "virtual"]
  )
}

extension ValueKind {
  static let duration = ValueKind.form(.duration)
}
