import APNSimTestSupport
import APNSimWire
import ArgumentParser
import Foundation
import Testing

@testable import apnsim

@Suite struct `Where the control API is looked for` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func resolve(_ flags: [String], _ environment: [String: String] = [:]) throws -> ControlTarget {
    try ControlTarget.resolve(try ControlOptions.parse(flags), environment: environment)
  }

  @Test func `flag, endpoints file, environment and the usual port name the control API, in this order`()
    throws
  {
    let file = try folder.write("e.json", #"{"version":1,"control":"http://127.0.0.1:3"}"#)
    let environment = ["APNSIM_CONTROL_URL": "http://127.0.0.1:4", "APNSIM_CONTROL_TOKEN": "secret"]
    let flag = ["--control", "http://127.0.0.1:2"]
    #expect(try resolve(flag + ["--endpoints-file", file], environment).url.port == 2)
    #expect(try resolve(["--endpoints-file", file], environment).url.port == 3)
    #expect(try resolve([], environment).url.port == 4)
    #expect(try resolve([], environment).token == "secret")
    #expect(try resolve(["--control-token", "other"], environment).token == "other")
    #expect(try resolve([]).url == ControlURL(host: "127.0.0.1", port: 2199))
    #expect(try resolve([]).token == nil)
  }

  @Test func `a server that was started in the same environment is found`() throws {
    let file = try folder.write("e.json", #"{"version":1,"control":"http://127.0.0.1:3"}"#)
    let environment = ["APNSIM_ENDPOINTS_FILE": file, "APNSIM_CONTROL_PORT": "5"]
    #expect(try resolve([], environment).url.port == 3)
    #expect(
      try resolve([], environment.merging(["APNSIM_CONTROL_URL": "http://127.0.0.1:4"]) { $1 }).url.port == 4
    )
    #expect(try resolve([], ["APNSIM_CONTROL_PORT": "5"]).url == ControlURL(host: "127.0.0.1", port: 5))
    #expect(try resolve([], ["APNSIM_CONTROL_PORT": "0"]).url.port == 2199)
    let wrong = #expect(throws: CommandFailure.self) { try resolve([], ["APNSIM_CONTROL_PORT": "x"]) }
    #expect(wrong?.status == .badConfiguration)
  }

  @Test func `a server at another address is found by the setting of its host`() throws {
    func url(_ environment: [String: String]) throws -> String { try "\(resolve([], environment).url)" }
    #expect(try url(["APNSIM_HOST": "apnsim"]) == "http://apnsim:2199")
    #expect(try url(["APNSIM_HOST": "10.0.0.7", "APNSIM_CONTROL_PORT": "5"]) == "http://10.0.0.7:5")
    #expect(try url(["APNSIM_HOST": "fd00::7"]) == "http://[fd00::7]:2199")
    for everywhere in ["0.0.0.0", "::", "loopback", "localhost", ""] {
      #expect(try url(["APNSIM_HOST": everywhere]) == "http://127.0.0.1:2199", "\(everywhere)")
    }
    let named = ["APNSIM_HOST": "apnsim", "APNSIM_CONTROL_URL": "http://127.0.0.1:4"]
    #expect(try url(named) == "http://127.0.0.1:4")
    #expect(
      try resolve([], ["APNSIM_HOST": "apnsim", "APNSIM_CONTROL_PORT": "5"]).source.contains("APNSIM_HOST")
    )
  }

  @Test func `the sandbox is that of a flag, then of the environment, then of an address there`() throws {
    let address = "http://127.0.0.1:4/api/v1/sandboxes/s4"
    let environment = ["APNSIM_SANDBOX": "s2", "APNSIM_CONTROL_URL": address]
    #expect(try resolve(["--sandbox", "s1", "--control", address], environment).sandbox == "s1")
    #expect(try resolve(["--control", address], environment).sandbox == "s4")
    #expect(try resolve(["--control", "http://127.0.0.1:2"], environment).sandbox == "s2")
    #expect(try resolve([], environment).sandbox == "s2")
    #expect(try resolve([], ["APNSIM_CONTROL_URL": address, "APNSIM_SANDBOX": ""]).sandbox == "s4")
    #expect(try resolve([]).sandbox == nil)
  }

  @Test func `no other control API is taken for one that is not there`() throws {
    let none = ["APNSIM_CONTROL_URL": "none"]
    let failure = #expect(throws: CommandFailure.self) { try resolve([], none) }
    #expect(failure?.status == .unreachable)
    #expect(try resolve(["--control", "http://127.0.0.1:2"], none).url.port == 2)
  }

  @Test func `an address may have the API's path, a sandbox, or no scheme`() {
    #expect(ControlURL(argument: "http://localhost:1/api/v1/")?.description == "http://localhost:1")
    #expect(ControlURL(argument: "http://[::1]:1")?.authority == "[::1]:1")
    #expect(ControlURL(argument: "http://h:1/api/v1/sandboxes/s1")?.sandbox == "s1")
    #expect(ControlURL(argument: "127.0.0.1")?.port == 2199)
    #expect(ControlURL(argument: "http://h")?.port == 80)
    for wrong in ["https://h:1", "http://", "", "http://h:99999", "http://h:1/other", "http://h:1/?a=b"] {
      #expect(ControlURL(argument: wrong) == nil, "\(wrong)")
    }
  }

  @Test func `a place that names none is a bad configuration`() throws {
    let file = try folder.write("e.json", #"{"version":1}"#)
    #expect(throws: CommandFailure.self) { try resolve(["--endpoints-file", file]) }
    #expect(throws: CommandFailure.self) { try resolve([], ["APNSIM_CONTROL_URL": "nonsense://"]) }
  }

  @Test func `names are escaped in paths and queries`() {
    let request = ControlRequest(.get, "devices", "Zoë/1", query: [("query", "alert~\"a b\"")])
    #expect(request.target(sandbox: nil) == "/api/v1/devices/Zo%C3%AB%2F1?query=alert~%22a%20b%22")
    #expect(request.target(sandbox: "s1").hasPrefix("/api/v1/sandboxes/s1/devices/"))
  }

  @Test func `a problem is told in its words, with its place and hint`() {
    let target = ControlTarget(url: .usual, source: "the default")
    let problem = ControlAnswer(
      status: 400,
      type: "application/problem+json",
      bytes: Array(
        #"{"title":"Bad request body","status":400,"detail":"expected \u001b 1","pointer":"/a","hint":"try 1"}"#
          .utf8
      )
    )
    #expect(
      ControlProblem.failure(problem, target).lines == [
        "apnsim: error: /a: expected \u{FFFD} 1", "hint: try 1",
      ]
    )
    let other = ControlAnswer(status: 502, type: "text/html", bytes: Array("<html>".utf8))
    #expect(ControlProblem.failure(other, target).message == "http://127.0.0.1:2199 answered 502: \"<html>\"")
  }
}
