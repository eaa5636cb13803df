import APNSimCore
import APNSimServer
import APNSimWire
import NIOCore
import NIOHPACK

/// A provider's connection without a network: it writes pushes as plaintext, and hands reads of it in.
protocol ProviderConnection: AnyObject {
  /// The bytes of one read.
  func read(of pushes: [Load.Push]) throws -> [UInt8]
  func send(_ read: [UInt8], at now: Timestamp)
  func close(at now: Timestamp)
}

/// One that writes frames.
final class FrameProvider: ProviderConnection {
  private let load: Load
  private let connection: GatewayConnection

  init(_ simulator: Simulator, _ load: Load, at now: Timestamp) throws {
    self.load = load
    connection = try simulator.openGateway(.provider(topics: [load.row.topic]), at: now)
  }

  func read(of pushes: [Load.Push]) -> [UInt8] {
    let row = load.row
    var bytes: [UInt8] = []
    for push in pushes {
      let frame = NotificationFrame(
        command: row.command,
        identifier: load.identifier(of: push),
        expiry: UInt32(row.start + 86_400),
        priority: row.priority,
        token: push.token,
        payload: row.payload
      )
      frame.encode(into: &bytes)
    }
    return bytes
  }

  func send(_ read: [UInt8], at now: Timestamp) {
    _ = read.withUnsafeBytes { connection.receive($0, at: now) }
  }

  func close(at now: Timestamp) { connection.closed(.peerClosed, at: now) }
}

/// One that writes requests, compressed by somebody else's encoder as h2load has them: paths and what is told apart by
/// them are literals, everything else is in the table from the second request on.
final class RequestProvider: ProviderConnection {
  private let load: Load
  private let connection: PlainRequestConnection
  private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
  private var stream: UInt32 = 1

  init(_ simulator: Simulator, _ load: Load, at now: Timestamp) throws {
    self.load = load
    connection = try PlainRequestConnection(simulator, .provider(topics: []), at: now)
    send(Self.beginning, at: now)
  }

  /// The preface, SETTINGS, and that the server's are known.
  private static let beginning =
    Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(.settings, stream: 0, [])
    + frame(.settings, flags: 1, stream: 0, [])

  private enum FrameType: UInt8 {
    case data = 0
    case headers = 1
    case settings = 4
  }

  /// END_STREAM, END_HEADERS.
  private static let (endStream, endHeaders): (UInt8, UInt8) = (1, 4)

  private static func frame(
    _ type: FrameType,
    flags: UInt8 = 0,
    stream: UInt32,
    _ content: some Collection<UInt8>
  ) -> [UInt8] {
    bigEndian(UInt32(content.count)).dropFirst() + [type.rawValue, flags] + bigEndian(stream) + content
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * $0)) }
  }

  func read(of pushes: [Load.Push]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for push in pushes {
      var block = ByteBuffer()
      try encoder.encode(headers: headers(of: push), to: &block)
      bytes += Self.frame(.headers, flags: Self.endHeaders, stream: stream, block.readableBytesView)
      bytes += Self.frame(.data, flags: Self.endStream, stream: stream, load.row.payload)
      stream += 2
    }
    return bytes
  }

  private func headers(of push: Load.Push) -> HPACKHeaders {
    let row = load.row
    var headers = HPACKHeaders([(":method", "POST"), (":scheme", "https"), (":authority", "localhost")])
    headers.add(name: ":path", value: "/3/device/\(Hex.encode(push.token))", indexing: .nonIndexable)
    headers.add(name: "authorization", value: row.authorization)
    headers.add(name: "apns-topic", value: row.topic)
    headers.add(name: "apns-push-type", value: row.pushType)
    headers.add(name: "apns-priority", value: "\(row.priority)")
    headers.add(name: "apns-expiration", value: "\(row.start + 86_400)")
    if row.failure != nil {
      headers.add(name: "apns-id", value: load.messageID(of: push), indexing: .nonIndexable)
    }
    return headers
  }

  func send(_ read: [UInt8], at now: Timestamp) {
    _ = read.withUnsafeBytes { connection.receive($0, at: now) }
  }

  func close(at now: Timestamp) { connection.close(at: now) }
}

extension ConnectionOpening {
  fileprivate static func provider(topics: [String]) -> ConnectionOpening {
    ConnectionOpening(
      peer: "127.0.0.1:50000",
      provider: ProviderIdentity(topics: topics, environment: .production, subject: "CN=counted")
    )
  }
}
