import APNSimWire
import Testing

@Suite struct `Nearest name` {
  private static let keys = ["token", "apps", "online", "installed", "badgeAbsent"]

  @Test(arguments: [
    ("tokn", "token"), ("tokens", "token"), ("onlnie", "online"), ("badge_absent", "badgeAbsent"),
    ("BadgeAbsent", "badgeAbsent"), ("app", "apps"), ("instaled", "installed"),
  ])
  func `a slip of the finger finds the name that was meant`(found: String, meant: String) {
    #expect(NearestName.find(found, among: Self.keys) == meant)
  }

  @Test(arguments: ["3", "", "-"]) func `what shares no character with a name is no slip`(found: String) {
    #expect(NearestName.find(found, among: ["0", "1", "2"]) == nil)
  }

  @Test(arguments: ["colour", "x", "", "tkn0n", String(repeating: "token", count: 100)])
  func `another word finds nothing`(found: String) {
    #expect(NearestName.find(found, among: Self.keys) == nil)
  }
}
