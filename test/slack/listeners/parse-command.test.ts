import type { WebClient } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import { parseDigestWords as readWords } from '../../../src/digests/digest-words.ts'
import { parseSchedule } from '../../../src/digests/schedule/parse-schedule.ts'
import { parseDigestCommand } from '../../../src/slack/listeners/digest-command.ts'
import { resolveCommand } from '../../../src/slack/listeners/parse-command.ts'

const wanted = (text: string, { channel = 'C1', zone = 'Europe/Berlin' as string | null } = {}) => {
  let lookedUp = 0
  const client = {
    users: {
      info: async () => {
        lookedUp += 1
        if (zone === null) throw new Error('Slack is away')
        return { user: { tz: zone } }
      },
      conversations: async ({ cursor = '' }: { cursor?: string }) =>
        cursor === ''
          ? { channels: [{ id: 'C7', name: 'sales' }], response_metadata: { next_cursor: 'more' } }
          : { channels: [{ id: 'C8', name: 'ops' }] },
    },
  } as unknown as WebClient
  const preview = (words: string, timeZone: string) => {
    const read = parseSchedule(words, timeZone)
    return read.status === 'read' ? ({ status: 'read', words: read.schedule.words, next: [] } as const) : read
  }
  return resolveCommand({ digests: { preview, readWords } }, client, { text, person: 'U1', channel }).then(
    read => ({
      read,
      lookedUp,
    }),
  )
}

describe('the words of a digest', () => {
  it.each([
    ['every monday at 9: how many orders?', 'every monday at 9', 'how many orders?'],
    ['mondays 08:30: how  many\norders?', 'mondays 08:30', 'how many orders?'],
    ['0 9 * * 1-5: orders since 09:30: by city?', '0 9 * * 1-5', 'orders since 09:30: by city?'],
    ['daily to me if it changed:how many?', 'daily to me if it changed', 'how many?'],
    ['list of days: how many?', 'list of days', 'how many?'],
  ])('are split in %j', (typed, words, question) => {
    expect(parseDigestCommand(typed)).toEqual({ does: 'make', words, question })
  })

  it.each([
    ['list', { does: 'list' }],
    ['pause 1d444840', { does: 'pause', id: '1d444840' }],
    ['mondays 08:30', { does: 'help', typed: 'mondays 08:30' }],
    [': how many?', { does: 'help', typed: ': how many?' }],
  ])('without a schedule and a colon are others: %j', (typed, read) => {
    expect(parseDigestCommand(typed)).toEqual(read)
  })
})

describe('a command', () => {
  it('asks with a digest for where it was typed, in the zone of the person', async () => {
    const always = { kind: 'always' }
    const digest = { schedule: 'mondays 08:30', timeZone: 'Europe/Berlin', condition: always }
    expect((await wanted('digest mondays 08:30: how many?')).read).toEqual({
      status: 'asks',
      text: 'how many?',
      digest: { ...digest, target: { kind: 'channel', channel: 'C1' } },
    })
    const toPerson = { digest: { ...digest, target: { kind: 'person', person: 'U1' } } }
    expect((await wanted('digest mondays 08:30 to me: how many?')).read).toMatchObject(toPerson)
    expect((await wanted('digest mondays 08:30: how many?', { channel: 'D1' })).read).toMatchObject(toPerson)
  })

  it.each([
    ['if it changed in #ops', { kind: 'changed' }, { kind: 'channel', channel: 'C8' }],
    ['in #sales, only above 1,000', { kind: 'above', value: 1000 }, { kind: 'channel', channel: 'C7' }],
    ['if &lt; 5 to me', { kind: 'below', value: 5 }, { kind: 'person', person: 'U1' }],
    ['quietly to <@U1|ada>', { kind: 'changed' }, { kind: 'person', person: 'U1' }],
    [
      'if it changes by 10 % in <#C12345678|hq>',
      { kind: 'moved', percent: 10 },
      { kind: 'channel', channel: 'C12345678' },
    ],
  ])('takes its condition and its place from the words: %s', async (words, condition, target) => {
    expect((await wanted(`digest mondays 08:30 ${words}: how many?`)).read).toEqual({
      status: 'asks',
      text: 'how many?',
      digest: { schedule: 'mondays 08:30', timeZone: 'Europe/Berlin', condition, target },
    })
  })

  it('takes the zone from the words where one stands there, and asks Slack for none', async () => {
    const { read, lookedUp } = await wanted('digest every day at 09:00 (Asia/Tokyo) if it changed: how many?')
    expect(read).toMatchObject({ digest: { schedule: 'every day at 09:00', timeZone: 'Asia/Tokyo' } })
    expect(lookedUp).toBe(0)
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
      ['digest daily if it rains: how many?', '“if it rains” is not understood'],
      ['digest daily in #nowhere: how many?', 'no channel #nowhere'],
      ['digest daily to <@U2>: how many?', 'not into the direct messages of others'],
      ['ask', 'There is no question'],
    ] as const) {
      const { read, lookedUp } = await wanted(typed)
      expect(read).toMatchObject({ status: 'unfit', reply: { text: expect.stringContaining(said) } })
      expect(lookedUp).toBe(0)
    }
  })

  it.each([
    ['every monday at 9 how many orders?', 'every monday at 9: how many orders?'],
    ['daily 18:00, top 3 products?', 'daily 18:00: top 3 products?'],
    ['0 9 * * 1-5 how many orders?', '0 9 * * 1-5: how many orders?'],
    ['daily if &lt; 5 to me how many `orders`?', 'daily if < 5 to me: how many orders?'],
    ['daily in <#C12345678|hq> how many?', 'daily in <#C12345678|hq>: how many?'],
  ])('says that a colon is missing, with the line as it would be right: %j', async (typed, right) => {
    const { read, lookedUp } = await wanted(`digest ${typed}`)
    if (read.status !== 'unfit') throw new Error(`it was taken for ${read.status}`)
    const shown = read.reply.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')
    expect(shown).toBe(
      `Nothing was asked. A colon is missing between when and the question. Write \`/querent digest ${right}\``,
    )
    expect(parseDigestCommand(right)).toMatchObject({ does: 'make' })
    expect(lookedUp).toBe(0)
  })

  it('says that the question is missing where there is only when, and explains itself where there is neither', async () => {
    expect((await wanted('digest mondays 08:30')).read).toMatchObject({
      status: 'unfit',
      reply: { text: expect.stringContaining('`/querent digest mondays 08:30: how many orders are there?`') },
    })
    expect((await wanted('digest how many orders?')).read).toEqual({
      status: 'asks-nothing',
      read: { word: 'digest', words: { does: 'help', typed: 'how many orders?' } },
    })
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
