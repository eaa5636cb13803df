import APNSimProvider
import APNSimTLS
import APNSimTestSupport
import ArgumentParser
import Testing

@testable import apnsim

@Suite struct `Where a provider connects` {
  private func resolve(
    _ arguments: [String],
    _ environment: [String: String] = [:],
    service: ProviderTarget.Service = .gateway,
    files: Set<String> = ["certs/provider.pem", "certs/ca.pem", "certs/provider-sandbox.pem"]
  ) throws -> ProviderTarget {
    try ProviderTarget.resolve(
      EndpointOptions.parse(arguments),
      service: service,
      environment: environment,
      exists: { files.contains($0) }
    )
  }

  @Test func `a provider connects by default to a server of this directory`() throws {
    let target = try resolve([])
    #expect(target.address == "127.0.0.1:2195")
    #expect(target.certificateFile == "certs/provider.pem")
    #expect(target.keyFile == "certs/provider.key")
    #expect(target.trust == .authority(caFiles: ["certs/ca.pem"]))
    #expect(try resolve([], service: .feedback).port == 2196)
    #expect(try resolve(["--environment", "sandbox"]).port == 2295)
    #expect(try resolve(["--environment", "sandbox"]).certificateFile == "certs/provider-sandbox.pem")
  }

  @Test func `a device looks in the same order`() throws {
    func device(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ProviderTarget {
      try ProviderTarget.resolve(DeviceOptions.parse(arguments), environment: environment) { _ in true }
    }
    let folder = try TemporaryDirectory()
    let file = try folder.write("e.json", #"{"version":1,"host":"127.0.0.1","device":11,"ca":"/x/ca.pem"}"#)
    let other = try folder.write("o.json", #"{"version":1,"host":"127.0.0.1","device":12,"ca":"/z/ca.pem"}"#)
    let environment = ["APNSIM_HOST": "::1", "APNSIM_DEVICE_PORT": "21", "APNSIM_CERTS": "y"]
    let named = try device(["--endpoints-file", file], environment)
    #expect(named.address == "127.0.0.1:11" && named.certificateFile == "/x/device.pem")
    #expect(try device(["--endpoints-file", file, "--port", "1"], environment).port == 1)
    let beside = environment.merging(["APNSIM_ENDPOINTS_FILE": other]) { $1 }
    #expect(
      try device([], beside).address == "[::1]:21" && device([], beside).certificateFile == "y/device.pem"
    )
    #expect(try device([], ["APNSIM_ENDPOINTS_FILE": other]).address == "127.0.0.1:12")
    #expect(try device([]).port == 5223)
    #expect(try device([]).keyFile == "certs/device.key" && device(["--key", "k"]).keyFile == "k")
  }

  @Test func `flags win over the endpoints file, it over the environment`() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write(
      "e.json",
      """
      {"version":1,"host":"127.0.0.1","gateway":11,"feedback":12,
       "ca":"x/ca.pem","providerCertificate":"x/p.pem","providerKey":"x/p.key"}
      """
    )
    let environment = [
      "APNSIM_HOST": "::1", "APNSIM_GATEWAY_PORT": "21", "APNSIM_FEEDBACK_PORT": "22",
      "APNSIM_CA_FILE": "y/ca.pem",
      "APNSIM_PROVIDER_CERT": "y/p.pem", "APNSIM_PROVIDER_KEY": "y/p.key",
    ]
    let fromEnvironment = try resolve([], environment)
    #expect(fromEnvironment.address == "[::1]:21")
    #expect(fromEnvironment.certificateFile == "y/p.pem")
    #expect(fromEnvironment.trust == .authority(caFiles: ["y/ca.pem"]))
    let fromFile = try resolve(["--endpoints-file", file], environment, service: .feedback)
    #expect(fromFile.address == "127.0.0.1:12")
    #expect(fromFile.keyFile == "x/p.key")
    let fromFlags = try resolve(
      ["--endpoints-file", file, "--host", "h", "--port", "1", "--cert", "c.p12", "--ca", "z.pem"],
      environment
    )
    #expect(fromFlags.address == "h:1")
    #expect(fromFlags.isPKCS12)
    #expect(fromFlags.trust == .authority(caFiles: ["z.pem"]))
    #expect(try resolve(["--insecure"], environment).trust == .anyServer)
  }

  @Test func `a directory of certificates wins over what the environment says`() throws {
    let target = try resolve(
      ["--certs", "mine"],
      ["APNSIM_PROVIDER_CERT": "y/p.pem", "APNSIM_CA_FILE": "y/ca.pem"],
      files: ["mine/provider.pem", "mine/ca.pem"]
    )
    #expect(target.certificateFile == "mine/provider.pem")
    #expect(target.trust == .authority(caFiles: ["mine/ca.pem"]))
  }

  @Test func `a provider without a certificate gets a hint`() {
    let failure = #expect(throws: CommandFailure.self) { try resolve([], files: []) }
    #expect(failure?.status == .badConfiguration)
    #expect(failure?.hints.isEmpty == false)
  }

  @Test(arguments: [
    "[]", "{}", #"{"aps":{"alert":"hi"}}"#, #"{"version":1,"gateway":70000}"#, #"{"version":1,"gateway":0}"#,
  ])
  func `a file that is no endpoints file is named`(text: String) throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("e.json", text)
    let failure = #expect(throws: CommandFailure.self) { try resolve(["--endpoints-file", file]) }
    #expect(failure?.message == "\(file): is not an apnsim endpoints file")
  }

