import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { createTestDatabase } from '../helpers/test-database.ts'
import { observeFor, until } from '../helpers/wait.ts'
import { buttons, isQuestionBack, isTable } from './message-parts.ts'
import { openWatcher } from './open-watcher.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

/** `Stop` ends what is under way for real: the statement, the request to a model, the turn of a question. */

const clear = '@querent how many bicycles are there by kind?'
const vague = '@querent number of hires by country'
const MINUTES = 240_000

/** From the start of the work to after its end: the test is about a click at each moment of it. */
const STOP_DELAYS_MS = [0, 50, 100, 150, 200, 300, 400]

const canBeStopped = (message: RecordedMessage): boolean => buttons(message).includes('Stop')
const isStopped = (message: RecordedMessage): boolean => message.text.startsWith('Stopped')

const idOf = ({ simulator }: TestWorkspace, handle: string): string =>
  simulator.people.find(person => person.handle === handle)?.id ?? ''

const statusOf = async ({ watcher }: TestWorkspace, { ts }: RecordedMessage): Promise<unknown> => {
  const [row] = await watcher.rows("select status from querent.questions where place ->> 'message' = $1", [
    ts,
  ])
  return row?.status
}

const stop = ({ simulator }: TestWorkspace, on: RecordedMessage, by = 'ada') =>
  simulator.click({ by, on, label: 'Stop' })

/** The one message of a stopped question: it names who stopped it, and offers to ask again. */
const expectStopped = async (
  workspace: TestWorkspace,
  question: RecordedMessage,
  by: string,
): Promise<RecordedMessage> => {
  const stopped = await workspace.reply(question, isStopped)
  expect(stopped.text).toBe(`Stopped by <@${idOf(workspace, by)}>.`)
  expect(buttons(stopped)).toEqual(['Ask again'])
  expect(workspace.replies(question)).toHaveLength(1)
  expect(await statusOf(workspace, question)).toBe('stopped')
  expect(workspace.simulator.problems()).toEqual([])
  return stopped
}

/** Resolves when no job of some queues is left to do, so that nothing more will be said. */
const allDone = ({ watcher }: TestWorkspace, queues = ['question', 'resume', 'stop']) =>
  watcher.until(
    `select 1 where not exists (select from querent_jobs.job
     where name = any($1) and state in ('created', 'retry', 'active'))`,
    [queues],
    75_000,
  )

/** Processes that a process began. */
const childrenOf = (pid: number): readonly string[] => {
  try {
    return execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
  } catch {
    return []
  }
}

describe('Stop', { timeout: MINUTES }, () => {
  let workspace: TestWorkspace
  let pid: number
  beforeAll(async () => {
    workspace = await openWorkspace({ admin: 'mira' })
    const bot = await workspace.bot.start()
    pid = bot.pid
  }, MINUTES)
  afterAll(() => workspace?.[Symbol.asyncDispose]())

  it('is for the person who asked and for admins; others are told so in private', async () => {
    const { simulator, watcher } = workspace
    const lock = await watcher.lock('querent.saved_results')
    const question = await workspace.ask(clear)
    const working = await workspace.reply(question, canBeStopped)
    await lock.blocks()
    await stop(workspace, working, 'jonas')
    const told = await simulator.until(() =>
      simulator.messages().find(({ onlyFor }) => onlyFor === idOf(workspace, 'jonas')),
    )
    expect(told.text).toBe(`Only <@${idOf(workspace, 'ada')}> or an admin can stop this.`)
    expect(await statusOf(workspace, question)).toBe('working')
    await stop(workspace, working, 'mira')
    await watcher.until("select from querent.questions where status in ('stopping', 'stopped')")
    await lock.release()
    await expectStopped(workspace, question, 'mira')
  })

  it('offers to ask again, and that is answered', async () => {
    const { simulator, watcher } = workspace
    const lock = await watcher.lock('querent.saved_results')
    const question = await workspace.ask(clear)
    await lock.blocks()
    await stop(workspace, await workspace.reply(question, canBeStopped))
    await watcher.until("select from querent.questions where status in ('stopping', 'stopped')")
    await lock.release()
    const stopped = await expectStopped(workspace, question, 'ada')
    await simulator.click({ by: 'jonas', on: stopped, label: 'Ask again' })
    const answer = await workspace.reply(question, isTable)
    expect(answer.ts).not.toBe(stopped.ts)
  })

  it('at the moment of the end comes to one end, and the message shows that one', async () => {
    const ends: { question: RecordedMessage; text: string }[] = []
    const expectOneEnd = async (question: RecordedMessage, text: string) => {
      expect(workspace.replies(question).map(reply => reply.text)).toEqual([text])
      const end = text.startsWith('Stopped') ? 'stopped' : 'answered'
      expect(await statusOf(workspace, question)).toBe(end)
    }
    for (const delayMs of STOP_DELAYS_MS) {
      const question = await workspace.ask(clear)
      const working = await workspace.reply(question, canBeStopped)
      await observeFor(delayMs)
      // The button may have gone meanwhile, as it should.
      await stop(workspace, working).catch(() => null)
      const { text } = await workspace.reply(question, reply => isStopped(reply) || isTable(reply))
      await allDone(workspace, ['question'])
      await expectOneEnd(question, text)
      ends.push({ question, text })
    }
    // The jobs of the stops come later, and change nothing.
    await allDone(workspace)
    for (const { question, text } of ends) await expectOneEnd(question, text)
    expect(workspace.simulator.problems()).toEqual([])
  })

  it('is no longer offered when there is an end, or a question back', async () => {
    const question = await workspace.ask(clear)
    expect(canBeStopped(await workspace.reply(question, isTable))).toBe(false)
    const unclear = await workspace.ask(vague)
    expect(canBeStopped(await workspace.reply(unclear, isQuestionBack))).toBe(false)
  })

  it('kills the process that works on a SQLite file', async () => {
    // The table becomes a view that has no end.
    const file = new DatabaseSync(workspace.databaseFile)
    file.exec(`
      alter table bicycles rename to bicycles_once;
      create view bicycles as
        with recursive n(i) as (select 1 union all select i + 1 from n)
        select i as bicycle_id, 'Model 1' as model, 'cargo' as kind, 300.0 as price from n;
    `)
    file.close()
    const question = await workspace.ask(clear)
    const working = await workspace.reply(question, canBeStopped)
    const busy = await busyChild(pid)
    expect(childrenOf(pid)).toContain(busy)
    await stop(workspace, working)
    await expectStopped(workspace, question, 'ada')
    // A killed process is listed until its parent has heard of its end.
    await expect.poll(() => childrenOf(pid), { timeout: 20_000 }).not.toContain(busy)
  })
})

