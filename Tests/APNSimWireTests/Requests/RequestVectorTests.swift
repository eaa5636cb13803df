import APNSimTestSupport
import APNSimWire
import Testing

/// The cases of `fixtures/vectors/http2.json`, as far as one request shows them.
struct RequestVectorTests {
  struct Vector {
    let id: String
    let sample: RequestSample
    let status: Int
    let reason: String?
    let world: StatedWorld
    let isSandbox: Bool
    let headers: [String]
  }

  /// The world's answers for the vectors that a request alone does not decide: which provider token is good, whose
  /// topic it is, whose device and which channel there are.
  static let stated: [String: @Sendable (inout StatedWorld) -> Void] = [
    "F10": { $0.deviceToken = .badDeviceToken },
    "F11": { $0.deviceToken = .badDeviceToken },
    "F13": { $0.registration = .unregistered },
    "F19": { $0.authorization = .invalidProviderToken },
    "F21": { $0.authorization = .invalidProviderToken },
    "F22": { $0.authorization = .invalidProviderToken },
    "F26": {
      $0.authorization = .invalidProviderToken
      $0.deviceToken = .badDeviceToken
    },
    "F27": { $0.authorization = .tooManyProviderTokenUpdates },
    "F28": { $0.authorization = .invalidProviderToken },
    "F30": { $0.topic = .topicDisallowed },
    "F31": { $0.topic = .topicDisallowed },
    "F57": { $0.channel = .channelNotRegistered },
    "G17": { $0.authorization = .expiredProviderToken },
  ]

  static func vectors() throws -> [Vector] {
    let file = try JSONValue.parse(Fixture.data("vectors/http2.json"))
    return try #require(file.member("vectors")?.arrayValue).map(vector)
  }

  private static func vector(_ value: JSONValue) throws -> Vector {
    let auth = value.member("auth")?.stringValue ?? ""
    let isCertificate = auth.hasPrefix("cert:")
    var sample = RequestSample(
      path: value.member("path")?.stringValue ?? "",
      method: value.member("method")?.stringValue ?? "",
      ["apns-topic": nil, "authorization": nil]
    )
    switch auth {
    case "none": break
    case "BEARER": sample.headers.append(("authorization", "BEARER a.b.c"))
    case _ where auth.hasPrefix("Basic"): sample.headers.append(("authorization", auth))
    case _ where isCertificate: break
    default: sample.headers.append(("authorization", "bearer a.b.c"))
    }
    for header in value.member("headers")?.objectValue ?? [] {
      let text = header.value.stringValue ?? ""
      sample.headers.append((header.key, text == "<created>" ? "tvI2UK0vEfEAAA6GFnjo2Q==" : text))
    }
    let count = try #require(value.member("body_len")?.intValue)
    let body = Array((value.member("body")?.stringValue ?? "").utf8)
    sample.body = body.count == count ? body : Array(repeating: 0x20, count: count)
    let expected = try #require(value.member("expect"))
    let headers = ["expect_header", "expect_exact_header"].flatMap { value.member($0)?.objectValue ?? [] }
    return Vector(
      id: value.member("id")?.stringValue ?? "",
      sample: sample,
      status: try #require(expected.member("status")?.intValue),
      reason: expected.member("reason")?.stringValue,
      world: StatedWorld(hasCertificate: isCertificate, needsTopic: auth != "cert:com.example.sim"),
      isSandbox: value.member("environment")?.stringValue == "sandbox",
      headers: headers.map { "\($0.key): \($0.value.stringValue ?? "")" }
    )
  }

  @Test func `every vector comes out, with what the world says of some`() throws {
    for vector in try Self.vectors() {
      var world = vector.world
      Self.stated[vector.id]?(&world)
      let reason = vector.sample.reason(RequestRules(), world)
      #expect(reason?.name() == vector.reason, "\(vector.id)")
      let answer = vector.sample.answer(reason, sandbox: vector.isSandbox, channel: "AAAA")
      #expect(Int(answer.status) == vector.status, "\(vector.id)")
      for header in vector.headers {
        let isThere = answer.headers.contains {
          header.contains("<")
            ? $0.prefix { $0 != ":" } == header.prefix { $0 != ":" } : $0 == header
        }
        #expect(isThere, "\(vector.id): \(header)")
      }
    }
  }

  @Test func `the vectors that need the world are those that say what it answers`() throws {
    let vectors = try Self.vectors()
    let undecided = vectors.filter { $0.sample.reason(RequestRules(), $0.world)?.name() != $0.reason }.map(
      \.id
    )
    #expect(undecided.sorted() == Self.stated.keys.sorted())
    #expect(vectors.count == 44)
  }
}
