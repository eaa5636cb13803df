import APNSimCapture
import APNSimProvider
import APNSimTestSupport
import ArgumentParser
import Foundation

@testable import apnsim

/// Replays against a running server, and small captures for them.
enum NetworkReplays {
  struct Ports: Decodable {
    var gateway: Int
    var feedback: Int
  }

  static func ports(_ server: RunningServer) throws -> Ports {
    try JSONDecoder().decode(Ports.self, from: Data(contentsOf: URL(fileURLWithPath: server.endpointsFile)))
  }

  /// A journal of one gateway connection with a notification, of command 0 unless said otherwise, which ends as said.
  static func journal(
    _ ending: String?,
    source: String = "",
    _ more: String = "",
    header: String = "",
    start: [UInt8] = [0],
    following: [String] = []
  ) throws -> CaptureReader {
    let frame = Data(start + [0, 32] + [UInt8](repeating: 0, count: 32) + [0, 2] + Array("{}".utf8))
    var lines = [
      #"{"apnsim":"journal","version":1\#(source)\#(header)}"#,
      #"{"seq":1,"time":"2012-06-01T00:00:00.000Z","event":"connectionOpened","connection":"c1","ordinal":1,"#
        + #""listener":"gateway","peer":"","provider":{"topic":"com.example.app","environment":"production"},"#
        + #""tls":{"version":"","cipher":""}\#(more)}"#,
      #"{"seq":2,"time":"2012-06-01T00:00:00.000Z","event":"bytesIn","connection":"c1","#
        + #""bytes":"\#(frame.base64EncodedString())","count":\#(frame.count)}"#,
    ]
    if let ending {
      lines.append(
        #"{"seq":3,"time":"2012-06-01T00:00:00.010Z","event":"connectionClosed","connection":"c1","#
          + #""reason":"\#(ending)"}"#
      )
    }
    lines += following
    return try CaptureReader(name: "journal", bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  /// Plays it without pauses, unless the options say otherwise.
  static func play(
    _ reader: CaptureReader,
    to server: RunningServer,
    silence: Duration? = nil,
    patience: Duration? = nil,
    _ change: (inout NetworkReplay.Options) -> Void = { _ in }
  ) async throws -> NetworkReplayReport {
    var options = NetworkReplay.Options()
    options.pace = .maximum
    options.patience = patience ?? Hang.limit
    if let silence { options.silence = silence }
    change(&options)
    var arguments = try EndpointOptions.parse([])
    arguments.port = UInt16(try ports(server).gateway)
    arguments.credentials.server.certs = TestCertificates.path
    let gateway = try ProviderTarget.resolve(arguments, service: .gateway, environment: [:])
    var replay = NetworkReplay(gateway: gateway, feedback: nil, options)
    return try await replay.run(reader)
  }
}
