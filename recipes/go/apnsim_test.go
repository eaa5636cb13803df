// A push service of its own for each test: apnsim, and what can be asked of it. Nothing but the standard library.
//
//	func TestAnOrderIsAnnounced(t *testing.T) {
//		push := newApnsim(t)
//		token := push.device("alice", online)
//		notify(token, push.Host, push.HTTP2, push.CA)
//		push.wait(`device:alice alert~"order"`, 1, "5s")
//	}
//
// Copy this file into the package of your tests, and name its package so. APNSIM_BIN says where the program is;
// otherwise it is looked for on the PATH.
package orders

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// topic is the one of the provider's certificate.
const topic = "com.example.app"

// What a device is when it is added.
const (
	online  = true
	offline = false
)

// control is the URL of the simulator that all tests of the package share.
var control string

// TestMain starts the simulator, and ends it after the last test.
func TestMain(m *testing.M) {
	// cat ends when its input does, and with it the simulator: it does not outlive this process.
	simulator := exec.Command(program(), "exec", "--log-level", "error", "--",
		"sh", "-c", `echo "$APNSIM_CONTROL_URL"; exec cat`)
	simulator.Stderr = os.Stderr
	input, err := simulator.StdinPipe()
	must(err)
	output, err := simulator.StdoutPipe()
	must(err)
	must(simulator.Start())
	line, err := bufio.NewReader(output).ReadString('\n') // written once every listener is bound
	if err != nil {
		must(fmt.Errorf("%s did not start: %w", program(), err))
	}
	control = strings.TrimSpace(line)

	code := m.Run()
	input.Close()
	simulator.Wait()
	os.Exit(code)
}

func program() string {
	if path := os.Getenv("APNSIM_BIN"); path != "" {
		return path
	}
	return "apnsim"
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "apnsim:", err)
		os.Exit(1)
	}
}

// apnsim is one simulator for a test: where it is, and what can be asked of it.
type apnsim struct {
	t                                *testing.T
	Host                             string
	Gateway, HTTP2                   int
	CA, AuthKey, KeyID, TeamID       string
	ProviderCertificate, ProviderKey string
	Control, Base, ID                string
}

type notification struct {
	Outcome string
	Payload struct{ APS struct{ Alert string } }
}

// newApnsim makes a sandbox for the test. If the test fails, its log has the journal.
func newApnsim(t *testing.T) *apnsim {
	t.Helper()
	push := &apnsim{t: t, Control: control, Base: "/api/v1"}
	push.api("POST", "/sandboxes", nil, push)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("apnsim journal:\n%s", push.run("watch", "--all", "--for", "1s", "--control", control, "--sandbox", push.ID))
		}
		push.api("DELETE", "", nil, nil)
	})
	return push
}

// providerToken is a JWT of now, for a provider that does not sign its own with AuthKey.
func (push *apnsim) providerToken() string {
	push.t.Helper()
	return push.run("certs", "jwt", "--certs", filepath.Dir(push.AuthKey))
}

func (push *apnsim) run(command ...string) string {
	push.t.Helper()
	output, err := exec.Command(program(), command...).Output()
	if err != nil {
		push.t.Fatalf("apnsim %s: %v", command[0], err)
	}
	return strings.TrimSpace(string(output))
}

// device adds a device with the app, and returns the device token of the app.
func (push *apnsim) device(name string, online bool) string {
	push.t.Helper()
	var device struct{ Apps []struct{ Token string } }
	apps := []map[string]string{{"topic": topic}}
	push.api("PUT", "/devices/"+url.PathEscape(name), map[string]any{"online": online, "apps": apps}, &device)
	return device.Apps[0].Token
}

// alerts are those that a device has shown, oldest first.
func (push *apnsim) alerts(name string) []string {
	push.t.Helper()
	var inbox struct{ Notifications []notification }
	push.api("GET", "/devices/"+url.PathEscape(name)+"/inbox", nil, &inbox)
	alerts := []string{}
	for _, notification := range inbox.Notifications {
		alerts = append(alerts, notification.Payload.APS.Alert)
	}
	return alerts
}

// wait returns the notifications once so many have matched; the test fails with what came nearest otherwise.
func (push *apnsim) wait(query string, count int, timeout string) []notification {
	push.t.Helper()
	notifications, misses := push.look(query, count, timeout)
	if misses != "" {
		push.t.Fatal(misses)
	}
	return notifications
}

// look is wait, but returns what came nearest.
func (push *apnsim) look(query string, count int, timeout string) ([]notification, string) {
	push.t.Helper()
	var answer struct {
		Satisfied        bool
		Expected, Waited string
		Matched          int
		Notifications    []notification
		NearMisses       []struct {
			ID          string
			Differences []struct{ Path, Expected, Found string }
		}
	}
	push.api("POST", "/notifications/wait",
		map[string]any{"query": query, "count": map[string]int{"atLeast": count}, "timeout": timeout}, &answer)
	if answer.Satisfied {
		return answer.Notifications, ""
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s of %s: %d within %s; nearest:", answer.Expected, query, answer.Matched, answer.Waited)
	for _, miss := range answer.NearMisses {
		for _, difference := range miss.Differences {
			fmt.Fprintf(&text, "\n  %s %s: expected %s, found %s",
				miss.ID, difference.Path, difference.Expected, difference.Found)
		}
	}
	if len(answer.NearMisses) == 0 {
		text.WriteString("\n  nothing")
	}
	return nil, text.String()
}

// api makes one request to the control API; the JSON of its answer is read into result.
func (push *apnsim) api(method, path string, body, result any) {
	push.t.Helper()
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			push.t.Fatal(err)
		}
		content = bytes.NewReader(encoded)
	}
	request, err := http.NewRequest(method, push.Control+push.Base+path, content)
	if err != nil {
		push.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		push.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		push.t.Fatal(err)
	}
	if answer.StatusCode >= 300 {
		push.t.Fatalf("%s %s: %s", method, path, text)
	}
	if result == nil {
		return
	}
	if err := json.Unmarshal(text, result); err != nil {
		push.t.Fatalf("%s %s: %v in %s", method, path, err, text)
	}
}
