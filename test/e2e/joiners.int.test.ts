import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

/** Somebody joins a channel where answers were posted that they may not see: members see everything, noor cargo alone. */

let workspace: TestWorkspace
const rechecksDone = "select 1 from querent_jobs.job where name = 'recheck-channel' and state = 'completed'"
const simulator = () => workspace.simulator
const idOf = (handle: string): string => simulator().people.find(person => person.handle === handle)?.id ?? ''
const words = ({ text, blocks, files }: RecordedMessage): string => JSON.stringify([text, blocks, files])

/** What stands in a thread now. */
const threadNow = (question: RecordedMessage): string =>
  simulator().thread(question.channel, question.ts).map(words).join(' ')

const toldPrivately = (handle: string): string => {
  const direct = simulator().channels.find(({ kind, person }) => kind === 'direct' && person === idOf(handle))
  return simulator()
    .messages()
    .filter(({ channel, byBot, deleted }) => channel === direct?.id && byBot && !deleted)
    .map(words)
    .join(' ')
}

const ask = (by: string, text: string) => simulator().post({ by, in: '#sales', text: `@querent ${text}` })

beforeAll(async () => {
  workspace = await openWorkspace({
    more: ({ people }) => ({
      access: {
        groups: {
          members: {
            members: people.filter(({ kind }) => kind === undefined || kind === 'member').map(({ id }) => id),
            databases: { cycles: {} },
          },
          cargo: {
            members: 'everyone',
            databases: {
              cycles: { rows: { bicycles: "kind = 'cargo'" }, tables: { include: ['bicycles'] } },
            },
          },
        },
      },
      channels: { sales: { guests: true, outsiders: true } },
    }),
  })
  await workspace.bot.start()
})
afterAll(() => workspace?.[Symbol.asyncDispose]())

it('takes answers, files and digests out that they may not see, and gives the answer to the one who asked', async () => {
  const question = await ask('ada', 'how many bicycles are there by kind?')
  const answer = await workspace.reply(question, reply => words(reply).includes('tandem'))
  await simulator().click({ by: 'ada', on: answer, label: 'Export CSV' })
  await simulator().until(() => threadNow(question).includes('.csv'), 30_000)
  await simulator().command(
    'ada',
    '#sales',
    '/querent digest every day at 9: how many bicycles are there by kind?',
  )
  await expect
    .poll(() => workspace.watcher.rows('select 1 from querent.digests'), { timeout: 30_000 })
    .toHaveLength(1)
  simulator().openHome('ada')
  const home = await simulator().until(() => {
    const view = simulator().home('ada')
    return view && JSON.stringify(view.view).includes('Run now') ? view : null
  }, 30_000)
  await simulator().click({ by: 'ada', on: { viewId: home.id }, label: 'Run now' })
  const digest = await simulator().until(
    () =>
      simulator()
        .messages()
        .find(({ byBot, blocks }) => byBot && blocks[0]?.type === 'header'),
    30_000,
  )
  const digestNow = (): string =>
    simulator()
      .messages()
      .filter(({ channel, ts }) => channel === digest.channel && ts === digest.ts)
      .map(words)
      .join()
  expect(digestNow()).toContain('tandem')

  // While Slack does not tell who is there, nothing is taken out, and it is tried again.
  simulator().setFaults([
    { method: 'conversations.members', times: 1, kind: 'error', error: 'internal_error' } as const,
  ])
  simulator().join('noor', '#sales')
  await expect
    .poll(() => workspace.bot.complaints().join(), { timeout: 60_000 })
    .toContain('"queue":"recheck-channel","attempt":1')
  expect(threadNow(question)).toContain('tandem')
  await expect.poll(() => threadNow(question), { timeout: 40_000 }).toContain('not everyone here may see it')
  await expect.poll(() => threadNow(question), { timeout: 10_000 }).not.toContain('.csv')
  expect(threadNow(question)).not.toContain('tandem')
  expect(toldPrivately('ada')).toContain('tandem')
  await expect.poll(digestNow, { timeout: 10_000 }).toContain('I took this digest out of the channel')
  expect(digestNow()).not.toContain('tandem')

  // A vote draws the answer again: still for ada alone.
  const own = simulator()
    .messages()
    .findLast(message => message.byBot && !message.deleted && words(message).includes('Post to thread'))
  if (!own) throw new Error('ada has no answer')
  await simulator().click({ by: 'ada', on: own, actionId: 'vote', choice: 'positive' })
  await simulator().settled()
  expect(threadNow(question)).not.toContain('tandem')

  // What is asked from now on is for all of them, or for the asker alone.
  const later = await ask('ada', 'how many bicycles are there?')
  await workspace.reply(later, reply => words(reply).includes('not everyone here may see it'))

  // Everyone may see what noor sees, whoever joins.
  const hers = await ask('noor', 'how many bicycles are there?')
  await workspace.reply(hers, reply => words(reply).includes('Bicycles: '))
  const before = threadNow(hers)
  simulator().join('theo', '#sales')
  await expect.poll(() => workspace.watcher.rows(rechecksDone), { timeout: 60_000 }).toHaveLength(2)
  expect(threadNow(hers)).toBe(before)
  expect(simulator().problems()).toEqual([])
}, 240_000)
