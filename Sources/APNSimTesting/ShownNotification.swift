import APNSimCore

extension APNSimulator {
  /// A notification as a phone shows it.
  public struct ShownNotification: Hashable, Sendable, Identifiable {
    /// The notification's name in the journal: `n57`.
    public let id: String
    /// Above the text; nil without one.
    public let title: String?
    /// Below the title; nil without one.
    public let subtitle: String?
    /// The alert's text, localised where the scenario has the app's strings; nil where no alert is shown.
    public let body: String?
    /// The number that it sets on the icon, 0 to remove it; nil where it leaves it.
    public let badge: Int?
    /// The sound's file, `default` for the standard one; nil for none.
    public let sound: String?
    /// The payload as sent.
    public let payload: [UInt8]

    init(_ notification: DeviceNotification) {
      let presentation = notification.presentation
      id = notification.id
      title = presentation?.alert?.title
      subtitle = presentation?.alert?.subtitle
      body = presentation?.alert?.text
      badge =
        switch presentation?.badge {
        case .set(let number): number
        case .removed: 0
        case .unchanged, nil: nil
        }
      sound =
        switch presentation?.sound {
        case .file(let name): name
        case .standard: "default"
        case .silent, nil: nil
        }
      payload = notification.payload
    }
  }
}
