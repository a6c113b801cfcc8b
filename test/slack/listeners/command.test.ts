import type { WebClient } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import { parseDigestWords as readWords } from '../../../src/digests/digest-words.ts'
import { parseSchedule } from '../../../src/digests/schedule/parse-schedule.ts'
import { resolveCommand } from '../../../src/slack/listeners/command.ts'
import { parseDigestCommand } from '../../../src/slack/listeners/digest-command.ts'

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

describe('the text after /querent digest', () => {
  it.each([
    ['every monday at 9: how many orders?', 'every monday at 9', 'how many orders?'],
    ['mondays 08:30: how  many\norders?', 'mondays 08:30', 'how many orders?'],
    ['0 9 * * 1-5: orders since 09:30: by city?', '0 9 * * 1-5', 'orders since 09:30: by city?'],
    ['daily to me if it changed:how many?', 'daily to me if it changed', 'how many?'],
    ['list of days: how many?', 'list of days', 'how many?'],
  ])('splits into schedule and question: %j', (typed, schedule, question) => {
    expect(parseDigestCommand(typed)).toEqual({ action: 'make', schedule, question })
  })

  it.each([
    ['list', { action: 'list' }],
    ['pause 1d444840', { action: 'pause', id: '1d444840' }],
    ['mondays 08:30', { action: 'help', typed: 'mondays 08:30' }],
    [': how many?', { action: 'help', typed: ': how many?' }],
  ])('is another command without a schedule and a colon: %j', (typed, parsed) => {
    expect(parseDigestCommand(typed)).toEqual(parsed)
  })
})

describe('a command', () => {
  it('requests a digest for the channel where it was typed, in the time zone of the person', async () => {
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
  ])('reads the condition and the target from the schedule: %s', async (words, condition, target) => {
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

  it('leaves the time zone open if Slack does not name a known one', async () => {
    for (const zone of [null, 'Mars/Olympus'])
      expect((await wanted('digest daily: how many?', { zone })).read).toMatchObject({
        digest: { timeZone: null },
      })
  })

  it('asks nothing, and does not look up a time zone, if the schedule or the question is missing', async () => {
    for (const [typed, problem] of [
      ['digest when the moon is full: how many?', 'is not a schedule I understand'],
      ['digest every minute: how many?', 'The shortest interval is 5 minutes'],
      ['digest daily:', 'There is no question'],
      ['digest daily if it rains: how many?', "I don't understand “if it rains”"],
      ['digest daily in #nowhere: how many?', "can't find a channel #nowhere"],
      ['digest daily to <@U2>: how many?', 'not to other people’s direct messages'],
      ['ask', 'There is no question'],
    ] as const) {
      const { read, lookedUp } = await wanted(typed)
      expect(read).toMatchObject({ status: 'unfit', reply: { text: expect.stringContaining(problem) } })
      expect(lookedUp).toBe(0)
    }
  })

  it.each([
    ['every monday at 9 how many orders?', 'every monday at 9: how many orders?'],
    ['daily 18:00, top 3 products?', 'daily 18:00: top 3 products?'],
    ['0 9 * * 1-5 how many orders?', '0 9 * * 1-5: how many orders?'],
    ['daily if &lt; 5 to me how many `orders`?', 'daily if < 5 to me: how many orders?'],
    ['daily in <#C12345678|hq> how many?', 'daily in <#C12345678|hq>: how many?'],
  ])('says that a colon is missing and shows the corrected command: %j', async (typed, corrected) => {
    const { read, lookedUp } = await wanted(`digest ${typed}`)
    if (read.status !== 'unfit') throw new Error(`it was taken for ${read.status}`)
    const shown = read.reply.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')
    expect(shown).toBe(
      `The colon between the schedule and the question is missing. Write \`/querent digest ${corrected}\``,
    )
    expect(parseDigestCommand(corrected)).toMatchObject({ action: 'make' })
    expect(lookedUp).toBe(0)
  })

  it('says that the question is missing after a schedule, and shows help for text without a schedule', async () => {
    expect((await wanted('digest mondays 08:30')).read).toMatchObject({
      status: 'unfit',
      reply: { text: expect.stringContaining('`/querent digest mondays 08:30: how many orders are there?`') },
    })
    expect((await wanted('digest how many orders?')).read).toEqual({
      status: 'asks-nothing',
      command: { word: 'digest', command: { action: 'help', typed: 'how many orders?' } },
    })
  })

  it('can ask a question without a digest, or none at all', async () => {
    expect((await wanted('ask how  many?')).read).toEqual({ status: 'asks', text: 'how many?' })
    expect((await wanted('digest list')).read).toEqual({
      status: 'asks-nothing',
      command: { word: 'digest', command: { action: 'list' } },
    })
    expect((await wanted('admin')).read).toEqual({ status: 'asks-nothing', command: { word: 'admin' } })
  })
})
