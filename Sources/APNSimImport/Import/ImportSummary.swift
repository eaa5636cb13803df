package import APNSimCapture
package import APNSimCore
import APNSimWire

/// The summary of an import, for people and programs.
package struct ImportSummary: Sendable {
  package struct File: Sendable, Hashable {
    package var name: String
    package var kind: CaptureKind
    package var packets = 0
    /// Packets of which the headers are not all there, and how long the longest of them is.
    package var cutShort = 0
    package var snapLength = 0
    /// Packets of which the headers are there and the data is not all.
    package var cutData = 0
    /// True where some of them have a part of their data.
    package var keepsData = false
  }

  /// A place where bytes are missing.
  package struct Gap: Sendable, Hashable {
    /// The connection's number in the native capture.
    package var connection: ConnectionID
    package var direction: CaptureDirection
    /// The number of bytes of this direction in front of the gap, earlier missing ones included; nil where the file has
    /// no bytes of the connection to count, as a journal of requests.
    package var offset: Int?
    /// The number of missing bytes; 0 where it is not known.
    package var count: Int
    /// True for the bytes before the capture.
    package var isBeginning = false
  }

  package var files: [File] = []
  package var start: Timestamp?
  package var end: Timestamp?
  package var gatewayConnections = 0
  package var feedbackConnections = 0
  /// Device connections of a native capture.
  package var deviceConnections = 0
  /// Connections of HTTP/2, and their requests and answers.
  package var requestConnections = 0
  package var requests = 0
  package var answers = 0
  /// Requests that have no answer in the capture, those among them whose streams were reset, and answers whose requests
  /// it does not have.
  package var requestsWithoutAnswer = 0
  package var resetStreams = 0
  package var answersWithoutRequest = 0
  /// Requests that had begun and did not end.
  package var unfinishedRequests = 0
  package var decryptedConnections = 0
  package var bytesIn = 0
  package var bytesOut = 0
  /// Notification frames, where their beginnings are known.
  package var frames = 0
  /// Connections with something other than a frame, or with an incomplete one.
  package var unreadableTails = 0
  /// Gaps, the bytes known to be missing, and the connections that have one.
  package var gaps = 0
  package var missingBytes = 0
  package var connectionsWithGaps = 0
  /// Gaps after which frames were found again.
  package var resumed = 0
  /// The first of the gaps.
  package var gapPlaces: [Gap] = []
  static let mostGapPlaces = 100
  /// IP packets that were reassembled, and parts of others that stay incomplete.
  package var reassembledPackets = 0
  package var fragments = 0
  package var cutShort = 0
  package var unknownLinks = 0
  /// The first few of their numbers, in order.
  package var unknownLinkTypes: [UInt16] = []
  /// Packets inside of others that are not taken apart, by what carries them.
  package var encapsulations: [String: Int] = [:]
  package var streams = StreamTally()
  package var undecryptable = 0
  package var withoutHandshake = 0
  /// Topics of the connections, with the source of each.
  package var topics: [String] = []
  package var assumedTopic: String?
  /// The places at which reading ended before the file did.
  package var damage: [String] = []
  /// Notes for the reader, a line each.
  package var notes: [String] = []

  package init() {}

  /// Counts a packet whose link type is not understood.
  mutating func addUnknownLink(_ link: LinkType) {
    unknownLinks += 1
    guard !unknownLinkTypes.contains(link.rawValue), unknownLinkTypes.count < 8 else { return }
    unknownLinkTypes = (unknownLinkTypes + [link.rawValue]).sorted()
  }

  /// `3 of IPsec (ESP), 5 of WireGuard`
  package var encapsulationText: String {
    encapsulations.sorted { $0.key < $1.key }.map { "\($0.value) of \($0.key)" }.joined(separator: ", ")
  }

  /// `147`, or several: `147, 195`.
  package var unknownLinkText: String { unknownLinkTypes.map(String.init).joined(separator: ", ") }

  package var connections: Int {
    gatewayConnections + feedbackConnections + deviceConnections + requestConnections
  }

  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.list("files", files) { file, writer in
      writer.member("name", file.name)
      writer.member("kind", file.kind.rawValue)
      if file.packets > 0 {
        writer.member("packets", file.packets)
      }
    }
    for (name, time) in [("start", start), ("end", end)] {
      writer.key(name)
      if let time { writer.string(time.description) } else { writer.null() }
    }
    let counts: [(StaticString, Int)] = [
      ("connections", connections), ("gatewayConnections", gatewayConnections),
      ("feedbackConnections", feedbackConnections), ("deviceConnections", deviceConnections),
      ("http2Connections", requestConnections), ("requests", requests), ("answers", answers),
      ("requestsWithoutAnswer", requestsWithoutAnswer), ("resetStreams", resetStreams),
      ("answersWithoutRequest", answersWithoutRequest),
      ("unfinishedRequests", unfinishedRequests), ("decryptedConnections", decryptedConnections),
      ("bytesIn", bytesIn), ("bytesOut", bytesOut), ("frames", frames), ("unreadableTails", unreadableTails),
      ("gaps", gaps), ("missingBytes", missingBytes), ("connectionsWithGaps", connectionsWithGaps),
      ("framesFoundAgain", resumed),
      ("reassembledPackets", reassembledPackets), ("fragments", fragments), ("cutShort", cutShort),
      ("unknownLinks", unknownLinks),
      ("strayPackets", streams.strays), ("lateBytes", streams.lateBytes),
      ("repeatedBytes", streams.repeatedBytes),
      ("tlsNotDecrypted", streams.tlsConnections + undecryptable + withoutHandshake),
      ("proxied", streams.proxied), ("otherConnections", streams.otherConnections),
      ("unknownSides", streams.unknownSides),
      ("unfollowed", streams.unfollowed),
    ]
    for (name, count) in counts {
      writer.key(name)
      writer.int(count)
    }
    writer.list("gapPlaces", gapPlaces) { gap, writer in
      writer.member("connection", gap.connection.description)
      writer.member("direction", gap.direction.rawValue)
      writer.key("offset")
      if let offset = gap.offset { writer.int(offset) } else { writer.null() }
      writer.member("count", gap.count)
    }
    writer.member("topics", topics)
    writer.member("topicAssumed", assumedTopic != nil)
    for (name, lines) in [("damage", damage), ("notes", notes)] {
      writer.key(name)
      writer.beginArray()
      for line in lines { writer.string(line) }
      writer.endArray()
    }
    writer.endObject()
    return writer.bytes
  }
}
