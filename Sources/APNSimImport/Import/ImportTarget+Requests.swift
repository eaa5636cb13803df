import APNSimCapture
import APNSimCore
import APNSimScenario

/// Connections of HTTP/2 in packet captures, whose bytes are read as requests and answers.
extension ImportTarget {
  /// Takes an event of such a connection.
  /// - Returns: false for any other one.
  mutating func read(_ event: StreamEvent) throws(CaptureFailure) -> Bool {
    guard let reading = readings[event.connection] else { return false }
    switch event.kind {
    case .opened: return false
    case .bytes(let side, let bytes):
      let writer = RequestReading.side(of: side)
      let wasRead = reading.loss(of: writer) == nil
      pass(bytes.count, side, of: event.connection)
      for happening in reading.receive(bytes, from: writer, at: event.time) {
        try receive(CaptureEntry(time: event.time, kind: .stream(event.connection, happening)))
      }
      if wasRead, reading.loss(of: writer) != nil {
        noteLoss(of: side, reading, event)
        try tellLoss(of: side, event)
      }
    case .missing(let side, let count):
      let writer = RequestReading.side(of: side)
      let wasRead = reading.loss(of: writer) == nil
      reading.miss(writer)
      if wasRead { noteLoss(of: side, reading, event) }
      try tellLoss(of: side, event, count: count ?? 0)
    case .closed:
      noteUnfinished(reading)
      readings[event.connection] = nil
      return false
    }
    return true
  }

  /// A direction is not read any more.
  /// - Parameter count: the bytes that the capture does not have; 0 where nobody knows how many, and where they are there
  ///   and cannot be read.
  private mutating func tellLoss(
    of side: StreamEvent.Side,
    _ event: StreamEvent,
    count: Int = 0
  ) throws(CaptureFailure) {
    let direction: CaptureDirection = side == .provider ? .in : .out
    try receive(
      CaptureEntry(time: event.time, kind: .bytesMissing(event.connection, direction, count: count))
    )
  }

  /// Notes why a direction of a connection is not read any more.
  mutating func noteLoss(of side: StreamEvent.Side, _ reading: RequestReading, _ event: StreamEvent) {
    guard let loss = reading.loss(of: RequestReading.side(of: side)) else { return }
    let name = numbers[event.connection]?.description ?? "a connection"
    let what = side == .provider ? "requests" : "answers"
    let text =
      switch loss {
      case .joined:
        "\(name) began before the capture: the state of its header compression is not known, and none of it is read"
      case .gap:
        "\(name): bytes are missing, and with them the state of its header compression: no further \(what) are read"
      case .beginning:
        "\(name): the first bytes are missing, and with them the state of its header compression: no \(what) are read"
      case .damaged(let reason): "\(name): \(reason): no \(what) are read from there on"
      }
    note(text)
  }

  /// Notes the connections that are open at the capture's end.
  mutating func endReadings() {
    for id in readings.keys.sorted() { if let reading = readings[id] { noteUnfinished(reading) } }
    readings = [:]
  }

  private mutating func noteUnfinished(_ reading: RequestReading) {
    change { $0.unfinishedRequests += reading.unfinishedRequests }
  }

  private mutating func note(_ text: String) {
    change { if $0.notes.count < Self.mostNotes { $0.notes.append(text) } }
  }

  private static let mostNotes = 100
}

extension RequestReading {
  static func side(of side: StreamEvent.Side) -> StreamSide { side == .provider ? .provider : .service }
}
