import APNSimCore
import Testing

@Suite struct `A duration` {
  @Test(arguments: [
    ("0", 0, "0"), ("300ms", 300, "300ms"), ("5s", 5000, "5s"), ("1500ms", 1500, "1s500ms"),
    ("10m", 600_000, "10m"), ("2h", 7_200_000, "2h"), ("28d", 2_419_200_000, "28d"),
    ("1h30m", 5_400_000, "1h30m"), ("30m1h", 5_400_000, "1h30m"), ("90s", 90_000, "1m30s"),
    ("0.5s", 500, "500ms"),
    ("1.5h", 5_400_000, "1h30m"), ("0.001s", 1, "1ms"), ("1.000s", 1000, "1s"),
    ("1.5m0.25s", 90_250, "1m30s250ms"),
    ("9223372036854775807ms", Int64.max, "106751991167d7h12m55s807ms"), ("007s", 7000, "7s"),
  ])
  func `a duration is read as people write it and written in its shortest form`(
    text: String,
    milliseconds: Int64,
    written: String
  ) {
    #expect(TimeSpan(text)?.milliseconds == milliseconds)
    #expect(TimeSpan(milliseconds: milliseconds).description == written)
    #expect(TimeSpan(written)?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "5", "00", "s", ".5s", "5.s", "1.5", "-5s", "+5s", "5 s", " 5s", "5S", "5sec", "1e3s", "0.0005s",
    "1.5ms",
    "1.0000000000s", "5s-", "1h30", "٣s", "106751991168d", "9223372036854775808ms",
    "9223372036854775807ms1ms",
    "99999999999999999999d",
  ])
  func `nothing else is a duration, and nothing that does not fit`(text: String) {
    #expect(TimeSpan(text) == nil)
  }
}
