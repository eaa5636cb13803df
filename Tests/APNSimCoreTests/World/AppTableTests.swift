import Testing

@testable import APNSimCore

@Suite struct `The table of apps` {
  private static func key(_ number: Int) -> AppKey {
    AppKey(topic: "com.example.app\(number)", environment: .production)
  }

  @Test func `an app keeps its place, and there are no more than the limit`() {
    var limits = Limits()
    limits.apps = 2
    var apps = AppTable(limits: limits)
    let places = [1, 2, 3, 1].map { apps.add(Self.key($0)) }
    #expect(places == [0, 1, nil, 0])
    #expect(apps.place(of: Self.key(2)) == 1)
    #expect(apps.place(of: Self.key(3)) == nil)
    #expect(apps.map(\.key) == [Self.key(1), Self.key(2)])
  }

  @Test func `apps are counted in 16 bits`() {
    var limits = Limits()
    limits.apps = 1_000_000
    #expect(AppTable(limits: limits).limit == Int(UInt16.max))
  }
}
