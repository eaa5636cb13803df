import APNSimCore
import ArgumentParser
import Testing

@testable import apnsim

@Suite struct `Arguments of send` {
  @Test func `an expiry and a query may begin with a minus`() throws {
    let send = try SendCommand.parse(["a.apns", "--to", "ab", "--expiry", "-1"])
    #expect(send.expiry?.seconds == .max)
    #expect(try WaitCommand.parse(["--query", "-device:bob"]).query == "-device:bob")
    #expect(try WatchCommand.parse(["--query", "-header"]).query == "-header")
  }

  @Test func `what excludes another is not said beside it`() {
    let wrong = [
      ["-", "-", "--to", "ab"], ["a.apns", "--to", "ab", "--cert", "a.P12", "--key", "a.key"],
      ["a.apns", "--to", "ab", "--insecure", "--ca", "ca.pem"],
    ]
    for arguments in wrong {
      #expect(throws: (any Error).self, "\(arguments)") { try SendCommand.parse(arguments) }
    }
    #expect(throws: (any Error).self) { try CertificatesExportCommand.parse(["a", "--password", "b"]) }
    #expect((try? CertificatesExportCommand.parse(["a", "--format", "p12", "--password", "b"])) != nil)
  }

  @Test func `headers that no frame takes are refused, with the limit`() {
    for option in ["--jwt", "--collapse-id"] {
      let arguments = [
        "a.apns", "--to", "ab", "--api", "http2", option, String(repeating: "x", count: 20_000),
      ]
      do {
        _ = try SendCommand.parse(arguments)
        Issue.record("\(option)")
      } catch {
        #expect(SendCommand.message(for: error).hasPrefix("\(option) has 20,000 bytes"))
        #expect(SendCommand.message(for: error).contains("8,000"))
      }
    }
  }

  @Test(arguments: [("7", 7), ("0x1f", 31), ("4294967295", UInt32.max)] as [(String, UInt32)])
  func `an identifier is a number or hex digits`(text: String, value: UInt32) {
    #expect(SendIdentifier(argument: text)?.rawValue == value)
  }

  @Test(arguments: ["", "-1", "0x", "4294967296", "x"])
  func `anything else is no identifier`(text: String) {
    #expect(SendIdentifier(argument: text) == nil)
  }

  @Test(
    arguments: [
      ("0", 0), ("-1", UInt32.max), ("4294967295", UInt32.max), ("2012-06-01T00:00:00Z", 1_338_508_800),
      ("+1h", 1_338_512_400),
    ] as [(String, UInt32)]
  )
  func `an expiry is a number, a time or a span from now`(text: String, value: UInt32) {
    let now = Timestamp(seconds: 1_338_508_800)
    #expect(SendExpiry(argument: text, now: now)?.seconds == value)
  }

  @Test(
    arguments: [("-2147483648", 1 << 31), ("1969-12-31T23:59:59Z", UInt32.max)] as [(String, UInt32)]
  )
  func `a time before 1970 is what one edition reads as negative`(text: String, value: UInt32) {
    #expect(SendExpiry(argument: text)?.seconds == value)
  }

  @Test(arguments: [
    "4294967296", "-2147483649", "9999-01-01T00:00:00Z", "1066-10-14T00:00:00Z", "+36500d", "", "+",
  ])
  func `an expiry that four bytes do not hold is none`(text: String) {
    #expect(SendExpiry(argument: text) == nil)
  }

  @Test func `tokens may be listed with commas`() throws {
    #expect(try TokenArgument.bytes(["0a0B,0c", "0d"]) == [[10, 11], [12], [13]])
  }

  @Test(arguments: [
    "<30313233 34353637 38393a3b 3c3d3e3f 40414243 44454647 48494a4b 4c4d4e4f>",
    "30313233 34353637 38393a3b 3c3d3e3f 40414243 44454647 48494a4b 4c4d4e4f",
    "<303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f>",
    "30:31:32:33:34:35:36:37:38:39:3a:3b:3c:3d:3e:3f:40:41:42:43:44:45:46:47:48:49:4A:4B:4C:4D:4E:4F",
    "MDEyMzQ1Njc4OTo7PD0+P0BBQkNERUZHSElKS0xNTk8=", "MDEyMzQ1Njc4OTo7PD0-P0BBQkNERUZHSElKS0xNTk8",
  ])
  func `a token is read as devices and libraries print it`(text: String) throws {
    #expect(try TokenArgument.bytes([text]) == [Array(0x30...0x4F)])
  }

  @Test(arguments: [
    "<0a0b", "0a 0", "0 a0 b", "MDEyMw==", "<>", "MDEyMzQ1Njc4OTo7PD0+P0BBQkNERUZHSElKS0xNTk8!",
  ])
  func `a token that could be something else is refused`(text: String) {
    #expect(throws: CommandFailure.self) { try TokenArgument.bytes([text]) }
  }

  @Test(arguments: ["0a0", "xy", "0x0a", "", "0a,", ","])
  func `a token that is no hex, or not there, is a usage error`(text: String) {
    let failure = #expect(throws: CommandFailure.self) { try TokenArgument.bytes([text]) }
    #expect(failure?.status == .usage)
  }

  @Test(arguments: [
    [], ["p.apns"], ["p.apns", "--demo"], ["p.apns", "--to", "aa", "--command", "3"],
    ["p.apns", "--to", "aa", "--count", "0"], ["p.apns", "--to", "aa", "--rate", "0"],
    ["p.apns", "--to", "aa", "--command", "1", "--priority", "5"],
    ["p.apns", "--to", "aa", "--command", "0", "--identifier", "1"],
    ["p.apns", "--to", "aa", "--command", "0", "--expiry", "0"], ["--demo", "--raw"],
    ["--demo", "--to", "aa"], ["--demo", "--command", "1"], ["--demo", "--count", "5"],
    ["p.apns", "--to", "aa", "--expiry", "4294967296"],
    ["p.apns", "--to", "aa", "--connections", "2"], ["p.apns", "--to", "aa", "--streams", "2"],
    ["p.apns", "--to", "aa", "--api", "http2", "--connections", "0"],
    ["p.apns", "--to", "aa", "--api", "http2", "--streams", "0"],
    ["p.apns", "--to", "aa", "--api", "http2", "--streams", "10001"],
    ["p.apns", "--to", "aa", "--api", "http2", "--connections", "1001", "--count", "5000"],
    ["p.apns", "--to", "aa", "--api", "http2", "--connections", "3", "--count", "2"],
    ["--demo", "--api", "http2", "--streams", "2"],
  ])
  func `arguments that do not fit together are refused`(arguments: [String]) {
    #expect(throws: (any Error).self) { try SendCommand.parse(arguments) }
  }

  @Test func `several tokens and files are understood`() throws {
    let command = try SendCommand.parse([
      "a.apns", "b.apns", "--to", "aa", "bb", "--count", "3", "--command", "1",
    ])
    #expect(command.files == ["a.apns", "b.apns"])
    #expect(command.tokens == ["aa", "bb"])
  }
}
