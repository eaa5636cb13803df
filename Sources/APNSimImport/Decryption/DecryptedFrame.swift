import APNSimWire

/// One packet with TLS records as tshark decrypted it: a line of its `-T fields` output.
struct DecryptedFrame: Hashable, Sendable {
  /// The packet's number among those that tshark was given, from 1.
  var number: Int
  /// Decrypted application data, record by record.
  var data: [[UInt8]] = []
  /// Records that could not be decrypted.
  var unreadable = 0
  /// An alert is among the records: as the last of a direction, close_notify.
  var hasAlert = false
  /// The certificates that its sender presented, DER, its own first.
  var certificates: [[UInt8]] = []
  /// The client's hello, or the server's, begins among the records.
  var hasClientHello = false
  var hasServerHello = false
  /// The version (0x0303 is TLS 1.2) and cipher suite of the server's hello.
  var version: UInt16?
  var cipherSuite: UInt16?

  /// The fields asked for, in their order.
  static let fields =
    [
      "frame.number", "tls.record.content_type", "tls.record.length", "data.data", "tls.handshake.type",
      "tls.handshake.version", "tls.handshake.extensions.supported_version", "tls.handshake.ciphersuite",
      "tls.handshake.certificate",
    ]

  init(number: Int) { self.number = number }

  /// - Parameter line: fields separated by tabs, the values of one by commas.
  /// - Returns: nil for a line of another form.
  init?(_ line: Substring) {
    let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard columns.count == Self.fields.count, let number = UInt32(columns[0]) else { return nil }
    func values(_ index: Int) -> [Substring] { columns[index].split(separator: ",") }
    func numbers(_ index: Int) -> [UInt16] {
      values(index).compactMap { $0.hasPrefix("0x") ? UInt16($0.dropFirst(2), radix: 16) : UInt16($0) }
    }
    self.init(number: Int(number))
    data = values(3).compactMap { Hex.decode($0) }
    let others = values(1).count { $0 != "23" }
    unreadable = max(0, values(2).count - others - data.count)
    hasAlert = values(1).contains("21")
    certificates = values(8).compactMap { Hex.decode($0) }
    hasClientHello = values(4).contains("1")
    hasServerHello = values(4).contains("2")
    if hasServerHello {
      version = numbers(6).first ?? numbers(5).first
      cipherSuite = numbers(7).first
    }
  }
}
