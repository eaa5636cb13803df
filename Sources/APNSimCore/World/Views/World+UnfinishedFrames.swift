import APNSimWire

/// Frames that were begun and have not come to their end.
extension World {
  /// The connections whose frames may be what somebody waits for, newest first.
  /// - Parameters:
  ///   - query: only those whose topic can fit.
  ///   - most: at most so many.
  func unfinishedFrames(for query: Query, most: Int = 3) -> [NearMiss] {
    let topics = query.conditions.filter { $0.path == "topic" }
    var misses: [NearMiss] = []
    for connection in connections.all.reversed() where misses.count < most {
      guard let record = connection.gateway, let frame = record.progress.current,
        topics.allSatisfy({ $0.matcher.matches(.string(record.appKey.topic)) })
      else { continue }
      misses.append(
        NearMiss(
          id: record.id.description,
          differences: [
            Query.Difference(path: "frame", expected: frame.whole, actual: .number("\(frame.bytes)"))
          ]
        )
      )
    }
    return misses
  }

  /// The newest connection on which something came that was no request, if there is one: what somebody waits for may be that.
  func malformedRequest() -> NearMiss? {
    for connection in connections.all.reversed() {
      guard let last = connection.http2?.malformed.latest.last else { continue }
      let (path, found) = last.header.isEmpty ? ("request", nil) : ("header", JSONValue.string(last.header))
      let difference = Query.Difference(
        path: path,
        expected: "a well-formed request: \(last.reason)",
        actual: found
      )
      return NearMiss(id: connection.record.id.description, differences: [difference])
    }
    return nil
  }

  /// The numbers of open connections that have waited for the rest of a frame for a while, by app.
  func connectionsWithinFrame(at wall: Timestamp) -> [AppKey: Int] {
    var counts: [AppKey: Int] = [:]
    for connection in connections.open {
      guard let record = connection.gateway, !record.isOver,
        record.progress.hasWaited(apps[record.app].diligence.limits.framePatience, at: wall)
      else { continue }
      counts[record.appKey, default: 0] += 1
    }
    return counts
  }
}
