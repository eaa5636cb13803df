import APNSimWire

/// The values of the newest notifications' fields, for those who write queries.
extension Simulator {
  private static var mostLookedAt: UInt64 { 2_000 }
  private static var lookedAtAtOnce: UInt64 { 100 }
  /// Different values that are counted, and the length of those that are told.
  private static var mostValues: Int { 1_000 }
  private static var longestValue: Int { 80 }

  /// The values at a path of the notification object, most frequent first.
  package func valuesSeen(at path: String) -> [(text: String, count: Int)] {
    count { world, record, add in
      let evidence = world.history.evidence(of: record)
      let value: JSONValue?
      if path == "alert" || path.hasPrefix("payload.") {
        let payload = try? JSONValue.parse(record.fields.payload(in: evidence))
        value =
          path == "alert" ? payload.flatMap { AlertText($0)?.value } : payload?[String(path.dropFirst(8))]
      } else {
        value = world.plainValue(at: path, of: record) ?? world.value(at: path, of: record, evidence)
      }
      switch value {
      case .string(let text): add(text)
      case .number, .bool: add(value?.description ?? "")
      case .null, .array, .object, nil: break
      }
    }
  }

  /// The dotted paths of the values in payloads, most frequent first.
  package func payloadPathsSeen() -> [(text: String, count: Int)] {
    count { world, record, add in
      let evidence = world.history.evidence(of: record)
      guard let payload = try? JSONValue.parse(record.fields.payload(in: evidence)) else { return }
      Self.forEachPath(of: payload, "", depth: 0, add)
    }
  }

  private static func forEachPath(of value: JSONValue, _ path: String, depth: Int, _ add: (String) -> Void) {
    for member in (value.objectValue ?? []).prefix(50) where !member.key.contains(".") {
      let inner = path.isEmpty ? member.key : "\(path).\(member.key)"
      if case .object = member.value, depth < 4 {
        forEachPath(of: member.value, inner, depth: depth + 1, add)
      } else {
        add(inner)
      }
    }
  }

  private func count(
    _ read: (borrowing World, NotificationRecord, (String) -> Void) -> Void
  ) -> [(text: String, count: Int)] {
    var counts: [String: Int] = [:]
    var (first, stop) = withWorld { world in
      let (first, end) = (world.history.notifications.first, world.history.notifications.end)
      return (max(first, end - min(end, Self.mostLookedAt)), end)
    }
    while first < stop {
      let next = max(first, stop - min(stop, Self.lookedAtAtOnce))
      withWorld { world in
        for number in (next..<stop).reversed() where world.history.notifications.contains(number) {
          read(world, world.history.notifications[number]) { text in
            guard text.utf8.count <= Self.longestValue, counts.count < Self.mostValues || counts[text] != nil
            else { return }
            counts[text, default: 0] += 1
          }
        }
      }
      stop = next
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { (text: $0.key, count: $0.value) }
  }
}

extension World {
  /// The value of a field that the record alone tells; nil for other fields.
  fileprivate func plainValue(at path: String, of record: NotificationRecord) -> JSONValue? {
    switch path {
    case "outcome": .string(record.outcome.description)
    case "topic": .string(apps[record.app].key.topic)
    case "environment": .string(apps[record.app].key.environment.rawValue)
    case "interface": .string(record.interface.name)
    default: nil
    }
  }
}
