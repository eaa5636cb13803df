/// Finding places in the total order.
extension History {
  /// The number of the first notification that has this sequence number or a later one.
  func firstNotification(from seq: UInt64) -> UInt64 {
    var (low, high) = (notifications.first, notifications.end)
    while low < high {
      let middle = low + (high - low) / 2
      if notifications[middle].seq < seq { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The count of the first event that has this sequence number or a later one.
  func firstEvent(from seq: UInt64) -> UInt64 {
    var (low, high) = (firstEvent, endEvent)
    while low < high {
      let middle = low + (high - low) / 2
      if event(middle).seq < seq { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
