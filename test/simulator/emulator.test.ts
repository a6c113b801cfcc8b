import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeCallEmulator, makeRequestEmulator } from '../../simulator/emulator/call-emulator.ts'
import { seed } from '../../simulator/emulator/seed.ts'
import { startEmulator } from '../../simulator/emulator/start-emulator.ts'

describe('the emulator of Slack', () => {
  it('knows who calls, however often', async () => {
    const emulator = await startEmulator('http://127.0.0.1:1', ['chat:write', 'users:read'])
    try {
      // More than emulate allows one token in an hour.
      for (let round = 0; round < 53; round += 1) {
        const answers = await Promise.all(
          Array.from({ length: 100 }, () => emulator.call('auth.test', {}, emulator.tokens.bot)),
        )
        expect(new Set(answers.map(({ ok, user_id }) => `${ok} ${user_id}`))).toEqual(
          new Set([`true ${seed.bot.userId}`]),
        )
      }
      const { handle } = seed.people[0]
      const ada = emulator.people.find(person => person.handle === handle)?.id
      const [one, other] = [
        await emulator.call('auth.test', {}, emulator.tokens.of(handle)),
        await emulator.call('auth.test', {}, emulator.tokens.of(handle)),
      ]
      expect([one.user_id, other.user_id]).toEqual([ada, ada])
    } finally {
      await emulator.close()
    }
  })

  it('is not believed when it answers what Slack never would', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
    const socket = join(folder, 'socket')
    const server = createServer((_, response) => {
      response.writeHead(403, { 'content-type': 'application/json' }).end('{"message":"no more"}')
    }).listen(socket)
    await new Promise(resolve => server.once('listening', resolve))
    const { request, close } = makeRequestEmulator(socket)
    try {
      await expect(makeCallEmulator(request)('auth.test', {}, 'xoxb-1')).rejects.toThrow(
        'answered auth.test with 403: {"message":"no more"}',
      )
    } finally {
      close()
      await new Promise(resolve => server.close(resolve))
      rmSync(folder, { recursive: true })
    }
  })
})
