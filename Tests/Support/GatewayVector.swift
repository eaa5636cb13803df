package import APNSimCore
import APNSimWire
import Foundation
import Testing

/// One conformance case of `fixtures/vectors/gateway.json`: bytes in, bytes out, and what became of them.
package struct GatewayVector: Sendable, CustomStringConvertible {
  package var id: String
  package var name: String
  package var settings: [String: String]
  package var send: [UInt8]
  package var expected: Expected
  /// The outcome of the same bytes under the lenient policy, where the case has one.
  package var lenient: Expected?
  package var deviceDrops: Bool?
  package var delivered: [[UInt8]]?
  package var stored: [[UInt8]]?
  package var storedPayload: [UInt8]?

  package struct Expected: Sendable {
    package var reply: [UInt8]
    package var closes: Bool
    package var accepted: [[UInt8]]
  }

  package var description: String { "\(id): \(name)" }

  package static let topic = "com.example.sim"

  /// The devices every case finds.
  package static let devices: [DeviceSpecification] = {
    let production = AppKey(topic: topic, environment: .production)
    let sandbox = AppKey(topic: topic, environment: .sandbox)
    let other = AppKey(topic: "com.example.other", environment: .production)
    func device(_ name: String, _ app: AppKey, _ byte: UInt8, online: Bool = true, installed: Bool = true)
      -> DeviceSpecification
    {
      DeviceSpecification(
        name: name,
        isOnline: online,
        apps: [AppSpecification(app: app, token: Array(repeating: byte, count: 32), isInstalled: installed)]
      )
    }
    let online = Hex.decode("96385da767191121a851963983fdac9bbdf74dcf6219ae14ed8d082288aaebaf")
    return [
      DeviceSpecification(name: "online", apps: [AppSpecification(app: production, token: online)]),
      device("offline", production, 0x0F, online: false),
      device("uninstalled", production, 0xD0, installed: false),
      device("other_topic", other, 0x07),
      device("sandbox_only", sandbox, 0x5B),
    ]
  }()

  /// The configuration that a case asks for.
  package func configuration(lenient: Bool = false) throws -> Configuration {
    var configuration = Configuration()
    for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
      try #require(Setting.named(name)).apply(value, to: &configuration)
    }
    if lenient { configuration.payload = .lenient }
    return configuration
  }

  package static let all: [GatewayVector] = (try? load()) ?? []

  private static func load() throws -> [GatewayVector] {
    let file = try JSONSerialization.jsonObject(with: Fixtures.data("vectors/gateway.json"))
    let vectors = try #require((file as? [String: Any])?["vectors"] as? [[String: Any]])
    return try vectors.map(GatewayVector.init)
  }

  private init(_ object: [String: Any]) throws {
    id = try #require(object["id"] as? String)
    name = try #require(object["name"] as? String)
    send = try #require((object["send"] as? String).flatMap { Hex.decode($0) })
    let raw = try #require(object["settings"] as? [String: Any])
    settings = raw.mapValues { value in
      (value as? [Int])?.map(String.init).joined(separator: ",") ?? value as? String ?? ""
    }
    let expect = try #require(object["expect"] as? [String: Any])
    expected = try Expected(expect)
    delivered = (expect["delivered"] ?? object["delivered"]).flatMap { Self.tokens($0) }
    stored = (expect["stored"] ?? object["stored"]).flatMap { Self.tokens($0) }
    let payload = expect["stored_payload_hex"] ?? object["stored_payload_hex"]
    storedPayload = (payload as? String).flatMap { Hex.decode($0) }
    if let other = object["lenient_expect"] as? [String: Any] {
      lenient = try Expected(other)
      deviceDrops = other["device_drops"] as? Bool
    }
  }

  private static func tokens(_ value: Any) -> [[UInt8]]? {
    (value as? [String])?.compactMap { Hex.decode($0) }
  }
}

extension GatewayVector.Expected {
  init(_ object: [String: Any]) throws {
    reply = try #require((object["reply_hex"] as? String).flatMap { Hex.decode($0) })
    closes = try #require(object["close"] as? Bool)
    accepted = try #require(object["accepted"] as? [String]).compactMap { Hex.decode($0) }
  }
}
