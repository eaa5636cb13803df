import APNSimCore
import APNSimServer
import APNSimWire
import Synchronization

extension APNSimulator {
  /// The device of that name with an app on it. A device that is not there is added, and so is the app.
  /// - Parameters:
  ///   - name: any; queries and rules mean the device by it.
  ///   - topic: the app's bundle ID.
  ///   - online: whether it is to be online; nil leaves it as it is, online if it is new.
  @discardableResult
  public func device(
    _ name: String,
    topic: String = APNSimulator.topic,
    online: Bool? = nil
  ) throws -> Device {
    let app = AppKey(topic: topic, environment: .production)
    return try devices.withLock { _ in try device(name, app, online: online) }
  }

  /// Looks, and adds what is not there: one after the other, so that nobody takes away what another has just added.
  private func device(_ name: String, _ app: AppKey, online: Bool?) throws -> Device {
    if let known = simulator.device(name) {
      let hasApp = known.apps.contains { $0.app == app }
      if !hasApp || online.map({ $0 != known.isOnline }) ?? false {
        let installation = DeviceChange.Apps.one(
          topic: app.topic,
          environment: app.environment,
          .init(isInstalled: true)
        )
        try server.perform(
          .changeDevice(
            DeviceChange(device: known.reference, isOnline: online, apps: hasApp ? nil : installation)
          )
        )
      }
    } else {
      let apps = [AppSpecification(app: app)]
      try server.perform(
        .putDevice(DeviceSpecification(name: name, isOnline: online ?? true, apps: apps))
      )
    }
    guard let view = simulator.device(name), let token = view.apps.first(where: { $0.app == app })?.token
    else { throw CommandError.unknownDevice(name) }
    return Device(apns: self, name: view.reference, topic: app.topic, token: Hex.encode(token))
  }

  /// A device with an app on it, whose token a provider sends to.
  public struct Device: Sendable {
    let apns: APNSimulator
    /// The name by which queries and rules mean it.
    public let name: String
    /// The app's bundle ID.
    public let topic: String
    /// The device token of the app, in hex digits.
    public let token: String

    private var app: AppKey { AppKey(topic: topic, environment: .production) }
    private var view: DeviceView? { apns.simulator.device(name) }
    private var appView: DeviceView.AppView? { view?.apps.first { $0.app == app } }

    /// True while notifications reach it; otherwise the last one waits.
    public var isOnline: Bool { view?.isOnline ?? false }

    /// The number on the app's icon; 0 is none.
    public var badge: Int { Int(appView?.badge ?? 0) }

    /// The notifications that its user has been shown by the app, oldest first.
    public var inbox: [ShownNotification] { shown(apns.simulator.inbox(of: name)?.notifications) }

    /// The notification that waits for it to come online; nil for none.
    public var stored: ShownNotification? { shown(apns.simulator.stored(for: name)).last }

    private func shown(_ notifications: [DeviceNotification]?) -> [ShownNotification] {
      (notifications ?? []).filter { $0.app == app }.map { ShownNotification($0) }
    }

    /// Comes online: what waits is delivered.
    public func goOnline() throws { try apns.server.perform(.setOnline(device: name, true)) }

    /// Goes offline: from now on the last notification waits.
    public func goOffline() throws { try apns.server.perform(.setOnline(device: name, false)) }

    /// Removes the app: over HTTP/2 its token is answered 410 Unregistered, over the binary interface it is listed by
    /// the feedback service.
    public func uninstall() throws {
      try apns.server.perform(.setInstalled(device: name, app: app, false))
    }

    /// Gives the app another token: the one before is answered as if the app were gone.
    /// - Returns: the device with its token from now on.
    @discardableResult
    public func rotateToken() throws -> Device {
      try apns.server.perform(.rotateTokens(device: name, app: app))
      let token = appView.map { Hex.encode($0.token) } ?? token
      return Device(apns: apns, name: name, topic: topic, token: token)
    }

    /// Installs the app again, with the same token.
    public func install() throws { try apns.server.perform(.setInstalled(device: name, app: app, true)) }
  }
}
