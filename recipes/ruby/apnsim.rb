# A push service of its own for each test of Minitest: apnsim, and what can be asked of it. Standard library only.
#
#   class OrdersTest < Minitest::Test
#     include Apnsim::Testing
#
#     def test_an_order_is_announced
#       token = apnsim.device("alice")
#       MyProvider.notify(token, host: apnsim[:host], port: apnsim[:http2], ca: apnsim[:ca], ...)
#       apnsim.wait('device:alice alert~"order"')
#     end
#   end
#
# Copy this file. APNSIM_BIN says where the program is; otherwise it is looked for on the PATH.
require "erb"
require "json"
require "minitest"
require "net/http"
require "open3"

class Apnsim
  PROGRAM = ENV.fetch("APNSIM_BIN", "apnsim")
  TOPIC = "com.example.app" # the provider's certificate is for this one

  class << self
    # The control URL of the simulator that all tests share, started when the first one needs it.
    def control = @control ||= start

    # A sandbox in it: ports, devices and a journal that no other test sees.
    def create = new(request("POST", "#{control}/api/v1/sandboxes"))

    # One request; the JSON of its answer, if it has one.
    def request(method, url, body = nil)
      uri = URI(url)
      answer = Net::HTTP.start(uri.host, uri.port, read_timeout: 60) do |http|
        http.send_request(method, uri.path, body && JSON.generate(body), "Content-Type" => "application/json")
      end
      raise "#{method} #{uri.path}: #{answer.body}" unless answer.is_a?(Net::HTTPSuccess)
      JSON.parse(answer.body, symbolize_names: true) unless answer.body.to_s.empty?
    end

    private

    # `cat` ends when its input does, and with it the simulator: it does not outlive this process.
    def start
      script = 'echo "$APNSIM_CONTROL_URL"; exec cat'
      input, output, simulator = Open3.popen2(PROGRAM, "exec", "--log-level", "error", "--", "sh", "-c", script)
      Minitest.after_run do
        input.close
        Process.kill(:TERM, simulator.pid) # a child that a test has forked may hold the input as well
        simulator.join
      end
      output.gets&.chomp or raise "#{PROGRAM} did not start" # written once every listener is bound
    end
  end

  def initialize(endpoints)
    @endpoints = endpoints
  end

  # Where it is: host, http2, gateway, ca, authKey, keyId, teamId, providerCertificate, providerKey, …
  def [](name) = @endpoints.fetch(name)

  # A provider token (JWT) of now, for a provider that does not sign its own with authKey.
  def provider_token = run("certs", "jwt", "--certs", File.dirname(self[:authKey])).chomp

  # Adds a device with the app, and returns the device token of the app.
  def device(name, online: true)
    api("PUT", "/devices/#{escape(name)}", { online:, apps: [{ topic: TOPIC }] })[:apps].first[:token]
  end

  # The alerts that a device has shown, oldest first.
  def alerts(name)
    api("GET", "/devices/#{escape(name)}/inbox")[:notifications].map { |shown| shown.dig(:payload, :aps, :alert) }
  end

  # Returns the notifications once so many have matched; fails with what came nearest otherwise.
  def wait(query, count: 1, timeout: "5s")
    answer = api("POST", "/notifications/wait", { query:, count: { atLeast: count }, timeout: })
    return answer[:notifications] if answer[:satisfied]
    misses = answer[:nearMisses].flat_map do |miss|
      miss[:differences].map { "  #{miss[:id]} #{_1[:path]}: expected #{_1[:expected]}, found #{_1[:found]}" }
    end
    misses = ["  nothing"] if misses.empty?
    heading = "#{answer[:expected]} of #{query}: #{answer[:matched]} within #{answer[:waited]}; nearest:"
    raise Minitest::Assertion, [heading, *misses].join("\n"), caller
  end

  # Everything that happened, as text.
  def journal = run("watch", "--all", "--for", "1s", "--control", self[:control], "--sandbox", self[:id])

  # One request to the control API.
  def api(method, path, body = nil) = self.class.request(method, self[:control] + self[:base] + path, body)

  private

  def escape(name) = ERB::Util.url_encode(name)

  def run(*command) = IO.popen([PROGRAM, *command], &:read)

  # Gives each test a simulator; one that fails prints its journal.
  module Testing
    attr_reader :apnsim

    def before_setup
      super
      @apnsim = Apnsim.create
    end

    def after_teardown
      super
      return unless apnsim
      warn "\n#{self.class}##{name}: apnsim journal:\n#{apnsim.journal}" unless passed? || skipped?
      apnsim.api("DELETE", "")
    end
  end
end
