import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { until } from '../../test/helpers/wait.ts'
import type { TestClient } from '../../test/mcp/connect.ts'
import { figuresIn, leaksTo } from './judge.ts'
import { lookAt, readings } from './read.ts'
import {
  followUps,
  type Handle,
  handles,
  type Known,
  markOf,
  questions,
  referenceFor,
  type Sight,
  type Sights,
} from './world.ts'

/** Draws whole numbers from 0 up to a limit. */
export type Draw = (below: number) => number

/** What people act on. */
export interface Scene {
  readonly simulator: Simulator
  readonly sights: Sights
  readonly databaseFile: string
  /** A program of each person. */
  readonly programs: Readonly<Record<Handle, TestClient>>
  rows(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
}

/** What came of actions, and every leak, one line each. */
export interface Tally {
  readonly actions: Record<string, number>
  answers: number
  compared: number
  readonly leaks: string[]
}

const pick = <T>(draw: Draw, from: readonly T[]): T => {
  const one = from[draw(from.length)]
  if (one === undefined) throw new Error('there is nothing to choose from')
  return one
}

/** One random action of one person. */
export const act = async (scene: Scene, by: Handle, draw: Draw, tally: Tally): Promise<void> => {
  const kinds = [
    ...(['ask', 'ask', 'ask', 'follow-up', 'click', 'click', 'edit', 'edit', 'program', 'program'] as const),
    ...readings,
  ]
  const kind = pick(draw, kinds)
  tally.actions[kind] = (tally.actions[kind] ?? 0) + 1
  switch (kind) {
    case 'ask':
      return ask(scene, by, pick(draw, [null, '#general', '#sales']), pick(draw, questions), tally)
    case 'follow-up':
      return followUp(scene, by, draw)
    case 'click':
      return click(scene, by, draw, tally)
    case 'edit':
      return edit(scene, by, draw, tally)
    case 'program':
      return program(scene, by, draw, tally)
    case 'verified':
    case 'home':
    case 'forge':
    case 'schedule':
    case 'review':
    case 'lists':
      return lookAt(scene, by, kind, { draw, tally, quiet: () => quiet(scene) })
    default: {
      const never: never = kind
      return never
    }
  }
}

const idOf = ({ simulator }: Scene, handle: string): string =>
  simulator.people.find(person => person.handle === handle)?.id ?? ''

const ended = async ({ rows }: Scene, message: RecordedMessage): Promise<void> => {
  await until(
    async () =>
      (
        await rows(
          `select 1 from querent.questions q where q.place ->> 'message' = $1
             and q.status in ('answered', 'refused', 'failed', 'stopped', 'waiting')
             and not exists (select from querent_jobs.job j where j.data ->> 'questionId' = q.id::text
               and j.state in ('created', 'retry', 'active') and j.start_after < now())`,
          [message.ts],
        )
      ).length > 0,
    { timeoutMs: 60_000, waitingFor: `the end of ${message.text}` },
  )
}

/** In the thread, or in the direct messages of who asked. */
const answersTo = async (
  { simulator, rows }: Scene,
  { ts }: RecordedMessage,
): Promise<readonly RecordedMessage[]> => {
  const [question] = await rows("select id from querent.questions where place ->> 'message' = $1", [ts])
  if (question === undefined) return []
  return simulator
    .messages()
    .filter(({ byBot, blocks }) => byBot && JSON.stringify(blocks).includes(String(question.id)))
}

const ask = async (
  scene: Scene,
  by: Handle,
  where: string | null,
  known: Known,
  tally: Tally,
): Promise<void> => {
  const message = await scene.simulator.post({
    by,
    ...(where === null ? {} : { in: where }),
    text: `@querent ${known.text}`,
  })
  await ended(scene, message)
  const expected = referenceFor(scene.databaseFile, known, scene.sights[by])
  for (const reply of await answersTo(scene, message)) {
    const figures = figuresIn(reply)
    if (figures === null) continue
    tally.answers += 1
    if (expected === null) continue
    tally.compared += 1
    if (JSON.stringify(figures) !== JSON.stringify(expected))
      tally.leaks.push(
        `${by} asked “${known.text}” and got ${figures.slice(0, 8)}, not ${expected.slice(0, 8)}`,
      )
  }
}

/** In the thread of anybody's question; what comes of it is looked at with everything else that was delivered. */
const followUp = async (scene: Scene, by: Handle, draw: Draw): Promise<void> => {
  const { simulator } = scene
  const own = idOf(scene, by)
  const threads = simulator
    .messages()
    .filter(({ byBot, threadTs, channel }) => {
      const direct = simulator.channels.find(({ id }) => id === channel)?.person ?? null
      return !byBot && threadTs === null && (direct === null || direct === own)
    })
    .slice(-30)
  if (threads.length === 0) return
  const first = pick(draw, threads)
  await simulator.post({ by, in: first.channel, thread: first.ts, text: `@querent ${pick(draw, followUps)}` })
  await quiet(scene)
}

/** Waits until nothing that was asked or clicked is under way. */
const quiet = async ({ simulator, rows }: Scene): Promise<void> => {
  await simulator.settled()
  await until(
    async () =>
      (
        await rows(
          `select 1 from querent_jobs.job where name in ('question', 'resume', 'revise', 'export')
             and state in ('created', 'retry', 'active') and start_after < now() limit 1`,
        )
      ).length === 0,
    { timeoutMs: 90_000, waitingFor: 'the end of all jobs' },
  )
}

const labels = ['Show SQL', 'Export CSV', 'Post to thread', 'Run again'] as const

/** On any answer, also on one that only somebody else was shown. */
const click = async (scene: Scene, by: Handle, draw: Draw, tally: Tally): Promise<void> => {
  const { simulator } = scene
  const answers = simulator
    .messages()
    .filter(({ byBot, deleted, blocks }) => byBot && !deleted && JSON.stringify(blocks).includes('show_sql'))
    .slice(-40)
  if (answers.length === 0) return
  const on = pick(draw, answers)
  await simulator.click({ by, on, label: pick(draw, labels) }).catch(() => null)
  await quiet(scene)
  await lookAtModal(scene, by, tally)
}

const lookAtModal = async ({ simulator, sights }: Scene, by: Handle, tally: Tally): Promise<void> => {
  for (const leak of leaksTo(sights[by], JSON.stringify(simulator.modal(by)?.view ?? null)))
    tally.leaks.push(`${by} saw ${leak} in a form`)
  while (simulator.modal(by) !== null) await simulator.closeModal(by)
}

const statements = [
  'select note from deals',
  'select region, sum(amount) from deals group by region',
  'select name, phone from accounts',
  "select note from deals where region in ('north', 'south', 'west', 'east')",
  'select max(note) from deals',
] as const

/** Names a value of the person's own rows, which is then in the SQL of their answer, their digests and their reviews. */
const ownStatement = (sight: Sight): string =>
  `select count(*) as own from accounts where name like '${sight === 'all' ? 'zq' : markOf(sight)}%'`

const edit = async (scene: Scene, by: Handle, draw: Draw, tally: Tally): Promise<void> => {
  const { simulator } = scene
  const own = idOf(scene, by)
  const answers = simulator
    .messages()
    .filter(({ byBot, blocks, channel, onlyFor }) => {
      const reader = onlyFor ?? simulator.channels.find(({ id }) => id === channel)?.person
      return byBot && reader === own && JSON.stringify(blocks).includes('edit_sql')
    })
    .slice(-10)
  if (answers.length === 0) return
  await simulator.click({ by, on: pick(draw, answers), label: 'Edit & rerun' }).catch(() => null)
  const form = simulator.modal(by)?.view
  if (form?.blocks.some(({ block_id }) => block_id === 'sql_0')) {
    await simulator.submitModal(by, {
      sql_0: draw(2) === 0 ? ownStatement(scene.sights[by]) : pick(draw, statements),
    })
    await quiet(scene)
  }
  await lookAtModal(scene, by, tally)
}

const program = async (scene: Scene, by: Handle, draw: Draw, tally: Tally): Promise<void> => {
  const sight = scene.sights[by]
  const known = pick(draw, questions)
  const isSql = draw(2) === 0 && known.sql !== null
  const sql = (known.sql ?? '').replace('{deals}', 'deals').replace('{accounts}', 'accounts')
  const { call } = scene.programs[by]
  const { text, data } = await (isSql ? call('run_sql', { sql }) : call('ask', { question: known.text }))
  for (const leak of leaksTo(sight, `${text} ${JSON.stringify(data ?? null)}`))
    tally.leaks.push(`a program of ${by} got ${leak}`)
  if (!Array.isArray(data?.rows)) return
  tally.answers += 1
  const expected = referenceFor(scene.databaseFile, known, sight)
  if (expected === null) return
  tally.compared += 1
  const figures = (data.rows as readonly (readonly unknown[])[]).flat().map(String).toSorted()
  if (JSON.stringify(figures) !== JSON.stringify(expected))
    tally.leaks.push(
      `a program of ${by} got ${figures.slice(0, 8)} for “${known.text}”, not ${expected.slice(0, 8)}`,
    )
}

/** The people in the order in which they act: each has one form at a time. */
export const actors = handles
