<?php

declare(strict_types=1);

use PHPUnit\Framework\AssertionFailedError;

require_once __DIR__ . '/ApnsimTestCase.php';

/** How a push provider is tested: four questions, over both interfaces. */
final class OrdersTest extends ApnsimTestCase
{
    public static function providers(): array
    {
        return ['binary' => [BinaryProvider::class], 'http2' => [HTTP2Provider::class]];
    }

    /** @dataProvider providers */
    public function testItArrives(string $provider): void
    {
        $provider = new $provider($this->apnsim);
        $provider->send('Your order is on its way', $this->apnsim->device('alice/2 iPad'));
        [$notification] = $this->apnsim->wait('device:"alice/2 iPad" alert~"order"');
        $this->assertSame('delivered', $notification->outcome);
        $this->assertSame(['Your order is on its way'], $this->apnsim->alerts('alice/2 iPad'));
    }

    /** @dataProvider providers */
    public function testAWaitInVainSaysWhatCameNearest(string $provider): void
    {
        $provider = new $provider($this->apnsim);
        $provider->send('order #17', $this->apnsim->device('bob'));
        $this->expectException(AssertionFailedError::class);
        $this->expectExceptionMessage('payload.aps.alert: expected contains "Order", found "order #17"');
        $this->apnsim->wait('device:bob alert~"Order"', timeout: '200ms');
    }

    public function testWhatWasSentAfterAnErrorHasToBeSentAgain(): void
    {
        $tokens = array_map([$this->apnsim, 'device'], ['carol', 'dave', 'erin']);
        $this->apnsim->api('POST', '/faults', ['when' => ['nth' => 2], 'reply' => ['status' => 8], 'times' => 1]);
        $provider = new BinaryProvider($this->apnsim);
        $provider->send('Hello', ...$tokens);
        ['status' => $status, 'identifier' => $identifier] = $provider->error();
        $this->assertSame([8, 1], [$status, $identifier]);
        $this->apnsim->wait('device:erin outcome:discarded');
        $provider = new BinaryProvider($this->apnsim);
        $provider->send('Hello', ...array_slice($tokens, $identifier + 1));
        $this->apnsim->wait('device:erin outcome:delivered');
    }

    public function testARemovedAppIsAnsweredWith410AndTheTime(): void
    {
        $token = $this->apnsim->device('frank');
        $this->apnsim->api('POST', '/devices/frank/uninstall', ['topic' => Apnsim::TOPIC]);
        [$answer] = (new HTTP2Provider($this->apnsim))->send('Hello?', $token);
        $this->assertSame([410, 'Unregistered'], [$answer->status, $answer->reason]);
        // Milliseconds. Only a token that the app registers after this time is worth another try.
        $this->assertEqualsWithDelta(microtime(true), $answer->timestamp / 1000, 60);
    }

    /** @dataProvider providers */
    public function testADeviceThatWasOfflineShowsTheLastOne(string $provider): void
    {
        $token = $this->apnsim->device('grace', online: false);
        $provider = new $provider($this->apnsim);
        $provider->send('first', $token);
        $provider->send('second', $token);
        $this->apnsim->wait('device:grace', count: 2);
        $this->assertSame([], $this->apnsim->alerts('grace'));
        $this->apnsim->api('POST', '/devices/grace/online');
        $this->assertSame(['second'], $this->apnsim->alerts('grace'));
    }
}

/** Stands in for your provider: the binary interface, where success is silence. */
final class BinaryProvider
{
    /** @var resource */
    private $socket;

    public function __construct(Apnsim $apnsim)
    {
        $context = stream_context_create(['ssl' => [
            'cafile' => $apnsim->ca, 'local_cert' => $apnsim->providerCertificate, 'local_pk' => $apnsim->providerKey,
        ]]);
        $this->socket = stream_socket_client("tls://{$apnsim->host}:{$apnsim->gateway}", timeout: 60, context: $context);
        stream_set_timeout($this->socket, 60);
    }

    /** Writes a frame for each token; identifiers count from 0. */
    public function send(string $alert, string ...$tokens): void
    {
        $frames = '';
        foreach ($tokens as $identifier => $token) {
            $items = [1 => hex2bin($token), json_encode(['aps' => ['alert' => $alert]]), pack('N', $identifier)];
            $body = '';
            foreach ($items as $id => $data) {
                $body .= pack('Cn', $id, strlen($data)) . $data;
            }
            $frames .= pack('CN', 2, strlen($body)) . $body;
        }
        fwrite($this->socket, $frames);
    }

    /** The error packet: its status, and the identifier of the notification that it is about. */
    public function error(): array
    {
        return unpack('Ccommand/Cstatus/Nidentifier', stream_get_contents($this->socket, 6));
    }
}

/** Stands in for your provider: a request for each notification, which is answered. */
final class HTTP2Provider
{
    private CurlHandle $curl;

    public function __construct(private Apnsim $apnsim)
    {
        $this->curl = curl_init();
        curl_setopt_array($this->curl, [
            CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_2TLS,
            CURLOPT_CAINFO => $apnsim->ca,
            CURLOPT_HTTPHEADER => ["authorization: bearer {$apnsim->providerToken()}", 'apns-topic: ' . Apnsim::TOPIC],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 60,
        ]);
    }

    /** @return object[] for each token the status, and for an error its reason and timestamp */
    public function send(string $alert, string ...$tokens): array
    {
        return array_map(fn ($token) => $this->push($alert, $token), $tokens);
    }

    private function push(string $alert, string $token): object
    {
        curl_setopt_array($this->curl, [
            CURLOPT_URL => "https://{$this->apnsim->host}:{$this->apnsim->http2}/3/device/$token",
            CURLOPT_POSTFIELDS => json_encode(['aps' => ['alert' => $alert]]),
        ]);
        $body = curl_exec($this->curl);
        if ($body === false) {
            throw new RuntimeException(curl_error($this->curl));
        }

        $status = curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE);

        return (object) ['status' => $status, ...(array) json_decode($body, true)];
    }
}
