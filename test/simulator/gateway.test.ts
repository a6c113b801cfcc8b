import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { Simulator } from '../../simulator/simulator.ts'
import { canTellListening, listeningOn } from './listening-on.ts'
import { startTestSimulator } from './start-test-simulator.ts'

/** A request with any headers; `fetch` does not let a program set its host. */
const ask = (
  simulator: Pick<Simulator, 'url'>,
  path: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(new URL(path, simulator.url), { method, headers }, response => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    sent.once('error', reject)
    sent.end(method === 'POST' ? '{}' : undefined)
  })

describe('the gateway', () => {
  it('refuses other pages, by whatever name and port they find it', async () => {
    await using simulator = await startTestSimulator()
    const { port, host } = new URL(simulator.url)
    const socket = { connection: 'upgrade', upgrade: 'websocket' }
    const strangers: Readonly<Record<string, string>>[] = [
      { origin: 'https://example.com' },
      { origin: 'null' },
      // Pages of other programs of this machine.
      { origin: 'http://localhost:1' },
      { origin: 'http://127.0.0.1' },
      { origin: `https://${host}` },
      // A name that was made to mean this machine.
      { host: 'example.com' },
      { host: `example.com:${port}` },
      { host: `example.com:${port}`, origin: `http://example.com:${port}` },
      { host: '127.0.0.1:1' },
      { host: `localhost:${port}`, origin: simulator.url },
      // A picture or a script of another page comes without an origin.
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ]
    const paths = [
      '/',
      '/page.js',
      '/_simulator/snapshot',
      '/_simulator/changes',
      '/files/F1',
      '/api/auth.test',
    ]
    for (const headers of strangers)
      for (const path of paths) {
        expect([headers, path, await ask(simulator, path, headers)]).toEqual([headers, path, 403])
        expect([headers, path, await ask(simulator, path, { ...headers, ...socket })]).toEqual([
          headers,
          path,
          403,
        ])
        expect([headers, path, await ask(simulator, path, headers, 'POST')]).toEqual([headers, path, 403])
      }
  })

  it('answers its own page, links to it, and programs', async () => {
    await using simulator = await startTestSimulator()
    const { port } = new URL(simulator.url)
    const local = { host: `localhost:${port}` }
    for (const headers of [
      {},
      { origin: simulator.url },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      local,
      { ...local, origin: `http://localhost:${port}` },
    ])
      for (const path of ['/', '/_simulator/snapshot', '/_simulator/changes'])
        expect([headers, path, await ask(simulator, path, headers)]).toEqual([headers, path, 200])
  })

  it.skipIf(!canTellListening)('is the only port of a simulator', async () => {
    const before = listeningOn(process.pid)
    await using simulator = await startTestSimulator()
    const opened = listeningOn(process.pid).filter(place => !before.includes(place))
    expect(opened).toEqual([new URL(simulator.url).host])
  })
})

describe('tokens of a simulator', () => {
  it('are others at each start, and those of another start are refused', async () => {
    await using one = await startTestSimulator()
    await using other = await startTestSimulator()
    expect(one.botToken).toMatch(/^xoxb-[0-9a-f]{32}$/)
    expect(one.signingSecret).toMatch(/^[0-9a-f]{32}$/)
    expect([other.botToken, other.signingSecret]).not.toEqual([one.botToken, one.signingSecret])
    const test = async (token: string): Promise<unknown> => {
      const response = await fetch(`${one.apiUrl}auth.test`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
      return ((await response.json()) as { readonly ok: boolean }).ok
    }
    expect(await test(one.botToken)).toBe(true)
    expect(await test(other.botToken)).toBe(false)
    expect(await test('xoxb-simulator')).toBe(false)
  })
})
