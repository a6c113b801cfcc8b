import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeReadVerified } from '../../graphs/answer/verified/read-verified.ts'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { openDatabase } from '../../src/databases/open-database.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import { makeJobs } from '../../src/jobs/jobs.ts'
import { understandQuestion } from '../../src/parser/understand/understand-question.ts'
import { resultKey } from '../../src/ranking/result-key.ts'
import { makeStore, type Store } from '../../src/store/store.ts'
import { makeSaveVerified } from '../../src/verified-queries/save-verified.ts'
import type { BotProcess } from '../helpers/start-bot.ts'
import { buttons } from './message-parts.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

let workspace: TestWorkspace

let store: Store

let bot: BotProcess

const simulator = () => workspace.simulator

const ada = () => simulator().people.find(({ handle }) => handle === 'ada')?.id ?? ''

const question = 'How many bicycles are of the kind cargo?'

const sql = "select count(*) from bicycles where kind = 'cargo'"

let id = ''

/** What the bot wrote to Ada alone, in order. */
const direct = (): readonly RecordedMessage[] => {
  const mine = simulator().channels.find(({ person }) => person === ada())?.id
  return simulator()
    .messages()
    .filter(({ channel, byBot, deleted }) => channel === mine && byBot && !deleted)
}

const query = async () => store.repositories.verifiedQueries.find(id)

const change = (statement: string): void => {
  const file = new DatabaseSync(workspace.databaseFile)
  file.exec(statement)
  file.close()
}

/** The time of the next run has come, as the next process sees when it starts. */
const runAgain = async (): Promise<void> => {
  await bot.end('SIGTERM')
  await workspace.watcher.rows("update querent.verified_queries set due_at = now() - interval '1 second'")
  bot = await workspace.bot.start()
}

/** Waits until the bot has said something in this very message. */
const says = (message: RecordedMessage, words: string): Promise<RecordedMessage> =>
  simulator().until(() => direct().find(({ ts, text }) => ts === message.ts && text.includes(words)))

beforeAll(async () => {
  workspace = await openWorkspace()
  store = makeStore({ url: workspace.storeUrl, resultKey })
  const opened = await openDatabase(
    { dialect: 'sqlite', name: 'cycles', location: workspace.databaseFile },
    { audit: silentAudit, guard: makeGuard(), limits: { timeoutMs: 5_000, maxRows: 100, maxBytes: 100_000 } },
  )
  const now = () => new Date()
  const save = makeSaveVerified({
    readVerified: makeReadVerified({ understand: understandQuestion, clock: { now, timeZone: 'UTC' } }),
    insert: query => store.repositories.verifiedQueries.insert(query),
    newId: () => crypto.randomUUID(),
    now,
  })
  const saved = await save({ question, sql, database: opened.database, status: 'accepted', savedBy: ada() })
  await opened.close()
  if (saved.status !== 'saved') throw new Error(`it could not be saved: ${saved.status}`)
  id = saved.query.id
  bot = await workspace.bot.start()
})

afterAll(async () => {
  await store?.close()
  await workspace?.[Symbol.asyncDispose]()
})

afterEach(async () => {
  await simulator().settled()
  expect(simulator().problems()).toEqual([])
})

describe('a verified query', { timeout: 120_000 }, () => {
  it('is run again when it is due, and nobody is told while it holds', async () => {
    await workspace.watcher.until("select from querent.verified_queries where last_run ->> 'status' = 'ran'")
    const held = await query()
    expect(held).toMatchObject({ status: 'accepted', lastRun: { rowCount: 1 }, staleness: null })
    expect(held?.dueAt?.getTime()).toBeGreaterThan(Date.now() + 23 * 60 * 60 * 1000)
    expect(direct()).toEqual([])
  })

  it('goes stale when its column is renamed, and its owner is asked once', async () => {
    change('alter table bicycles rename column kind to sort')
    await runAgain()
    const asked = await simulator().until(() => direct()[0], 30_000)
    expect(asked.text).toContain(question)
    expect(asked.text).toContain('no such column: kind')
    expect(asked.text).toContain('the column bicycles.kind is gone')
    expect(buttons(asked)).toEqual(['Keep', 'Remove', 'Show SQL'])
    expect(await query()).toMatchObject({ status: 'stale', lastRun: { status: 'broken' } })
    expect(await store.repositories.verifiedQueries.list({ status: 'accepted' })).toEqual([])
  })

  it('is not announced twice, even if it is unknown whether the message was posted', async () => {
    await workspace.watcher.until('select from querent.verified_notices where ts is not null')
    await workspace.watcher.rows('update querent.verified_notices set ts = null')
    const since = (await query())?.staleness?.since.toISOString() ?? ''
    const jobs = await makeJobs({ url: workspace.storeUrl, executeIn: store.executeIn })
    await jobs.send('ask-verified-owner', { queryId: id, since })
    await jobs.stop({ timeoutMs: 1_000 })
    await workspace.watcher.until('select from querent.verified_notices where ts is not null')
    await runAgain()
    expect(direct()).toHaveLength(1)
  })

  it('shows its SQL, and cannot be kept while it does not run', async () => {
    const [asked] = direct() as [RecordedMessage]
    await simulator().click({ by: 'ada', on: asked, label: 'Show SQL' })
    const modal = await simulator().until(() => simulator().modal('ada'))
    expect(JSON.stringify(modal)).toContain(sql)
    await simulator().closeModal('ada')
    await simulator().click({ by: 'ada', on: asked, label: 'Keep' })
    const told = await simulator().until(() =>
      direct().find(({ blocks }) => JSON.stringify(blocks).includes('keep it: ')),
    )
    expect(told.ts).toBe(asked.ts)
    expect(buttons(told)).toEqual(['Keep', 'Remove', 'Show SQL'])
    expect(await query()).toMatchObject({ status: 'stale' })
  })

  it('is kept once it runs again', async () => {
    change('alter table bicycles rename column sort to kind')
    const [asked] = direct() as [RecordedMessage]
    await simulator().click({ by: 'ada', on: asked, label: 'Keep' })
    const kept = await says(asked, 'is in use again')
    expect(buttons(kept)).toEqual([])
    expect(await query()).toMatchObject({
      status: 'accepted',
      decidedBy: ada(),
      staleness: null,
      touches: [{ name: 'bicycles', whole: false, columns: [{ name: 'kind' }] }],
    })
  })

  it('is asked about again when it goes stale again, and is removed by a click', async () => {
    change('alter table bicycles rename to cycles')
    await runAgain()
    const asked = await simulator().until(() => direct()[1], 30_000)
    expect(asked.text).toContain('the table bicycles is gone')
    await simulator().click({ by: 'ada', on: asked, label: 'Remove' })
    expect(buttons(await says(asked, 'is removed'))).toEqual([])
    expect(await query()).toMatchObject({ status: 'removed', decidedBy: ada() })
    expect(direct()).toHaveLength(2)
  })
})
