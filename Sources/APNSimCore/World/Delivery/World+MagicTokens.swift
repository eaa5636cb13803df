/// Devices that behave as their token says.
extension World {
  /// Settles a notification for such a device; nil leaves it to the usual way.
  mutating func settle(_ arrival: Arrival, _ magic: MagicToken) -> (Outcome, replaced: UInt64)? {
    switch magic.kind {
    case .refuse, .reason, .fault, .requestFault: return nil
    case .offline:
      // The first notification makes the device, and starts its way back.
      if magic.code > 0, devices.magicDevice(of: arrival.registration) == nil {
        schedule(.comeOnline(devices.beginMagic(of: arrival.registration)), at: now + magic.span)
      }
      return nil
    case .uninstalled:
      devices.uninstall(arrival.registration)
      guard magic.code > 0 else { return nil }
      if devices.magicDevice(of: arrival.registration) == nil {
        schedule(.refuse(devices.beginMagic(of: arrival.registration)), at: now + magic.span)
      }
      return (.refused, 0)
    case .react:
      // Past what may be under way it is there at once, like any other.
      return magic.code > 0 && postpone(arrival, by: magic.span) ? (.stored, 0) : nil
    }
  }

  /// The time is over after which a device that removed its app is listed, unless it has it again. The next
  /// notification starts that time anew.
  mutating func endRemoval(of device: MagicDevice) {
    devices.endMagic(of: device)
    guard !devices.registrations[device.registration].flags.contains(.installed) else { return }
    refuse(device.registration)
  }
}
