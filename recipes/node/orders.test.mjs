// How a push provider is tested: four questions, over both interfaces.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http2 from 'node:http2'
import { text } from 'node:stream/consumers'
import tls from 'node:tls'
import { pushTest, topic } from './apnsim.mjs'

/** Stands in for your provider: the binary interface, where success is silence. */
class BinaryProvider {
  constructor({ endpoints: { host, gateway, ca, providerCertificate, providerKey } }) {
    this.socket = tls.connect({
      host, port: gateway, ca: readFileSync(ca),
      cert: readFileSync(providerCertificate), key: readFileSync(providerKey)
    })
  }

  /** Writes a frame for each token; identifiers count from 0. */
  send(alert, ...tokens) {
    this.socket.write(Buffer.concat(tokens.map((token, identifier) => frame(alert, token, identifier))))
  }

  /** The error packet: its status, and the identifier of the notification that it is about. */
  async error() {
    await once(this.socket, 'readable')
    const packet = this.socket.read(6)
    return { status: packet.readUInt8(1), identifier: packet.readUInt32BE(2) }
  }

  close() { this.socket.destroy() }
}

function frame(alert, token, identifier) {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(identifier)
  const item = (id, data) => {
    const head = Buffer.from([id, 0, 0])
    head.writeUInt16BE(data.length, 1)
    return Buffer.concat([head, data])
  }
  const items = Buffer.concat([
    item(1, Buffer.from(token, 'hex')), item(2, Buffer.from(JSON.stringify({ aps: { alert } }))), item(3, number)
  ])
  const head = Buffer.from([2, 0, 0, 0, 0])
  head.writeUInt32BE(items.length, 1)
  return Buffer.concat([head, items])
}

/** Stands in for your provider: a request for each notification, which is answered. */
class HTTP2Provider {
  constructor(apnsim) {
    const { host, http2: port, ca } = apnsim.endpoints
    this.session = http2.connect(`https://${host}:${port}`, { ca: readFileSync(ca) })
    this.headers = { authorization: `bearer ${apnsim.providerToken()}`, 'apns-topic': topic }
  }

  async send(alert, token) {
    const request = this.session.request({ ':method': 'POST', ':path': `/3/device/${token}`, ...this.headers })
    request.end(JSON.stringify({ aps: { alert } }))
    const [headers] = await once(request, 'response')
    const body = await text(request)
    return { status: headers[':status'], ...(body && JSON.parse(body)) }
  }

  close() { this.session.close() }
}

function providerTest(name, Provider, run) {
  pushTest(`${name} (${Provider.name})`, async apnsim => {
    const provider = new Provider(apnsim)
    try {
      await run(apnsim, provider)
    } finally {
      provider.close()
    }
  })
}

for (const Provider of [BinaryProvider, HTTP2Provider]) {
  providerTest('it arrives', Provider, async (apnsim, provider) => {
    await provider.send('Your order is on its way', await apnsim.device('alice/2 iPad'))
    const [notification] = await apnsim.wait('device:"alice/2 iPad" alert~"order"')
    assert.equal(notification.outcome, 'delivered')
    assert.deepEqual(await apnsim.alerts('alice/2 iPad'), ['Your order is on its way'])
  })

  providerTest('a wait in vain says what came nearest', Provider, async (apnsim, provider) => {
    await provider.send('order #17', await apnsim.device('bob'))
    await assert.rejects(
      apnsim.wait('device:bob alert~"Order"', { timeout: '200ms' }),
      /payload\.aps\.alert: expected contains "Order", found "order #17"/)
  })

  providerTest('a device that was offline shows the last one', Provider, async (apnsim, provider) => {
    const token = await apnsim.device('grace', { online: false })
    await provider.send('first', token)
    await provider.send('second', token)
    await apnsim.wait('device:grace', { count: 2 })
    assert.deepEqual(await apnsim.alerts('grace'), [])
    await apnsim.api('POST', '/devices/grace/online')
    assert.deepEqual(await apnsim.alerts('grace'), ['second'])
  })
}

providerTest('what was sent after an error has to be sent again', BinaryProvider, async (apnsim, provider) => {
  const tokens = []
  for (const name of ['carol', 'dave', 'erin']) tokens.push(await apnsim.device(name))
  await apnsim.api('POST', '/faults', { when: { nth: 2 }, reply: { status: 8 }, times: 1 })
  provider.send('Hello', ...tokens)
  const { status, identifier } = await provider.error()
  assert.deepEqual([status, identifier], [8, 1])
  await apnsim.wait('device:erin outcome:discarded')
  const next = new BinaryProvider(apnsim)
  try {
    next.send('Hello', ...tokens.slice(identifier + 1))
    await apnsim.wait('device:erin outcome:delivered')
  } finally {
    next.close()
  }
})

providerTest('a removed app is answered with 410 and the time', HTTP2Provider, async (apnsim, provider) => {
  const token = await apnsim.device('frank')
  await apnsim.api('POST', '/devices/frank/uninstall', { topic })
  const { status, reason, timestamp } = await provider.send('Hello?', token)
  assert.deepEqual([status, reason], [410, 'Unregistered'])
  // Milliseconds. Only a token that the app registers after this time is worth another try.
  assert.ok(timestamp <= Date.now() && timestamp > Date.now() - 60_000)
})
