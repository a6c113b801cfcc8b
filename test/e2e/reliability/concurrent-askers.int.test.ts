import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RecordedMessage } from '../../../simulator/shapes/message.ts'
import { cells, isTable } from '../message-parts.ts'
import { openWorkspace, type TestWorkspace } from '../open-workspace.ts'

/** Many at once: every question has its own end in its own thread. */

const byKind = '@querent how many bicycles are there by kind?'
const byPickup = '@querent how many hires are there by pickup country?'

let workspace: TestWorkspace
beforeAll(async () => {
  workspace = await openWorkspace({ workers: 4 })
  await workspace.bot.start()
}, 240_000)
afterAll(() => workspace?.[Symbol.asyncDispose]())

const firstColumn = (message: RecordedMessage): readonly string[] =>
  cells(message)
    .slice(1)
    .map(row => row[0] ?? '')
    .toSorted()

const expectAnswer = async (question: RecordedMessage): Promise<void> => {
  const reply = await workspace.reply(question, isTable, 120_000)
  expect(firstColumn(reply)).toEqual(
    question.text.includes('bicycles') ? ['cargo', 'folding', 'tandem'] : ['Denmark', 'Norway', 'Portugal'],
  )
}

it('twenty questions at once are each answered once, in their own threads', async () => {
  const people = ['ada', 'jonas', 'mira']
  const questions = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      workspace.ask(i % 2 === 0 ? byKind : byPickup, people[i % people.length]),
    ),
  )
  for (const question of questions) await expectAnswer(question)
  for (const question of questions) expect(workspace.replies(question)).toHaveLength(1)
  const [row] = await workspace.watcher.rows(
    "select count(*)::int as n from querent.questions where status = 'answered'",
  )
  expect(row).toEqual({ n: 20 })
  expect(workspace.simulator.problems()).toEqual([])
}, 240_000)

it('two people who ask in one thread at once get an answer each', async () => {
  const { simulator } = workspace
  const first = await workspace.ask(byKind)
  await expectAnswer(first)
  const inThread = { in: '#sales', thread: first.ts }
  await Promise.all([
    simulator.post({ ...inThread, by: 'jonas', text: byKind }),
    simulator.post({ ...inThread, by: 'mira', text: byPickup }),
  ])
  await simulator.until(() => workspace.replies(first).filter(isTable).length === 3, 120_000)
  await simulator.settled()
  expect(workspace.replies(first)).toHaveLength(3)
  expect(workspace.replies(first).slice(1).map(firstColumn).toSorted()).toEqual([
    ['Denmark', 'Norway', 'Portugal'],
    ['cargo', 'folding', 'tandem'],
  ])
}, 240_000)

it('two people who ask the same in two channels do not get in each other’s way', async () => {
  const { simulator } = workspace
  const questions = await Promise.all([
    simulator.post({ by: 'ada', in: '#general', text: byKind }),
    simulator.post({ by: 'jonas', in: '#random', text: byKind }),
    simulator.post({ by: 'mira', text: byKind.replace('@querent ', '') }),
  ])
  for (const question of questions) await expectAnswer(question)
  for (const question of questions) expect(workspace.replies(question)).toHaveLength(1)
}, 240_000)
