"""The kind of HTTP/2 service people write for a test, on asyncio and h2: 200 to everything. Prints its port."""
import asyncio
import ssl
import sys
import uuid

import h2.config
import h2.connection
import h2.events


class Service(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
        self.connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self.connection.update_settings({3: 1000})
        self.connection.initiate_connection()
        transport.write(self.connection.data_to_send())

    def data_received(self, data):
        for event in self.connection.receive_data(data):
            if isinstance(event, h2.events.DataReceived):
                self.connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                headers = [(":status", "200"), ("apns-id", str(uuid.uuid4()).upper())]
                self.connection.send_headers(event.stream_id, headers, end_stream=True)
        self.transport.write(self.connection.data_to_send())


async def main(certificate, key):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2"])
    server = await asyncio.get_running_loop().create_server(Service, "127.0.0.1", 0, ssl=context)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main(*sys.argv[1:3]))
