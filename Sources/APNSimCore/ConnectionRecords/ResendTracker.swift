import APNSimWire

/// Watches one app's providers make good what an error cost them.
///
/// After an error everything else that is written is discarded, and the provider must resend it. Discards wait here by
/// their content (token and meaning of the payload: some clients number anew), and a later notification of the same content on another
/// connection takes one of them away, the one with the same identifier first; it may be discarded itself, and wait in
/// its turn. Past the limit the oldest gives way: a provider that resends does so at once, so what has waited longest is
/// what will hardly come.
struct ResendTracker {
  /// One of the notifications that a connection discarded, by its index among them.
  struct Discard: Hashable {
    let connection: ConnectionID
    let index: Int
  }

  /// A request, as far as it bears on which loss it may be the next attempt of.
  struct Attempt {
    let connection: ConnectionID
    /// Where the requests of its read begin: what is lost from there on, its provider does not know of yet.
    let read: UInt64
    /// A hash of its token and the `apns-id` that its provider chose, by which alone it is the same; nil without one.
    var name: UInt64?
  }

  private struct Followed {
    var discard: Discard
    let token: UInt64
    let content: UInt64
    let identifier: NotificationIdentifier
    /// The hash of its payload's bytes; nil for one that was followed before a restart.
    let bytes: UInt64?
    /// Its place in the order of discarding.
    let place: UInt64
  }

  /// The way of a push that is not where it was lost first.
  private struct Course {
    /// The later losses of the same push, in order.
    var later: [Discard] = []
    /// The notification of the last loss, where its stream was reset: it may come again on the same connection.
    var reset: UInt64?
  }

  /// The discards that wait, in rows that are used again.
  private var rows: [Followed] = []
  private var free: [UInt32] = []
  /// The ways of requests, by the rows of their first losses.
  private var courses: [UInt32: Course] = [:]
  /// The later losses of the push that was taken last.
  private var later: [Discard] = []
  /// Rows by what finds them. A place, and at most that, is one row's own.
  private var places = HashQueues()
  private var exact = HashQueues()
  private var byContent = HashQueues()
  private var byToken = HashQueues()
  /// The least place that can be waiting.
  private var oldest: UInt64 = 0
  private var next: UInt64 = 0
  /// As many discards wait.
  var limit: Int

  /// The most discards to one token that are searched for the same bytes.
  private static let mostCompared = 4
  /// The most equal pushes, lost on an attempt's own connection, that are passed over.
  private static let mostPassed = 256

  init(limit: Int) { self.limit = limit }

  var count: Int { rows.count - free.count }
  var isEmpty: Bool { count == 0 }

  /// True if a discard waits for a notification to this token, given by its hash.
  func awaits(token: UInt64) -> Bool { byToken.first(token) != nil }

  /// Follows a discarded notification until it comes again.
  /// - Parameter name: the name of an ``Attempt``, which is all that it is the same by.
  /// - Returns: its place, nil where there is no room; and the discard that is not followed any more for it.
  mutating func follow(
    _ discard: Discard,
    _ content: inout NotificationContent,
    _ identifier: NotificationIdentifier,
    name: UInt64? = nil
  ) -> (place: UInt64?, givenUp: Discard?) {
    let givenUp = count >= limit ? giveUpOldest() : nil
    guard count < limit else { return (nil, givenUp) }
    let place = next
    let followed = Followed(
      discard: discard,
      token: content.token,
      content: name ?? content.hash,
      identifier: identifier,
      bytes: name == nil ? content.bytes : nil,
      place: place
    )
    follow(followed)
    next += 1
    return (place, givenUp)
  }

  private mutating func follow(_ followed: Followed) {
    let row = free.popLast() ?? UInt32(rows.count)
    if row < rows.count { rows[Int(row)] = followed } else { rows.append(followed) }
    places.append(row, to: followed.place)
    exact.append(row, to: Self.exact(followed.content, followed.identifier))
    byContent.append(row, to: followed.content)
    byToken.append(row, to: followed.token)
  }

  /// The key that finds a content with an identifier.
  private static func exact(_ content: UInt64, _ identifier: NotificationIdentifier) -> UInt64 {
    var hash = Hash64(seed: content)
    hash.combine(UInt64(identifier.rawValue))
    return hash.finalize()
  }

