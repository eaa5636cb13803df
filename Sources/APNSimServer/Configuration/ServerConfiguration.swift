package import APNSimCore
public import APNSimTLS

/// The configuration of a server: the one value that flags, environment, YAML and embedding tests build.
///
/// `Configuration` describes the behaviour of the simulated service; this one describes where it listens, whom it
/// admits and what it writes. The defaults are declared here and nowhere else; `validate()` alone checks how values
/// fit together.
public struct ServerConfiguration: Hashable, Sendable {
  public var listening = Listening()
  public var tls = TLS()
  public var requests = Requests()
  public var timing = Timing()
  public var capacity = Capacity()
  public var files = Files()
  public var control = Control()

  public init() {}

  /// Addresses and ports.
  public struct Listening: Hashable, Sendable {
    /// The address to listen on; nil is this machine only, 127.0.0.1 and ::1.
    public var host: String?
    /// The gateway's port; 0 for any free one, here and below.
    public var gatewayPort = Int(Listener.gateway.usualPort(in: .production))
    public var feedbackPort = Int(Listener.feedback.usualPort(in: .production))
    /// The sandbox's pair of ports, used with `environment` both.
    public var sandboxGatewayPort = Int(Listener.gateway.usualPort(in: .sandbox))
    public var sandboxFeedbackPort = Int(Listener.feedback.usualPort(in: .sandbox))
    /// The port of requests over HTTP/2; nil for none.
    public var http2Port: Int? = Int(Listener.http2.usualPort(in: .production))
    /// The sandbox's, used with `environment` both.
    public var sandboxHTTP2Port: Int? = Int(Listener.http2.usualPort(in: .sandbox))
    /// The port for devices of either environment; nil for none.
    public var devicePort: Int? = Int(Listener.device.usualPort(in: .production))
    public var environment = EnvironmentChoice.production
    /// True to bind every listener to any free port and ignore the ports above.
    public var ephemeral = false
    /// True to stand in Apple's place: requests on Apple's second port too, and a connection's environment follows from the
    /// name of Apple's that it asks for.
    public var asApple = false

    public init() {}
  }

  /// Encryption and trust.
  public struct TLS: Hashable, Sendable {
    public var minimum = TLSVersion.v1_0
    /// The highest version. 1.2 keeps the refusal of a certificate inside the handshake, where old clients expect it.
    public var maximum = TLSVersion.v1_2
    public var trust = TrustPolicy.authority
    /// PEM files of further CAs whose provider certificates are accepted.
    public var clientAuthorityFiles: [String] = []
    /// PEM files of additional revocation lists; reloaded when they change.
    public var revocationListFiles: [String] = []
    /// Further names and addresses in the server's certificate, which is made anew when they change; empty leaves it.
    public var serverNames: [String] = []
    /// A file for the session secrets, in the format of `SSLKEYLOGFILE`.
    public var keyLogFile: String?

    public init() {}
  }

  /// Requests over HTTP/2.
  public struct Requests: Hashable, Sendable {
    /// Files of further keys whose provider tokens are good, each `FILE` or `FILE:TEAM`; one of them may be a key's text in PEM.
    public var authKeys: [String] = []
    /// The identifier of the one of ``authKeys`` that has none in its name; nil where each has.
    public var keyID: String?
    public var providerTokens = ProviderTokenTrust.known
    /// The streams that a connection may have open: SETTINGS_MAX_CONCURRENT_STREAMS.
    public var maxStreams = 1000
    /// The same until the first good provider token; nil for as many from the beginning.
    public var firstTokenStreams: Int?

    public init() {}
  }

