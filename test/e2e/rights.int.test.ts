import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

/** What people with different rights see in the same channels: ada everything, jonas and the others cargo bicycles alone. */

let workspace: TestWorkspace
const simulator = () => workspace.simulator
const idOf = (handle: string): string => simulator().people.find(person => person.handle === handle)?.id ?? ''
const words = ({ text, blocks }: RecordedMessage): string => `${text} ${JSON.stringify(blocks)}`

const ask = (by: string, channel: string, text: string) =>
  simulator().post({ by, in: channel, text: `@querent ${text}` })

/** What the bot said to a person in direct messages. */
const privately = (handle: string): readonly RecordedMessage[] => {
  const direct = simulator().channels.find(({ kind, person }) => kind === 'direct' && person === idOf(handle))
  return simulator()
    .messages()
    .filter(({ channel, byBot, deleted }) => channel === direct?.id && byBot && !deleted)
}

const nextPrivate = async (handle: string, act: () => Promise<unknown>): Promise<RecordedMessage> => {
  const before = privately(handle).length
  await act()
  const message = await simulator().until(() => privately(handle)[before], 30_000)
  await simulator().settled()
  return privately(handle).find(({ ts }) => ts === message.ts) ?? message
}

const inThread = async (message: RecordedMessage, pattern: RegExp): Promise<string> =>
  words(await workspace.reply(message, reply => pattern.test(words(reply)), 30_000))

const onlyFor = (handle: string): readonly string[] =>
  simulator()
    .messages()
    .filter(message => message.onlyFor === idOf(handle))
    .map(words)

beforeAll(async () => {
  workspace = await openWorkspace({
    cacheMinutes: 60,
    more: ({ people }) => ({
      access: {
        groups: {
          leads: {
            members: people.filter(({ handle }) => handle === 'ada').map(({ id }) => id),
            databases: { cycles: {} },
          },
          cargo: {
            members: 'everyone',
            databases: {
              cycles: {
                rows: { bicycles: "kind = 'cargo'" },
                masks: { 'riders.name': 'last-four' },
                export: false,
              },
            },
          },
        },
      },
      channels: { sales: {}, random: { audience: 'cargo' } },
    }),
  })
  await workspace.bot.start()
})
afterAll(() => workspace?.[Symbol.asyncDispose]())
afterEach(async () => {
  await simulator().settled()
  expect(simulator().problems()).toEqual([])
})

describe('in a channel of people with different rights', { timeout: 120_000 }, () => {
  it('each gets the rows they may see, alone if others may not see them', async () => {
    const question = 'how many bicycles are there?'
    let asked: RecordedMessage | null = null
    const toAda = await nextPrivate('ada', async () => {
      asked = await ask('ada', '#sales', question)
    })
    expect(words(toAda)).toContain('Bicycles: 48')
    expect(words(toAda)).toContain('Post to thread')
    if (asked === null) throw new Error('nothing was asked')
    const notice = await inThread(asked, /not everyone here may see it/)
    expect(notice).not.toContain('Bicycles')

    // The same words, asked by someone with other rights: neither the answer of ada nor her cache. Everyone may see it.
    const answer = await inThread(await ask('jonas', '#sales', question), /Bicycles: \d/)
    expect(answer).toContain('Bicycles: 16')
  })

  it('is not posted to the thread while someone there may not see it', async () => {
    const answer = privately('ada').at(-1)
    if (!answer) throw new Error('ada has no answer')
    const before = onlyFor('ada').length
    await simulator().click({ by: 'ada', on: answer, label: 'Post to thread' })
    const told = await simulator().until(() => onlyFor('ada')[before], 20_000)
    expect(told).toContain('in the channel may not see it')
  })

  it('exports nothing for a group that may not export', async () => {
    const asked = await ask('jonas', '#sales', 'how many bicycles are there by model?')
    const answer = await workspace.reply(asked, reply => /Model/.test(words(reply)), 30_000)
    const before = onlyFor('jonas').length
    await simulator().click({ by: 'jonas', on: answer, label: 'Export CSV' })
    const told = await simulator().until(() => onlyFor('jonas')[before], 20_000)
    expect(told).toContain('cannot be exported')
  })

  it('shows masked values in their other form', async () => {
    const asked = await ask('jonas', '#sales', 'list all riders with their names')
    expect(await inThread(asked, /\*{4}/)).not.toMatch(/Rider \d/)
  })
})

describe('in a channel that is said to see what a group sees', { timeout: 120_000 }, () => {
  it('answers with these rights are posted, and others are not', async () => {
    const asked = await ask('jonas', '#random', 'how many bicycles are there?')
    expect(await inThread(asked, /Bicycles: 16/)).toContain('rows the asker may see')

    const toAda = await nextPrivate('ada', () =>
      ask('ada', '#random', 'how many bicycles are there by kind?'),
    )
    expect(words(toAda)).toContain('tandem')
  })

  it('a follow-up of someone with other rights does not build on what they were not shown', async () => {
    const asked = await ask('jonas', '#random', 'how many bicycles are there by kind?')
    expect(await inThread(asked, /cargo/)).not.toContain('tandem')
  })
})
