/// Devices that behave as their token says.
extension World {
  /// Settles a notification for such a device; nil leaves it to the usual way.
  mutating func settle(_ arrival: Arrival, _ magic: MagicToken) -> (Outcome, replaced: UInt64)? {
    switch magic.kind {
    case .refuse, .fault: return nil
    case .offline:
      // The first notification makes the device, and starts its way back.
      if magic.code > 0, devices.magicDevice(of: arrival.registration) == nil {
        schedule(.comeOnline(devices.beginMagic(of: arrival.registration)), at: now + magic.span)
      }
      return nil
    case .uninstalled:
      devices.registrations[arrival.registration].flags.remove(.installed)
      guard magic.code > 0 else { return nil }
      if devices.magicDevice(of: arrival.registration) == nil {
        schedule(.refuse(devices.beginMagic(of: arrival.registration)), at: now + magic.span)
      }
      return (.refused, 0)
    case .react:
      guard magic.code > 0 else { return nil }
      let settled = store(arrival)
      // One that takes another's place goes with the other's moment.
      if settled.0 == .stored, settled.replaced == 0 {
        let known = devices.magicDevice(of: arrival.registration)
        let device = known ?? devices.beginMagic(of: arrival.registration)
        schedule(.deliver(device), at: now + magic.span)
      }
      return settled
    }
  }
}
