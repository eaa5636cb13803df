"""The gateway that people write when they need one for a test: frames, JSON, the last notification of each device."""
import asyncio, json, ssl, struct, sys

certificate, key, authority = sys.argv[1:]
last = {}


async def gateway(reader, writer):
    app = dict(pair[0] for pair in writer.get_extra_info("peercert")["subject"]).get("userId", "app")
    status, identifier = 0, 0
    try:
        while status == 0:
            command, identifier, expiry, length = struct.unpack(">BIIH", await reader.readexactly(11))
            if command != 1 or length != 32:
                status = 5
                break
            token = await reader.readexactly(32)
            payload = await reader.readexactly(struct.unpack(">H", await reader.readexactly(2))[0])
            document = json.loads(payload) if 0 < len(payload) <= 256 else None
            if not isinstance(document, dict) or not isinstance(document.get("aps"), dict):
                status = 1
            last[app, token] = expiry, payload
        writer.write(struct.pack(">BBI", 8, status, identifier))
        await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError, ValueError):
        pass
    writer.close()


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_cert_chain(certificate, key)
    context.load_verify_locations(authority)
    server = await asyncio.start_server(gateway, "127.0.0.1", 0, ssl=context, limit=2**18)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