  /// Takes the discard that a notification which has come in makes good. What was written after the same error does
  /// not: it is another notification, however like the first.
  /// - Parameters:
  ///   - connection: the one that the notification came on.
  ///   - orOnItself: it may also make good what its own connection lost, where the identifier is the same.
  mutating func received(
    _ content: inout NotificationContent,
    _ identifier: NotificationIdentifier,
    on connection: ConnectionID,
    orOnItself: Bool = false
  ) -> Discard? {
    guard awaits(token: content.token) else { return nil }
    lookForBytes(of: &content)
    let same = exact.first(Self.exact(content.hash, identifier))
    if orOnItself, let same { return take(same) }
    guard
      let row = another(same, besides: connection)
        ?? another(byContent.first(content.hash), besides: connection)
    else { return nil }
    return take(row)
  }

  /// Looks for a discard of the same bytes, whose content is known. What has the same bytes has the same meaning, and its
  /// payload need not be looked into.
  private func lookForBytes(of content: inout NotificationContent) {
    let bytes = content.bytes
    var row = byToken.first(content.token)
    for _ in 0..<Self.mostCompared {
      guard let found = row else { return }
      if rows[Int(found)].bytes == bytes { return content.take(rows[Int(found)].content) }
      row = byToken.next(after: found)
    }
  }

  /// Forgets a discard, whose connection is forgotten, and which waits at a place with its later losses.
  /// - Returns: how many wait there still; nil where it had come again.
  mutating func forget(_ discard: Discard, at place: UInt64) -> Int? {
    guard let row = places.first(place) else { return nil }
    guard let later = courses[row]?.later, !later.isEmpty else {
      _ = take(row)
      return 0
    }
    if rows[Int(row)].discard == discard { rows[Int(row)].discard = later[0] }
    let left = later.drop { $0 == rows[Int(row)].discard }.filter { $0 != discard }
    courses[row]?.later = left
    return left.count + 1
  }

  /// The first row of a queue, unless it is the connection's own. Those after it are hardly another's: whoever has sent
  /// the same since has taken that connection's rows away.
  private func another(_ first: UInt32?, besides connection: ConnectionID) -> UInt32? {
    guard let first, rows[Int(first)].discard.connection != connection else { return nil }
    return first
  }

  // MARK: Requests

  /// Takes the loss that a request makes good, with all later losses of the same push: the oldest that it can be the next
  /// attempt of.
  mutating func settle(_ content: inout NotificationContent, _ attempt: Attempt) -> Discard? {
    find(&content, attempt).map { take($0) }
  }

  /// A request that is an attempt of a push that was lost before is lost as well, and waits with it.
  /// - Returns: the place of the first loss; nil for a push that has no earlier one.
  mutating func loseAgain(_ discard: Discard, _ content: inout NotificationContent, _ attempt: Attempt)
    -> UInt64?
  {
    guard let row = find(&content, attempt) else { return nil }
    courses[row, default: Course()].later.append(discard)
    courses[row]?.reset = nil
    return rows[Int(row)].place
  }

  /// The stream of a loss was reset, by either side: its provider knows that no answer comes on it.
  /// - Parameter number: its notification.
  mutating func noteReset(of discard: Discard, at place: UInt64, number: UInt64) {
    guard let row = places.first(place), (courses[row]?.later.last ?? rows[Int(row)].discard) == discard
    else { return }
    courses[row, default: Course()].reset = number
  }

  /// The later losses of the push whose first loss was taken last.
  mutating func takeLater() -> [Discard] {
    guard !later.isEmpty else { return [] }
    defer { later = [] }
    return later
  }

  /// The first row of the same push that an attempt can be the next of.
  private func find(_ content: inout NotificationContent, _ attempt: Attempt) -> UInt32? {
    guard awaits(token: content.token) else { return nil }
    if let name = attempt.name, let row = byContent.first(name) { return row }
    lookForBytes(of: &content)
    var row = byContent.first(content.hash)
    for _ in 0..<Self.mostPassed {
      guard let found = row, !follows(attempt, found) else { return row }
      row = byContent.next(after: found)
    }
    return nil
  }

  /// True where the push was lost last on another connection, or on a stream whose reset the provider knows of.
  private func follows(_ attempt: Attempt, _ row: UInt32) -> Bool {
    let course = courses[row]
    let last = course?.later.last ?? rows[Int(row)].discard
    return last.connection != attempt.connection || course?.reset.map { $0 < attempt.read } ?? false
  }

