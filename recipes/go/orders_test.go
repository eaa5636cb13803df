package orders

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// How a push provider is tested: four questions, over both interfaces.

// provider is what both interfaces have in common.
type provider interface {
	send(alert string, tokens ...string)
}

// eachProvider runs a test once for each interface.
func eachProvider(t *testing.T, test func(t *testing.T, push *apnsim, provider provider)) {
	t.Run("binary", func(t *testing.T) {
		push := newApnsim(t)
		test(t, push, newBinaryProvider(push))
	})
	t.Run("http2", func(t *testing.T) {
		push := newApnsim(t)
		test(t, push, newHTTP2Provider(push))
	})
}

func TestItArrives(t *testing.T) {
	eachProvider(t, func(t *testing.T, push *apnsim, provider provider) {
		provider.send("Your order is on its way", push.device("alice/2 iPad", online))
		arrived := push.wait(`device:"alice/2 iPad" alert~"order"`, 1, "5s")
		if arrived[0].Outcome != "delivered" {
			t.Errorf("outcome %q", arrived[0].Outcome)
		}
		if shown := push.alerts("alice/2 iPad"); !reflect.DeepEqual(shown, []string{"Your order is on its way"}) {
			t.Errorf("shown %q", shown)
		}
	})
}

func TestAWaitInVainSaysWhatCameNearest(t *testing.T) {
	eachProvider(t, func(t *testing.T, push *apnsim, provider provider) {
		provider.send("order #17", push.device("bob", online))
		_, misses := push.look(`device:bob alert~"Order"`, 1, "200ms")
		if want := `payload.aps.alert: expected contains "Order", found "order #17"`; !strings.Contains(misses, want) {
			t.Errorf("%q is not in %q", want, misses)
		}
	})
}

func TestWhatWasSentAfterAnErrorHasToBeSentAgain(t *testing.T) {
	push := newApnsim(t)
	var tokens []string
	for _, name := range []string{"carol", "dave", "erin"} {
		tokens = append(tokens, push.device(name, online))
	}
	push.api("POST", "/faults", json.RawMessage(`{"when":{"nth":2},"reply":{"status":8},"times":1}`), nil)

	provider := newBinaryProvider(push)
	provider.send("Hello", tokens...)
	status, identifier := provider.error()
	if status != 8 || identifier != 1 {
		t.Fatalf("status %d for notification %d", status, identifier)
	}
	push.wait("device:erin outcome:discarded", 1, "5s")

	newBinaryProvider(push).send("Hello", tokens[identifier+1:]...)
	push.wait("device:erin outcome:delivered", 1, "5s")
}

func TestARemovedAppIsAnsweredWith410AndTheTime(t *testing.T) {
	push := newApnsim(t)
	token := push.device("frank", online)
	push.api("POST", "/devices/frank/uninstall", map[string]string{"topic": topic}, nil)
	answer := newHTTP2Provider(push).push("Hello?", token)
	if answer.status != 410 || answer.Reason != "Unregistered" {
		t.Errorf("answer %+v", answer)
	}
	// Only a token that the app registers after this time is worth another try.
	if since := time.Since(time.UnixMilli(answer.Timestamp)); since < 0 || since > time.Minute {
		t.Errorf("removed %v ago", since)
	}
}

func TestADeviceThatWasOfflineShowsTheLastOne(t *testing.T) {
	eachProvider(t, func(t *testing.T, push *apnsim, provider provider) {
		token := push.device("grace", offline)
		provider.send("first", token)
		provider.send("second", token)
		push.wait("device:grace", 2, "5s")
		if alerts := push.alerts("grace"); len(alerts) > 0 {
			t.Errorf("shown offline: %q", alerts)
		}
		push.api("POST", "/devices/grace/online", nil, nil)
		if alerts := push.alerts("grace"); !reflect.DeepEqual(alerts, []string{"second"}) {
			t.Errorf("shown: %q", alerts)
		}
	})
}