  @Test func `the sandbox has its own certificate and, with one environment served, the file's only ports`()
    throws
  {
    let folder = try TemporaryDirectory()
    let file = try folder.write(
      "e.json",
      #"{"gateway":11,"feedback":12,"providerCertificate":"x/provider.pem"}"#
    )
    let arguments = ["--endpoints-file", file, "--environment", "sandbox"]
    let target = try resolve(arguments, files: ["x/provider-sandbox.pem"])
    #expect(target.port == 11)
    #expect(target.certificateFile == "x/provider-sandbox.pem")
    #expect(target.keyFile == "x/provider-sandbox.key")
    #expect(try resolve(arguments, files: []).certificateFile == "x/provider.pem")
  }

  @Test func `where variables name certificates, the sandbox has the one beside production's`() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("e.json", #"{"gateway":11,"providerCertificate":"y/provider.pem"}"#)
    let variables = [
      "APNSIM_SANDBOX_GATEWAY_PORT": "31", "APNSIM_CERTS": "y", "APNSIM_PROVIDER_CERT": "y/provider.pem",
      "APNSIM_PROVIDER_KEY": "y/provider.key",
    ]
    let sandbox = ["--environment", "sandbox"]
    for environment in [variables, ["APNSIM_ENDPOINTS_FILE": file]] {
      let target = try resolve(sandbox, environment, files: ["y/provider-sandbox.pem"])
      #expect(target.certificateFile == "y/provider-sandbox.pem")
      #expect(target.keyFile == "y/provider-sandbox.key")
      #expect(try resolve([], environment).certificateFile == "y/provider.pem")
    }
    #expect(try resolve(sandbox, variables).port == 31)
    let own = variables.merging(["APNSIM_PROVIDER_CERT": "mine.pem"]) { $1 }
    #expect(try resolve(sandbox, own, files: ["y/provider-sandbox.pem"]).certificateFile == "mine.pem")
  }

  @Test(arguments: ["x", "-1", "65536", "2195 "]) func `a variable that is no port is named`(text: String) {
    let failure = #expect(throws: CommandFailure.self) { try resolve([], ["APNSIM_GATEWAY_PORT": text]) }
    #expect(failure?.status == .badConfiguration)
    #expect(failure?.message == "APNSIM_GATEWAY_PORT: expected a port from 1 to 65535, found \"\(text)\"")
  }

  @Test func `a variable that is not asked is not read, and one for any free port says nothing`() throws {
    #expect(try resolve(["--port", "7"], ["APNSIM_GATEWAY_PORT": "x"]).port == 7)
    #expect(try resolve([], ["APNSIM_FEEDBACK_PORT": "x"]).port == 2195)
    #expect(try resolve([], ["APNSIM_GATEWAY_PORT": "0"]).port == 2195)
  }
}
