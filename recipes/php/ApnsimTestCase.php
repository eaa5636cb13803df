<?php

declare(strict_types=1);

use PHPUnit\Framework\AssertionFailedError;
use PHPUnit\Framework\TestCase;

/**
 * A test with a push service of its own: apnsim, and what can be asked of it.
 *
 *     final class OrdersTest extends ApnsimTestCase
 *     {
 *         public function testAnOrderIsAnnounced(): void
 *         {
 *             $token = $this->apnsim->device('alice');
 *             $myProvider->notify($token, $this->apnsim->http2, $this->apnsim->ca, ...);
 *             $this->apnsim->wait('device:alice alert~"order"');
 *         }
 *     }
 *
 * Copy this file. APNSIM_BIN says where the program is; otherwise it is looked for on the PATH.
 */
abstract class ApnsimTestCase extends TestCase
{
    protected Apnsim $apnsim;

    protected function setUp(): void
    {
        $this->apnsim = Apnsim::create();
    }

    /** Called for a test that passed. */
    protected function assertPostConditions(): void
    {
        $this->apnsim->api('DELETE', '');
    }

    /** A test that did not pass prints the journal of its simulator. */
    protected function onNotSuccessfulTest(Throwable $failure): never
    {
        if (isset($this->apnsim)) {
            fwrite(STDERR, "\n{$this->toString()}: apnsim journal:\n{$this->apnsim->journal()}\n");
            $this->apnsim->api('DELETE', '');
        }
        throw $failure;
    }
}

/** One simulator: where it is, and what can be asked of it. */
final class Apnsim
{
    /** The topic of the provider's certificate. */
    public const TOPIC = 'com.example.app';

    private static ?string $control = null;

    /** @var resource the simulator of all tests, and the end of its input */
    private static $process, $input;

    private function __construct(
        public readonly string $host,
        public readonly int $gateway,
        public readonly int $http2,
        public readonly string $ca,
        public readonly string $authKey,
        public readonly string $keyId,
        public readonly string $teamId,
        public readonly string $providerCertificate,
        public readonly string $providerKey,
        private readonly string $id,
        private readonly string $base,
    ) {
    }

    /** A sandbox for a test: ports, devices and a journal that no other test sees. */
    public static function create(): self
    {
        self::$control ??= self::start();
        $at = json_decode(self::request('POST', '/api/v1/sandboxes'));

        return new self(
            $at->host, $at->gateway, $at->http2, $at->ca, $at->authKey, $at->keyId, $at->teamId,
            $at->providerCertificate, $at->providerKey, $at->id, $at->base
        );
    }

    /** A provider token (JWT) of now, for a provider that does not sign its own with the key. */
    public function providerToken(): string
    {
        return self::run('certs', 'jwt', '--certs', dirname($this->authKey));
    }

    /** Adds a device with the app, and returns the device token of the app. */
    public function device(string $name, bool $online = true): string
    {
        $apps = [['topic' => self::TOPIC]];

        return $this->api('PUT', '/devices/' . rawurlencode($name), compact('online', 'apps'))->apps[0]->token;
    }

    /** @return string[] the alerts that a device has shown, oldest first */
    public function alerts(string $name): array
    {
        $inbox = $this->api('GET', '/devices/' . rawurlencode($name) . '/inbox');

        return array_map(fn ($notification) => $notification->payload->aps->alert, $inbox->notifications);
    }

    /** Returns the notifications once so many have matched; fails with what came nearest otherwise. */
    public function wait(string $query, int $count = 1, string $timeout = '5s'): array
    {
        $answer = $this->api('POST', '/notifications/wait', [
            'query' => $query, 'count' => ['atLeast' => $count], 'timeout' => $timeout,
        ]);
        if ($answer->satisfied) {
            return $answer->notifications;
        }
        $lines = ["{$answer->expected} of $query: {$answer->matched} within {$answer->waited}; nearest:"];
        foreach ($answer->nearMisses as $miss) {
            foreach ($miss->differences as $at) {
                $lines[] = "  {$miss->id} {$at->path}: expected {$at->expected}, found {$at->found}";
            }
        }
        throw new AssertionFailedError(implode("\n", $answer->nearMisses ? $lines : [...$lines, '  nothing']));
    }

    /** Everything that happened, as text. */
    public function journal(): string
    {
        return self::run('watch', '--all', '--for', '1s', '--control', self::$control, '--sandbox', $this->id);
    }

    /** One request to the control API; the JSON of its answer, or null. */
    public function api(string $method, string $path, ?array $body = null): mixed
    {
        return json_decode(self::request($method, $this->base . $path, $body));
    }

    private static function request(string $method, string $path, ?array $body = null): string
    {
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => 'Content-Type: application/json',
            'content' => $body === null ? '' : json_encode($body),
            'ignore_errors' => true,
        ]]);
        $answer = file_get_contents(self::$control . $path, false, $context);
        if ($answer === false || !preg_match('/^HTTP\S+ 2/', $http_response_header[0])) {
            throw new RuntimeException("$method $path: $answer");
        }

        return $answer;
    }

    /** Starts the simulator. `cat` ends when its input does, and with it the simulator: it does not outlive the run. */
    private static function start(): string
    {
        $script = 'echo "$APNSIM_CONTROL_URL"; exec cat';
        $command = [self::program(), 'exec', '--log-level', 'error', '--', 'sh', '-c', $script];
        self::$process = proc_open($command, [['pipe', 'r'], ['pipe', 'w']], $pipes);
        self::$input = $pipes[0];
        $line = fgets($pipes[1]); // written once every listener is bound

        return $line === false ? throw new RuntimeException("$command[0] did not start") : trim($line);
    }

    private static function run(string ...$command): string
    {
        return trim((string) shell_exec(implode(' ', array_map('escapeshellarg', [self::program(), ...$command]))));
    }

    private static function program(): string
    {
        return getenv('APNSIM_BIN') ?: 'apnsim';
    }
}