describe('stopping', { timeout: MINUTES }, () => {
  it('cancels the statement that a Postgres server works on', async () => {
    await using asked = await createTestDatabase()
    await using server = await openWatcher(asked.url)
    await server.rows(`create table bicycles (bicycle_id int primary key, kind text not null)`)
    await server.rows(
      `insert into bicycles select n, (array['cargo', 'folding'])[1 + n % 2] from generate_series(1, 20) n`,
    )
    await using workspace = await openWorkspace({ databaseUrl: asked.url })
    await workspace.bot.start()
    // From now on readers of the table wait, as in a statement that takes long.
    const holder = await server.lock('bicycles', 'access exclusive')
    const question = await workspace.ask(clear)
    const working = await workspace.reply(question, canBeStopped)
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`
    await server.until(waiting)
    await stop(workspace, working)
    await expectStopped(workspace, question, 'ada')
    // The cancel goes by a connection of its own. The lock is still held: nothing else ends the statement.
    await expect.poll(() => server.rows(waiting), { timeout: 5_000 }).toEqual([])
    await holder.release()
    await allDone(workspace)
    await expectStopped(workspace, question, 'ada')
  })

  it('hangs up on a model that thinks', async () => {
    let hungUp = 0
    let asked = 0
    const model = createServer(request => {
      asked += 1
      request.socket.once('close', () => {
        hungUp += 1
      })
    })
    await new Promise<void>(resolve => model.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = model.address() as AddressInfo
      await using workspace = await openWorkspace({ modelUrl: `http://127.0.0.1:${port}/v1` })
      await workspace.bot.start()
      const question = await workspace.ask('@querent which kind of bicycle do riders like best?')
      const working = await workspace.reply(question, canBeStopped)
      await expect.poll(() => asked, { timeout: 20_000 }).toBeGreaterThan(0)
      expect(hungUp).toBe(0)
      await stop(workspace, working)
      await expectStopped(workspace, question, 'ada')
      await expect.poll(() => hungUp, { timeout: 5_000 }).toBe(asked)
    } finally {
      model.closeAllConnections()
      model.close()
    }
  })

  it('a question whose process has died ends it, and it is not taken up again', async () => {
    await using workspace = await openWorkspace()
    const { watcher, bot } = workspace
    const first = await bot.start()
    const lock = await watcher.lock('querent.saved_results')
    const question = await workspace.ask(clear)
    const working = await workspace.reply(question, canBeStopped)
    await lock.blocks()
    await first.end('SIGKILL')
    await lock.release()
    await bot.start()
    await stop(workspace, working)
    await expectStopped(workspace, question, 'ada')
    await allDone(workspace)
    await expectStopped(workspace, question, 'ada')
  })
})

/** The process among those of the bot that is at work: its time on the processor grows by more than a moment of others. */
const busyChild = async (pid: number): Promise<string> => {
  const seconds = (): ReadonlyMap<string, number> =>
    new Map(
      execFileSync('ps', ['-o', 'pid=,cputimes=', '--ppid', String(pid)], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .map(line => line.trim().split(/\s+/))
        .map(([child = '', time = '0']) => [child, Number(time)] as const),
    )
  const first = seconds()
  const [busy] = await until(
    () => [...seconds()].find(([child, time]) => time >= (first.get(child) ?? 0) + 2) ?? null,
    { waitingFor: 'a process of the bot that uses the processor' },
  )
  return busy
}
