// The kind of HTTP/2 service people write for a test, on Node's http2: 200 to everything. Prints its port.
const http2 = require('http2')
const fs = require('fs')
const { randomUUID } = require('crypto')

const [cert, key] = process.argv.slice(2, 4).map((file) => fs.readFileSync(file))
const server = http2.createSecureServer({ cert, key, settings: { maxConcurrentStreams: 1000 } })
server.on('stream', (stream) => {
  stream.on('data', () => {})
  stream.on('end', () => {
    stream.respond({ ':status': 200, 'apns-id': randomUUID().toUpperCase() }, { endStream: true })
  })
  stream.on('error', () => {})
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
