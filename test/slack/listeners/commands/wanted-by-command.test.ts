import type { WebClient } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import { parseSchedule } from '../../../../src/digests/parse-schedule.ts'
import { readDigestWords } from '../../../../src/slack/listeners/commands/digest-command.ts'
import { wantedByCommand } from '../../../../src/slack/listeners/commands/wanted-by-command.ts'

const wanted = (text: string, { channel = 'C1', zone = 'Europe/Berlin' as string | null } = {}) => {
  let lookedUp = 0
  const client = {
    users: {
      info: async () => {
        lookedUp += 1
        if (zone === null) throw new Error('Slack is away')
        return { user: { tz: zone } }
      },
    },
  } as unknown as WebClient
  const preview = (words: string, timeZone: string) => {
    const read = parseSchedule(words, timeZone)
    return read.status === 'read' ? ({ status: 'read', words: read.schedule.words, next: [] } as const) : read
  }
  return wantedByCommand({ digests: { preview } }, client, { text, person: 'U1', channel }).then(read => ({
    read,
    lookedUp,
  }))
}

describe('the words of a digest', () => {
  it.each([
    ['every monday at 9: how many orders?', 'every monday at 9', 'how many orders?', false],
    ['mondays 08:30: how  many\norders?', 'mondays 08:30', 'how many orders?', false],
    ['0 9 * * 1-5: orders since 09:30: by city?', '0 9 * * 1-5', 'orders since 09:30: by city?', false],
    ['daily to me:how many?', 'daily', 'how many?', true],
    ['list of days: how many?', 'list of days', 'how many?', false],
  ])('are split in %j', (typed, when, question, toMe) => {
    expect(readDigestWords(typed)).toEqual({ does: 'make', when, question, toMe })
  })

  it.each([
    ['list', { does: 'list' }],
    ['pause 1d444840', { does: 'pause', id: '1d444840' }],
    ['mondays 08:30', { does: 'help', typed: 'mondays 08:30' }],
    [': how many?', { does: 'help', typed: ': how many?' }],
  ])('without a schedule and a colon are others: %j', (typed, read) => {
    expect(readDigestWords(typed)).toEqual(read)
  })
})

describe('a command', () => {
  it('asks with a digest for where it was typed, in the zone of the person', async () => {
    const digest = { schedule: 'mondays 08:30', timeZone: 'Europe/Berlin' }
    expect((await wanted('digest mondays 08:30: how many?')).read).toEqual({
      status: 'asks',
      text: 'how many?',
      digest: { ...digest, target: { kind: 'channel', channel: 'C1' } },
    })
    const toPerson = { digest: { ...digest, target: { kind: 'person', person: 'U1' } } }
    expect((await wanted('digest mondays 08:30 to me: how many?')).read).toMatchObject(toPerson)
    expect((await wanted('digest mondays 08:30: how many?', { channel: 'D1' })).read).toMatchObject(toPerson)
  })

  it('leaves the zone open where Slack does not tell one that there is', async () => {
    for (const zone of [null, 'Mars/Olympus'])
      expect((await wanted('digest daily: how many?', { zone })).read).toMatchObject({
        digest: { timeZone: null },
      })
  })

  it('asks nothing, and Slack for no zone, where the schedule or the question is missing', async () => {
    for (const [typed, said] of [
      ['digest when the moon is full: how many?', 'not understood as a schedule'],
      ['digest every minute: how many?', 'the least is every 5'],
      ['digest daily:', 'There is no question'],
      ['ask', 'There is no question'],
    ] as const) {
      const { read, lookedUp } = await wanted(typed)
      expect(read).toMatchObject({ status: 'unfit', reply: { text: expect.stringContaining(said) } })
      expect(lookedUp).toBe(0)
    }
  })

  it('asks a question without a digest, or none', async () => {
    expect((await wanted('ask how  many?')).read).toEqual({ status: 'asks', text: 'how many?' })
    expect((await wanted('digest list')).read).toEqual({
      status: 'asks-nothing',
      read: { word: 'digest', words: { does: 'list' } },
    })
    expect((await wanted('admin')).read).toEqual({ status: 'asks-nothing', read: { word: 'admin' } })
  })
})
