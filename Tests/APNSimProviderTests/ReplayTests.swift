import APNSimCore
import APNSimTLS
import APNSimWire
import Testing

@testable import APNSimProvider

@Suite struct `What a replay over the network shows and keeps` {
  @Test func `a pace divides the capture's time, and the fastest has no pauses`() {
    let start = Timestamp(seconds: 100)
    let moment = Timestamp(seconds: 150)
    #expect(ReplayPace(factor: 10).due(moment, from: start) == .seconds(5))
    #expect(ReplayPace(factor: 0.5).due(moment, from: start) == .seconds(100))
    #expect(ReplayPace.maximum.due(moment, from: start) == .zero)
    #expect(ReplayPace.asCaptured.due(Timestamp(seconds: 50), from: start) == .zero)
    #expect(ReplayPace(factor: 1e-300).due(Timestamp(rawValue: .max), from: start) > .zero)
  }

  @Test func `notes are kept once each and to a limit`() {
    var report = NetworkReplayReport()
    for number in 0..<200 {
      report.note("note \(number)")
      report.note("note \(number)")
    }
    #expect(report.notes.count == 100 && report.notes.last == "note 99")
  }

  @Test func `an address with colons stands in brackets`() {
    func target(_ host: String) -> ProviderTarget {
      ProviderTarget(
        host: host,
        port: 2195,
        certificateFile: "p.P12",
        keyFile: nil,
        password: "",
        trust: .anyServer
      )
    }
    #expect(target("::1").address == "[::1]:2195" && target("localhost").address == "localhost:2195")
    #expect(target("::1").isPKCS12 && !ProviderTarget.isPKCS12("provider.pem"))
  }
}
