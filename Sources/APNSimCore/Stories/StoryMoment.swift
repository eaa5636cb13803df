import APNSimWire

/// The fate of a notification on its connection; those of one fate in a row are told as one.
package struct StoryFate: Hashable, Sendable {
  package enum Standing: String, Hashable, JSONWord {
    case accepted, rejected, discarded, unanswered, resent, lost
  }

  var standing: Standing
  /// The status of an error response; 0 without one.
  var status: UInt8 = 0
  /// The answer to a request that left at once; nil where none did.
  var answer: RequestStatus?
  var script: StoryScript?
}

/// Something that happened on a connection, in its order.
struct StoryMoment: Sendable {
  /// A notification as a story tells it.
  struct Notification: Sendable {
    var number: UInt64
    /// The frame's bytes, or those of a request's payload.
    var bytes: Int
    var identifier: NotificationIdentifier?
    /// Nil for a frame.
    var stream: UInt32?
    var fate: StoryFate
  }

  enum Kind: Sendable {
    case notification(Notification)
    /// An answer that left later than its request came.
    case answered(number: UInt64, stream: UInt32, RequestStatus?, script: StoryScript?)
    /// One that came again, on another connection.
    case resent(ProviderReference, number: UInt64, on: ConnectionID)
    /// - script: of the notification that it is about.
    case event(Event, script: StoryScript?)
  }

  var at: Timestamp
  var kind: Kind
}

extension Simulator {
  /// The events of a connection, as far as the history has them; nil for one that is not remembered.
  ///
  /// The history is looked at in stretches, so that nobody waits long; what comes meanwhile is not in it.
  package func story(of id: ConnectionID) -> ConnectionStory? {
    guard
      let (view, waiting, end) = withWorld({ world in
        world.connections[id].map {
          (world.view(of: $0), $0.http2?.pending.count(where: \.isCounted) ?? 0, world.history.nextSeq)
        }
      })
    else { return nil }
    var teller = StoryTeller(view, waiting: waiting)
    var next = withWorld { $0.history.firstSeq(at: view.openedAt) }
    while next < end {
      let stretch = withWorld { $0.moments(of: id, from: next, before: end) }
      for moment in stretch.moments { teller.tell(moment) }
      for (connection, openedAt) in stretch.openings { teller.note(connection, openedAt: openedAt) }
      next = stretch.next
    }
    return teller.finish()
  }
}

extension World {
  /// The places of the order that are looked at in one go.
  private static var storyStretch: Int { 20_000 }

  fileprivate struct StoryStretch {
    var moments: [StoryMoment] = []
    /// When the connections opened on which something came again.
    var openings: [ConnectionID: Timestamp] = [:]
    var next: UInt64
  }

  fileprivate func moments(of id: ConnectionID, from seq: UInt64, before end: UInt64) -> StoryStretch {
    var stretch = StoryStretch(next: end)
    var number = history.firstNotification(from: seq)
    var event = history.firstEvent(from: seq)
    let unanswered = connections[id]?.http2?.unansweredNumbers ?? []
    for _ in 0..<Self.storyStretch {
      let nextRecord = history.notifications.contains(number) ? history.notifications[number].seq : .max
      let nextEvent = event < history.endEvent ? history.event(event).seq : .max
      let next = min(nextRecord, nextEvent)
      guard next < end else { return stretch }
      if nextRecord < nextEvent {
        if history.notifications[number].connection == id {
          stretch.moments.append(moment(of: number, isUnanswered: unanswered.contains(number)))
        }
        number += 1
      } else {
        let record = history.event(event)
        if let kind = kind(of: record.event, on: id) {
          stretch.moments.append(StoryMoment(at: record.time, kind: kind))
          if case .resent(_, _, let other) = kind, stretch.openings[other] == nil {
            stretch.openings[other] = connections[other]?.record.openedAt
          }
        }
        event += 1
      }
      stretch.next = next + 1
    }
    return stretch
  }

  private func moment(of number: UInt64, isUnanswered: Bool) -> StoryMoment {
    let record = history.notifications[number]
    var notification = StoryMoment.Notification(
      number: number,
      bytes: Int(record.evidenceByteCount),
      identifier: record.fields.hasIdentifier ? record.fields.identifier : nil,
      fate: StoryFate(standing: record.entry.isAccepted ? .accepted : .rejected, script: script(of: record))
    )
    if record.entry == .discarded { notification.fate.standing = .discarded }
    if case .http2 = record.interface {
      notification.stream = RequestEvidence(history.evidence(of: record))?.stream ?? 0
      notification.bytes = Int(record.fields.payloadLength)
      notification.identifier = nil
      if isUnanswered {
        notification.fate.standing = .unanswered
      } else if !record.isAnswerLater {
        notification.fate.answer = RequestStatus(record)
      }
    } else {
      notification.fate.status = record.status
    }
    return StoryMoment(at: record.time, kind: .notification(notification))
  }

  /// The part of an event in a connection's story; nil where it is about another one.
  private func kind(of event: Event, on id: ConnectionID) -> StoryMoment.Kind? {
    switch event {
    case .answered(let connection, let stream, let number) where connection == id:
      let isThere = history.notifications.contains(number)
      return .answered(
        number: number,
        stream: stream,
        isThere ? RequestStatus(history.notifications[number]) : nil,
        script: isThere ? script(of: history.notifications[number]) : nil
      )
    case .resent(let connection, let reference, let number) where connection == id:
      guard history.notifications.contains(number) else { return nil }
      return .resent(reference, number: number, on: history.notifications[number].connection)
    case .errorSent(id, _, let number, _, _):
      let isThere = history.notifications.contains(number)
      return .event(event, script: isThere ? script(of: history.notifications[number]) : nil)
    case .connectionClosed(id, _, _, _), .inputEnded(id), .shutdown(id), .bytesIn(id, _, _),
      .faultFired(id, _),
      .requestFault(id, _, _, _), .requestMalformed(id, _), .feedbackRead(id, _, _, _):
      return .event(event, script: nil)
    default: return nil
    }
  }
}