  private mutating func giveUpOldest() -> Discard? {
    while oldest < next {
      defer { oldest += 1 }
      if let row = places.first(oldest) { return take(row) }
    }
    return nil
  }

  private mutating func take(_ row: UInt32) -> Discard {
    places.remove(row)
    exact.remove(row)
    byContent.remove(row)
    byToken.remove(row)
    free.append(row)
    if !courses.isEmpty { later = courses.removeValue(forKey: row)?.later ?? [] }
    return rows[Int(row)].discard
  }
}

/// The queues are made anew from the discards that wait: they find the same.
extension ResendTracker: KeptByMembers {
  static let members = Members(checked: Self.init, \.keptRows, \.next)

  private var keptRows: KeptRows<Row> {
    KeptRows(
      waiting.flatMap { followed, course in
        let later = (course?.later ?? []).map { Row(followed.place, $0) }
        return [Row(followed)] + later + (course?.reset.map { [Row(followed.place, reset: $0)] } ?? [])
      }
    )
  }

  private init(_ state: StateReader, _ waiting: KeptRows<Row>, _ next: UInt64) throws(StateError) {
    self.init(limit: 0)
    try state.expectCounted(next)
    self.next = next
    rows.reserveCapacity(waiting.records.count)
    var free: UInt64 = 0
    for row in waiting.records {
      if free > 0, row.place == free - 1, let first = places.first(row.place) {
        try readRest(of: first, row, state)
        continue
      }
      guard row.place >= free, row.place < next, let followed = row.followed else {
        throw state.error("a discard at a place from \(free) to \(next) was expected, and \(row.place) found")
      }
      free = row.place + 1
      follow(followed)
    }
    oldest = waiting.records.first?.place ?? next
  }

  /// - Throws: for a row that would not be written so.
  private mutating func readRest(of first: UInt32, _ row: Row, _ state: StateReader) throws(StateError) {
    var course = courses[first] ?? Course()
    if course.reset == nil, row.isReset {
      course.reset = row.content
    } else if course.reset == nil, row.isLater, let later = row.followed {
      course.later.append(later.discard)
    } else {
      throw state.error("a later discard of the place \(row.place) was expected, or the reset of its stream")
    }
    courses[first] = course
  }

  /// The waiting ones, in the order of their places.
  private var waiting: [(Followed, Course?)] {
    rows.enumerated().lazy.filter { places.first($1.place) == UInt32($0) }
      .map { ($1, courses[UInt32($0)]) }
      .sorted { $0.0.place < $1.0.place }
  }

  /// The discards that wait: their connections have them.
  var discards: [Discard] { waiting.flatMap { [$0.discard] + ($1?.later ?? []) } }

  /// A discard that waits, without room between the members; after it, at its place, the later losses of the same push.
  private struct Row: BitwiseCopyable {
    let place: UInt64
    let content: UInt64
    let token: UInt64
    let index: Int64
    let connection: UInt32
    let identifier: UInt32

    /// The index of a row that tells of the reset of the last loss's stream, with its notification as content.
    static let reset: Int64 = -1

    init(_ place: UInt64, _ later: Discard) {
      (self.place, content, token, identifier) = (place, 0, 0, 0)
      (index, connection) = (Int64(later.index), later.connection.rawValue)
    }

    init(_ place: UInt64, reset notification: UInt64) {
      (self.place, content, token, identifier) = (place, notification, 0, 0)
      (index, connection) = (Self.reset, 0)
    }

    init(_ followed: Followed) {
      place = followed.place
      content = followed.content
      token = followed.token
      index = Int64(followed.discard.index)
      connection = followed.discard.connection.rawValue
      identifier = followed.identifier.rawValue
    }

    var isLater: Bool { content == 0 && token == 0 && identifier == 0 }
    var isReset: Bool { index == Self.reset && token == 0 && identifier == 0 && connection == 0 }

    /// Nil for the index of no discard.
    var followed: Followed? {
      guard let index = Int(exactly: index), index >= 0 else { return nil }
      return Followed(
        discard: Discard(connection: ConnectionID(rawValue: connection), index: index),
        token: token,
        content: content,
        identifier: NotificationIdentifier(rawValue: identifier),
        bytes: nil,
        place: place
      )
    }
  }
}
