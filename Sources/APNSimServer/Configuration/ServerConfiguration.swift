package import APNSimCore
public import APNSimTLS

/// How a simulator meets the network: the one value that flags, environment, YAML and embedding tests build.
///
/// What the simulated service does is `Configuration`; this is where it listens, whom it lets in and what it writes.
/// The defaults stand here and nowhere else; `validate()` is the one place that says what fits together.
public struct ServerConfiguration: Hashable, Sendable {
  public var listening = Listening()
  public var tls = TLS()
  public var timing = Timing()
  public var capacity = Capacity()
  public var files = Files()
  public var control = Control()

  public init() {}

  /// Addresses and ports.
  public struct Listening: Hashable, Sendable {
    /// The address to listen on; nil is this machine only, 127.0.0.1 and ::1.
    public var host: String?
    /// 0 is any free port, here and below.
    public var gatewayPort = Int(Listener.gateway.usualPort(in: .production))
    public var feedbackPort = Int(Listener.feedback.usualPort(in: .production))
    /// The second environment's pair, used with `environment` both.
    public var sandboxGatewayPort = Int(Listener.gateway.usualPort(in: .sandbox))
    public var sandboxFeedbackPort = Int(Listener.feedback.usualPort(in: .sandbox))
    /// Where devices connect, of either environment; nil is nowhere.
    public var devicePort: Int? = Int(Listener.device.usualPort(in: .production))
    public var environment = EnvironmentChoice.production
    /// Every listener on any free port, whatever the ports above say.
    public var ephemeral = false

    public init() {}
  }

  /// Encryption and trust.
  public struct TLS: Hashable, Sendable {
    public var minimum = TLSVersion.v1_0
    /// 1.2 keeps the refusal of a certificate inside the handshake, where old clients look for it.
    public var maximum = TLSVersion.v1_2
    public var trust = TrustPolicy.authority
    /// PEM files of further CAs whose provider certificates are good.
    public var clientAuthorityFiles: [String] = []
    /// PEM files of additional revocation lists; reloaded when they change.
    public var revocationListFiles: [String] = []
    /// A file that gets the session secrets, as `SSLKEYLOGFILE` names it.
    public var keyLogFile: String?

    public init() {}
  }

  /// How long things may take, in real time.
  public struct Timing: Hashable, Sendable {
    /// How long the next read of a busy connection is put off, so that one wake-up reads many frames; 0 is never.
    public var readDelay = Duration.microseconds(100)
    /// How long a provider may be silent after an error response before its connection is closed for good. While
    /// it goes on writing it is read and discarded, up to five times as long.
    public var linger = Duration.seconds(2)
    /// How long a connection may be idle. The real gateway closed it after two hours.
    public var idleTimeout = Duration.seconds(7200)
    /// A provider that has said nothing for so long makes way where connections are at their limit.
    public var silence = Duration.seconds(10)
    /// From connecting to the end of the TLS handshake.
    public var handshakeTimeout = Duration.seconds(10)
    /// Between the last feedback tuple and close_notify: readers that get both at once lose the tuple.
    public var feedbackPause = Duration.milliseconds(100)
    /// How long a shutdown waits for what was received to be answered.
    public var drain = Duration.seconds(3)

    public init() {}
  }

  /// What the server holds at most, and how much of the machine it uses.
  public struct Capacity: Hashable, Sendable {
    /// Open connections; further ones wait to be accepted, and the oldest of those that have been silent for
    /// `Timing.silence` make way for them.
    public var connections = 20_000
    /// Connections that have not finished their TLS handshake; past it the oldest of them is dropped.
    public var handshakes = 4096
    /// Event loops; nil is one per core, at most 4.
    public var loops: Int?

    public init() {}
  }

  /// Where the control API is, and who may use it.
  public struct Control: Hashable, Sendable {
    /// Whether there is one.
    public var isOn = true
    /// 0 is any free one.
    public var port = 2199
    /// What a client has to say as `Authorization: Bearer …`; nil lets everybody in who can connect.
    public var token: String?
    /// Whether it may listen beyond loopback without a token.
    public var isInsecure = false

    public init() {}
  }

  /// What is read from and written to the disk.
  public struct Files: Hashable, Sendable {
    /// The directory of the CA and of the certificates that are made on first start.
    public var certificates = "certs"
    /// Where the journal is recorded; nil is nowhere.
    public var record: String?
    /// Where the endpoints are written once every listener is bound; nil is nowhere.
    public var endpoints: String?

    public init() {}
  }
}

/// Which of the two environments are served.
public enum EnvironmentChoice: String, Hashable, Sendable, CaseIterable {
  case production
  case sandbox
  /// Production on the first pair of ports, the sandbox on the second.
  case both

  /// That of the first gateway: what is meant where nobody names one.
  package var first: PushEnvironment { self == .sandbox ? .sandbox : .production }
}

/// Which provider certificates are believed.
public enum TrustPolicy: String, Hashable, Sendable, CaseIterable {
  /// Those signed by the simulator's CA or by a given one, and not revoked.
  case authority = "ca"
  /// Any at all; topic and environment are read from it.
  case any
}