  /// Durations in real time.
  public struct Timing: Hashable, Sendable {
    /// The time by which the next read of a busy connection is postponed, so that one wake-up reads many frames; 0
    /// for never.
    public var readDelay = Duration.microseconds(100)
    /// The time that a provider may be silent after an error response before its connection is closed. While it goes
    /// on writing, its input is discarded, up to five times as long.
    public var linger = Duration.seconds(2)
    /// The time after which an idle connection is closed. The real gateway closed it after two hours.
    public var idleTimeout = Duration.seconds(7200)
    /// The time after which a silent provider makes way for others when the limit of connections is reached.
    public var silence = Duration.seconds(10)
    /// The maximum time from connecting to the end of the TLS handshake.
    public var handshakeTimeout = Duration.seconds(10)
    /// The time after which a request over HTTP/2 that was begun and not finished is refused, within half as much again.
    public var requestTimeout = Duration.seconds(300)
    /// The pause between an error response and close_notify: clients that get both at once, and look at the end first,
    /// drop the six bytes. 0 for none.
    public var endingPause = Duration.milliseconds(100)
    /// The pause between the last feedback tuple and close_notify: readers that get both at once lose the tuple.
    public var feedbackPause = Duration.milliseconds(100)
    /// The time that a shutdown waits until the received notifications are answered.
    public var drain = Duration.seconds(3)
    /// The time that a handshake may still take when the simulator is shutting down.
    public var lateHandshake = Duration.milliseconds(250)

    public init() {}
  }

  /// The limits of connections and threads.
  public struct Capacity: Hashable, Sendable {
    /// The maximum number of open connections; further ones wait to be accepted, and the oldest of those that have
    /// been silent for `Timing.silence` make way for them.
    public var connections = 20_000
    /// The maximum number of connections in their TLS handshake; beyond it, the oldest of them is dropped.
    public var handshakes = 4096
    /// The bytes that peers of all connections of requests may make the server hold: requests that are not finished, answers
    /// that are not read. A connection that finds no room ends; shares of up to 16 KiB do not count.
    public var heldBytes = 256 << 20
    /// The number of event loops; nil for one per core, at most 4.
    public var loops: Int?

    public init() {}
  }

  /// The control API's port and access.
  public struct Control: Hashable, Sendable {
    /// True if the control API is served.
    public var isOn = true
    /// The port; 0 for any free one.
    public var port = 2199
    /// The token that a client must send as `Authorization: Bearer …`; nil admits everybody who can connect.
    public var token: String?
    /// True to allow it beyond loopback without a token.
    public var isInsecure = false
    /// True to hand out the provider's private keys to whoever has access, as providers in other containers need them.
    public var sharesCredentials = false
    /// The page for people on the control API's port.
    public var page = PageMode.on

    public init() {}
  }

  /// Paths of files that are read and written.
  public struct Files: Hashable, Sendable {
    /// The directory of the CA and of the certificates that are made on first start.
    public var certificates = "certs"
    /// The file to which the journal is recorded; nil for none.
    public var record: String?
    /// The file to which the endpoints are written once every listener is bound; nil for none.
    public var endpoints: String?

    public init() {}
  }
}

/// The environments that are served.
public enum EnvironmentChoice: String, Hashable, Sendable, CaseIterable {
  case production
  case sandbox
  /// Production on the first pair of ports, the sandbox on the second.
  case both

  /// The environment of the first gateway, the default where none is named.
  package var first: PushEnvironment { self == .sandbox ? .sandbox : .production }
}

/// The offer of the page for people.
public enum PageMode: String, Hashable, Sendable, CaseIterable {
  /// Looking and steering.
  case on
  /// Looking alone. The control API stays as it is.
  case readOnly = "read-only"
  /// There is no page.
  case off
}

/// The provider tokens that are good.
public enum ProviderTokenTrust: String, Hashable, Sendable, CaseIterable {
  /// Tokens that a known key has signed.
  case known
  /// Any well-formed ES256 token, unverified.
  case any
}

/// The provider certificates that are accepted.
public enum TrustPolicy: String, Hashable, Sendable, CaseIterable {
  /// Certificates signed by the simulator's CA or by a given one, and not revoked.
  case authority = "ca"
  /// Any certificate; topic and environment are read from it.
  case any
}
