import APNSimControl
import APNSimCore
import APNSimServer
import APNSimTLS
import Foundation

extension Banner {
  /// The banner of a running server.
  init(_ endpoints: APNSimServer.Endpoints, _ directory: PKIDirectory, _ plan: ServePlan, seed: UInt64) {
    func address(_ port: Int) -> String { HostPort(endpoints.host, port).description }
    pairs = [Pair(gateway: address(endpoints.gatewayPort), feedback: address(endpoints.feedbackPort))]
    if let gateway = endpoints.sandboxGatewayPort, let feedback = endpoints.sandboxFeedbackPort {
      pairs.append(Pair(gateway: address(gateway), feedback: address(feedback), environment: "sandbox"))
    }
    devices = endpoints.devicePort.map { address($0) }
    control = endpoints.control
    authority = Self.shown(endpoints.authorityFile)
    provider = [endpoints.providerCertificateFile, endpoints.providerPKCS12File].map { Self.shown($0) }
    let identity = try? directory.identity(of: directory.provider)
    topic = identity.flatMap { PeerCertificate($0.certificate).topicNames.first } ?? PKIDirectory.defaultTopic
    self.seed = seed
    if case .virtual(let start) = plan.scenario.clock {
      clock = "virtual" + (start.map { ", \($0)" } ?? "")
    }
    scenario = plan.run.scenario.map { plan.scenario.name.isEmpty ? $0 : plan.scenario.name }
    place = Self.place(host: endpoints.host, port: endpoints.gatewayPort, plan.server)
  }

  /// What `send` has to be told of a server that is not where it looks by itself.
  static func place(host: String, port: Int, _ server: ServerConfiguration) -> [String] {
    let environment = server.listening.environment.first
    var place: [String] = []
    if host != "127.0.0.1" { place += ["--host", host] }
    if environment == .sandbox { place += ["--environment", "sandbox"] }
    if port != Endpoints.usualPort(.gateway, environment) { place += ["--port", "\(port)"] }
    if server.files.certificates != "certs" { place += ["--certs", shown(server.files.certificates)] }
    guard !place.isEmpty, let file = server.files.endpoints else { return place }
    return ["--endpoints-file", shown(file)]
  }

  /// A file's path as people type it where they are.
  private static func shown(_ path: String) -> String {
    let here = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }
}
