import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCheckClock } from '../../src/slack/check-clock.ts'

let asked = 0
const server = createServer((_, response) => {
  asked += 1
  response.end('{"ok":true}')
})

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => void server.close())

const apiUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`

it.each([
  [0, null],
  [-200_000, null],
  [600_000, "10 minutes ahead of Slack's"],
  [-3_600_000, "60 minutes behind Slack's"],
])('says how far the clock is off: %i ms', async (off, told) => {
  const found = await makeCheckClock({ apiUrl: apiUrl(), now: () => Date.now() + off })()
  if (told === null) expect(found).toBeNull()
  else expect(found).toContain(told)
})

it('asks Slack once in a while, and does not mind if there is no answer', async () => {
  const check = makeCheckClock({ apiUrl: apiUrl(), now: Date.now })
  const before = asked
  await check()
  await check()
  expect(asked).toBe(before + 1)
  expect(await makeCheckClock({ apiUrl: 'http://127.0.0.1:9/', now: () => 0 })()).toBeNull()
})
