# How a push provider is tested: four questions, over both interfaces.
require "http/2"
require "minitest/autorun"
require "openssl"
require "socket"
require "timeout"
require_relative "apnsim"

# A TLS connection to the simulator; with a certificate, where the interface needs one.
def connect(apnsim, port, certificate: nil, protocols: nil)
  context = OpenSSL::SSL::SSLContext.new
  context.set_params(ca_file: apnsim[:ca])
  context.alpn_protocols = protocols
  if certificate
    context.add_certificate(
      OpenSSL::X509::Certificate.new(File.read(certificate)), OpenSSL::PKey.read(File.read(apnsim[:providerKey])))
  end
  socket = OpenSSL::SSL::SSLSocket.new(TCPSocket.new(apnsim[:host], port), context)
  socket.sync_close = true
  socket.connect
  socket.post_connection_check(apnsim[:host])
  socket
end

# Stands in for your provider: the binary interface, where success is silence.
class BinaryProvider
  def initialize(apnsim)
    @socket = connect(apnsim, apnsim[:gateway], certificate: apnsim[:providerCertificate])
  end

  # Writes a frame for each token; identifiers count from 0.
  def send_all(alert, *tokens)
    @socket.write(tokens.each_with_index.map { |token, identifier| frame(alert, token, identifier) }.join)
  end

  # The error packet: its status, and the identifier of the notification that it is about.
  def error
    Timeout.timeout(60) { @socket.read(6) }.unpack("xCN")
  end

  def close = @socket.close

  private

  def frame(alert, token, identifier)
    items = [[token].pack("H*"), JSON.generate(aps: { alert: }), [identifier].pack("N")]
    items = items.each.with_index(1).map { |data, id| [id, data.bytesize].pack("Cn") + data.b }.join
    [2, items.bytesize].pack("CN") + items
  end
end

# Stands in for your provider: a request for each notification, which is answered.
class HTTP2Provider
  Answer = Struct.new(:status, :reason, :timestamp)

  def initialize(apnsim)
    @socket = connect(apnsim, apnsim[:http2], protocols: ["h2"])
    @client = HTTP2::Client.new
    @client.on(:frame) { |bytes| @socket.write(bytes) }
    @headers = {
      ":method" => "POST", ":scheme" => "https", ":authority" => apnsim[:host],
      "authorization" => "bearer #{apnsim.provider_token}", "apns-topic" => Apnsim::TOPIC
    }
  end

  def send_all(alert, *tokens) = tokens.map { |token| push(alert, token) }

  def push(alert, token)
    stream, headers, body, closed = @client.new_stream, {}, +"", false
    stream.on(:headers) { |fields| headers.update(fields.to_h) }
    stream.on(:data) { |data| body << data }
    stream.on(:close) { closed = true }
    stream.headers(@headers.merge(":path" => "/3/device/#{token}"), end_stream: false)
    stream.data(JSON.generate(aps: { alert: }))
    Timeout.timeout(60) { @client << @socket.readpartial(16_384) until closed }
    answer = body.empty? ? {} : JSON.parse(body)
    Answer.new(headers.fetch(":status").to_i, answer["reason"], answer["timestamp"])
  end

  def close = @socket.close
end

# What holds over either interface.
module EitherInterface
  include Apnsim::Testing

  def setup
    @provider = provider_class.new(apnsim)
  end

  def teardown
    @provider&.close
  end

  def test_it_arrives
    @provider.send_all("Your order is on its way", apnsim.device("alice/2 iPad"))
    arrived = apnsim.wait('device:"alice/2 iPad" alert~"order"')
    assert_equal ["delivered"], arrived.map { _1[:outcome] }
    assert_equal ["Your order is on its way"], apnsim.alerts("alice/2 iPad")
  end

  def test_a_wait_in_vain_says_what_came_nearest
    @provider.send_all("order #17", apnsim.device("bob"))
    failure = assert_raises(Minitest::Assertion) { apnsim.wait('device:bob alert~"Order"', timeout: "200ms") }
    assert_includes failure.message, 'payload.aps.alert: expected contains "Order", found "order #17"'
  end

  def test_a_device_that_was_offline_shows_the_last_one
    token = apnsim.device("grace", online: false)
    @provider.send_all("first", token)
    @provider.send_all("second", token)
    apnsim.wait("device:grace", count: 2)
    assert_empty apnsim.alerts("grace")
    apnsim.api("POST", "/devices/grace/online")
    assert_equal ["second"], apnsim.alerts("grace")
  end
end

class BinaryInterfaceTest < Minitest::Test
  include EitherInterface

  def provider_class = BinaryProvider

  def test_what_was_sent_after_an_error_has_to_be_sent_again
    tokens = %w[carol dave erin].map { apnsim.device(_1) }
    apnsim.api("POST", "/faults", { when: { nth: 2 }, reply: { status: 8 }, times: 1 })
    @provider.send_all("Hello", *tokens)
    status, identifier = @provider.error
    assert_equal [8, 1], [status, identifier]
    apnsim.wait("device:erin outcome:discarded")
    @provider.close
    @provider = BinaryProvider.new(apnsim)
    @provider.send_all("Hello", *tokens.drop(identifier + 1))
    apnsim.wait("device:erin outcome:delivered")
  end
end

class HTTP2InterfaceTest < Minitest::Test
  include EitherInterface

  def provider_class = HTTP2Provider

  def test_a_removed_app_is_answered_with_410_and_the_time
    token = apnsim.device("frank")
    apnsim.api("POST", "/devices/frank/uninstall", { topic: Apnsim::TOPIC })
    answer = @provider.push("Hello?", token)
    assert_equal [410, "Unregistered"], [answer.status, answer.reason]
    # Milliseconds. Only a token that the app registers after this time is worth another try.
    assert_in_delta Time.now.to_f, answer.timestamp / 1000.0, 60
  end
end
