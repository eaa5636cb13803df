import APNSimWire
import Testing

@testable import APNSimProvider

@Suite struct `Lines of the device port` {
  @Test func `lines of a later version are passed over`() {
    #expect(DeviceLine(#"{"news":1}"#.utf8) == .other)
    #expect(DeviceLine("nothing".utf8) == .other)
    #expect(
      DeviceLine(#"{"error":{"reason":"json","expected":"a","found":"b"}}"#.utf8)
        == .error(expected: "a", found: "b")
    )
  }

  @Test func `tokens, notifications and the end of a connection are told apart`() {
    #expect(
      DeviceLine(#"{"device":"bob","tokens":[{"topic":"com.a","environment":"sandbox","token":"ab"}]}"#.utf8)
        == .tokens(device: "bob", [.init(topic: "com.a", environment: "sandbox", token: "ab")])
    )
    guard case .notification(let notification) = DeviceLine(#"{"notification":{"id":"n1"}}"#.utf8) else {
      Issue.record("expected a notification")
      return
    }
    #expect(notification.member("id")?.stringValue == "n1")
    #expect(
      DeviceLine(#"{"closed":{"reason":"replaced","detail":"another came"}}"#.utf8)
        == .closed(reason: "replaced", detail: "another came")
    )
  }
}
