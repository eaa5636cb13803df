package import APNSimCore
package import APNSimWire

/// A page of notifications.
struct NotificationsAnswer: JSONObject {
  let notifications: [NotificationView]
  let next: NotificationNumber?
  let counts: (matched: Int, kept: Int)?

  static let shape = JSONShape<Self>("NotificationPage") {
    $0.list("notifications") { $0.notifications }
    $0.member("next", "The cursor to continue after, or with order=newest before; null at the end.") {
      $0.next
    }
    $0.optional("matched", "With counts=true: how many in the history match.", .least(0)) {
      $0.counts?.matched
    }
    $0.optional("kept", "With counts=true: how many the history has.", .least(0)) { $0.counts?.kept }
  }
}

/// The history in slices of time.
struct HistogramAnswer: JSONObject {
  let from: Timestamp
  let bars: HistoryBars

  static let shape = JSONShape<Self>(
    "Histogram",
    example: """
      {"from": "2012-06-01T00:00:00.000Z", "to": "2012-06-01T00:00:02.000Z", "step": 1000,
       "bars": [{"at": "2012-06-01T00:00:00.000Z", "accepted": 18, "refused": 0},
                {"at": "2012-06-01T00:00:01.000Z", "accepted": 2, "refused": 16}],
       "marks": [{"at": "2012-06-01T00:00:01.000Z", "kind": "burst", "text": "16 refused, mostly 410 Unregistered"}]}
      """
  ) {
    $0.member("from") { $0.from }
    $0.member("to", "The end of the last slice.") { $0.bars.end }
    $0.member("step", "The length of a slice, in milliseconds.", .least(1)) { $0.bars.step.milliseconds }
    $0.list("bars") { answer in answer.bars.accepted.indices.map { Bar(bars: answer.bars, place: $0) } }
    $0.list("marks", "What changed in that time, in order.", counts: 0...HistoryBars.mostMarks) {
      $0.bars.changes
    }
  }

  private struct Bar: JSONObject {
    let bars: HistoryBars
    let place: Int

    static let shape = JSONShape<Self> {
      $0.member("at", "The beginning of the slice.") { $0.bars.beginning(of: $0.place) }
      $0.member("accepted", "Neither refused nor lost.", .least(0)) { $0.bars.accepted[$0.place] }
      $0.member("refused", "Answered with an error, or lost with one.", .least(0)) {
        $0.bars.refused[$0.place]
      }
    }
  }
}

extension HistoryBars.Mark: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member("at") { $0.at }
    $0.member("kind") { $0.kind }
    $0.member("text") { $0.text }
  }
}
