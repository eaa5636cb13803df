// A push service of its own for each test of node:test: apnsim, and what can be asked of it. Nothing but Node.
//
//   pushTest('an order is announced', async apnsim => {
//     const token = await apnsim.device('alice')
//     const { host, http2, ca } = apnsim.endpoints
//     await myProvider.notify(token, { host, port: http2, ca, ... })
//     await apnsim.wait('device:alice alert~"order"')
//   })
//
// Copy this file. APNSIM_BIN says where the program is; otherwise it is looked for on the PATH.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import test from 'node:test'

const program = process.env.APNSIM_BIN ?? 'apnsim'
const run = (...command) => execFileSync(program, command, { encoding: 'utf8' }).trim()

export const topic = 'com.example.app' // the provider's certificate is for this one

/** The control URL of the simulator that all tests of this process share, started when the first one needs it. */
let control
const start = () => control ??= (async () => {
  // `cat` ends when its input does, and with it the simulator: it does not outlive this process.
  const command = ['exec', '--log-level', 'error', '--', 'sh', '-c', 'echo "$APNSIM_CONTROL_URL"; exec cat']
  const child = spawn(program, command, { stdio: ['pipe', 'pipe', 'inherit'] })
  const [url] = await Promise.race([
    once(createInterface(child.stdout), 'line'), // written once every listener is bound
    once(child, 'exit').then(() => { throw new Error(`${program} did not start`) })
  ])
  for (const handle of [child, child.stdin, child.stdout]) handle.unref()
  return url
})()

/** One simulator: its `endpoints` (host, http2, gateway, ca, authKey, …), and what can be asked of it. */
class Apnsim {
  static async create() {
    const answer = await fetch(`${await start()}/api/v1/sandboxes`, { method: 'POST' })
    return new Apnsim(await answer.json())
  }

  constructor(endpoints) { this.endpoints = endpoints }

  /** A provider token (JWT) of now, for a provider that does not sign its own with `authKey`. */
  providerToken() {
    return run('certs', 'jwt', '--certs', dirname(this.endpoints.authKey))
  }

  /** Adds a device with the app, and returns the device token of the app. */
  async device(name, { online = true } = {}) {
    const { apps: [app] } = await this.api('PUT', `/devices/${encodeURIComponent(name)}`, { online, apps: [{ topic }] })
    return app.token
  }

  /** The alerts that a device has shown, oldest first. */
  async alerts(name) {
    const { notifications } = await this.api('GET', `/devices/${encodeURIComponent(name)}/inbox`)
    return notifications.map(notification => notification.payload.aps.alert)
  }

  /** Returns the notifications once so many have matched; throws what came nearest otherwise. */
  async wait(query, { count = 1, timeout = '5s' } = {}) {
    const answer = await this.api('POST', '/notifications/wait', { query, count: { atLeast: count }, timeout })
    if (answer.satisfied) return answer.notifications
    const misses = answer.nearMisses.flatMap(({ id, differences }) =>
      differences.map(({ path, expected, found }) => `  ${id} ${path}: expected ${expected}, found ${found}`))
    throw new Error([
      `${answer.expected} of ${query}: ${answer.matched} within ${answer.waited}; nearest:`,
      ...(misses.length ? misses : ['  nothing'])
    ].join('\n'))
  }

  /** Everything that happened, as text. */
  journal() {
    const { control, id } = this.endpoints
    return run('watch', '--all', '--for', '1s', '--control', control, '--sandbox', id)
  }

  /** One request to the control API; the JSON of its answer, if it has one. */
  async api(method, path, body) {
    const answer = await fetch(this.endpoints.control + this.endpoints.base + path, {
      method, body: body && JSON.stringify(body), headers: { 'content-type': 'application/json' }
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`)
    return text ? JSON.parse(text) : undefined
  }
}

/** A test with a simulator of its own. If it fails, its report has the journal. */
export function pushTest(name, body) {
  test(name, async t => {
    const apnsim = await Apnsim.create()
    try {
      await body(apnsim, t)
    } catch (error) {
      t.diagnostic('apnsim journal:')
      for (const line of apnsim.journal().split('\n')) t.diagnostic(line)
      throw error
    } finally {
      await apnsim.api('DELETE', '')
    }
  })
}
