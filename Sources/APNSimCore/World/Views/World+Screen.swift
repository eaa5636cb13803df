import APNSimWire

/// The screens of devices: notifications that are shown, and those that later ones have replaced.
extension World {
  /// An app's place on a screen that one notification at a time has.
  private struct CollapsedPlace: Hashable {
    let app: UInt16
    let identifier: [UInt8]
  }

  /// The places on the screen of what was delivered to a device, in the order of the deliveries. Of two visible pushes over
  /// HTTP/2 with one collapse identifier, the later one replaces the earlier one (DOC).
  func screen(_ deliveries: [Delivery]) -> [DeviceNotification.ScreenPlace] {
    var (latest, places) = ([CollapsedPlace: UInt64](), [DeviceNotification.ScreenPlace]())
    for delivery in deliveries.reversed() {
      var place = DeviceNotification.ScreenPlace()
      if let collapsed = collapsedPlace(of: delivery) {
        let number = history.deliveries[delivery.ordinal].notification
        place.hiddenBy = latest.updateValue(number, forKey: collapsed)
      }
      places.append(place)
    }
    return places.reversed()
  }

  /// True for a delivery that a person sees, unless a later one has replaced it.
  func isVisible(_ delivery: Delivery) -> Bool {
    PayloadJudge.judge(history.payload(of: history.deliveries[delivery.ordinal])).facts.hasAlert
  }

  /// Nil for a delivery that no other one replaces.
  private func collapsedPlace(of delivery: Delivery) -> CollapsedPlace? {
    let number = history.deliveries[delivery.ordinal].notification
    guard history.notifications.contains(number) else { return nil }
    let record = history.notifications[number]
    guard case .http2 = record.interface, let evidence = RequestEvidence(history.evidence(of: record)) else {
      return nil
    }
    let identifier = evidence.request.collapseId.bytes(in: evidence.bytes)
    guard !identifier.isEmpty, isVisible(delivery) else { return nil }
    return CollapsedPlace(
      app: devices.registrations[delivery.registration].app,
      identifier: Array(identifier)
    )
  }
}