// binaryProvider stands in for your provider: the binary interface, where success is silence.
type binaryProvider struct {
	t          *testing.T
	connection *tls.Conn
}

func newBinaryProvider(push *apnsim) binaryProvider {
	push.t.Helper()
	certificate, err := tls.LoadX509KeyPair(push.ProviderCertificate, push.ProviderKey)
	if err != nil {
		push.t.Fatal(err)
	}
	connection, err := tls.Dial("tcp", fmt.Sprintf("%s:%d", push.Host, push.Gateway),
		&tls.Config{RootCAs: roots(push), Certificates: []tls.Certificate{certificate}})
	if err != nil {
		push.t.Fatal(err)
	}
	push.t.Cleanup(func() { connection.Close() })
	return binaryProvider{push.t, connection}
}

// send writes a frame for each token; identifiers count from 0.
func (provider binaryProvider) send(alert string, tokens ...string) {
	provider.t.Helper()
	var frames []byte
	for identifier, token := range tokens {
		bytes, err := hex.DecodeString(token)
		if err != nil {
			provider.t.Fatal(err)
		}
		items := item(1, bytes)
		items = append(items, item(2, payload(alert))...)
		items = append(items, item(3, binary.BigEndian.AppendUint32(nil, uint32(identifier)))...)
		frames = append(frames, 2)
		frames = binary.BigEndian.AppendUint32(frames, uint32(len(items)))
		frames = append(frames, items...)
	}
	if _, err := provider.connection.Write(frames); err != nil {
		provider.t.Fatal(err)
	}
}

func item(id byte, data []byte) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{id}, uint16(len(data))), data...)
}

// error reads the error packet: its status, and the identifier of the notification that it is about.
func (provider binaryProvider) error() (status byte, identifier uint32) {
	provider.t.Helper()
	var packet struct {
		Command, Status byte
		Identifier      uint32
	}
	provider.connection.SetReadDeadline(time.Now().Add(time.Minute))
	if err := binary.Read(provider.connection, binary.BigEndian, &packet); err != nil {
		provider.t.Fatal(err)
	}
	return packet.Status, packet.Identifier
}

// http2Provider stands in for your provider: a request for each notification, which is answered.
type http2Provider struct {
	t              *testing.T
	client         *http.Client
	origin, bearer string
}

type answer struct {
	status    int
	Reason    string
	Timestamp int64
}

func newHTTP2Provider(push *apnsim) http2Provider {
	push.t.Helper()
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots(push)}, ForceAttemptHTTP2: true}
	push.t.Cleanup(transport.CloseIdleConnections)
	return http2Provider{
		t:      push.t,
		client: &http.Client{Transport: transport},
		origin: fmt.Sprintf("https://%s:%d", push.Host, push.HTTP2),
		bearer: "bearer " + push.providerToken(),
	}
}

func (provider http2Provider) send(alert string, tokens ...string) {
	for _, token := range tokens {
		provider.push(alert, token)
	}
}

func (provider http2Provider) push(alert, token string) (result answer) {
	provider.t.Helper()
	request, err := http.NewRequest("POST", provider.origin+"/3/device/"+token, bytes.NewReader(payload(alert)))
	if err != nil {
		provider.t.Fatal(err)
	}
	request.Header.Set("authorization", provider.bearer)
	request.Header.Set("apns-topic", topic)
	response, err := provider.client.Do(request)
	if err != nil {
		provider.t.Fatal(err)
	}
	defer response.Body.Close()
	result.status = response.StatusCode
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil && err != io.EOF {
		provider.t.Fatal(err)
	}
	return result
}

func payload(alert string) []byte {
	text, _ := json.Marshal(map[string]any{"aps": map[string]string{"alert": alert}})
	return text
}

func roots(push *apnsim) *x509.CertPool {
	push.t.Helper()
	pem, err := os.ReadFile(push.CA)
	if err != nil {
		push.t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	return pool
}
