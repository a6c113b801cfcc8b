import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { makeReadVerified } from '../../../graphs/answer/verified/read-verified.ts'
import { makeAnswering } from '../../../src/bootstrap/answering/answering.ts'
import { makeResources } from '../../../src/bootstrap/resources.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { parseSchedule } from '../../../src/digests/schedule/parse-schedule.ts'
import type { AnswerReport } from '../../../src/domain/answer.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import type { Question } from '../../../src/domain/question.ts'
import { makeJobs } from '../../../src/jobs/jobs.ts'
import { understandQuestion } from '../../../src/parser/understand/understand-question.ts'
import { makeSealer } from '../../../src/store/sealer.ts'
import { makeSaveVerified } from '../../../src/verified-queries/save-verified.ts'
import { makeSqliteFile } from '../../helpers/sqlite-file.ts'
import { makeQuestion } from './make-question.ts'

/**
 * A store as a release leaves it: two people asked about a shop, voted, approved SQL and scheduled a digest.
 * `write-store-dump.ts` dumps it, and `upgrade.int.test.ts` restores each release's dump.
 */

/** The database that the questions are about. */
const shopTables = `
  create table orders (
    id integer primary key, status text not null, billing_city text not null, shipping_city text not null
  );
  insert into orders values
    (1, 'paid', 'Oslo', 'Oslo'), (2, 'paid', 'Oslo', 'Kiel'), (3, 'open', 'Kiel', 'Kiel'), (4, 'open', 'Kiel', 'Rome');`

const asOf = '2026-03-02'
const askedAt = new Date('2026-03-02T10:00:00Z')
const asked = { database: 'shop', askedAt, timeZone: 'UTC' }
const idOf = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`

export const team = 'T1'
export const people = { ada: 'U1', ben: 'U2' }
export const thread = { team, channel: 'C1', thread: '1772445600.000100' }

const ask = (n: number, text: string, askedBy: string): Question =>
  makeQuestion({ ...asked, id: idOf(n), key: `T1:C1:${n}`, text, askedBy })

/** What the people asked: one was answered, one was asked back, and one still waits for its turn. */
export const questions = {
  answered: ask(1, 'orders by status', people.ada),
  askedBack: ask(2, 'orders by city', people.ada),
  waiting: ask(3, 'how many orders?', people.ben),
}

export const verified = {
  id: idOf(4),
  question: 'how many open orders are there?',
  sql: "select count(*) from orders where status = 'open'",
}

export const digestId = idOf(5)

/** Encrypts the token of the installation; of no use anywhere else. */
export const sealer = makeSealer([{ id: 'release', key: Buffer.alloc(32, 7) }])
export const credentials = { token: 'xoxb-of-no-workspace', refreshToken: null }

/** Querent with its store at `url` and the shop as its only database, without a model. Migrates the store. */
export const openReleaseApp = async (url: string) => {
  const shop = makeSqliteFile(shopTables)
  const cwd = dirname(shop.file)
  writeFileSync(join(cwd, 'querent.yml'), stringify({ databases: { shop: { path: shop.file } } }))
  const env = { DATABASE_URL: url, QUERENT_HOME: join(cwd, 'home') }
  const resources = makeResources(loadConfig({ cwd, env }), { log: silentLog, asOf })
  const { store } = await resources.ownStore()
  const answering = await makeAnswering(resources, { model: null, kept: 'in-store' })
  const ask = async (question: Question, message: string): Promise<AnswerReport> => {
    await store.repositories.questions.insert(question, { ...thread, message })
    return answering.answer(question)
  }
  const openJobs = () => makeJobs({ url, executeIn: store.executeIn })
  const close = async () => {
    await resources.release()
    shop.remove()
  }
  const { loadResult, resume, forget } = answering
  const openShop = () => resources.openDatabase('shop')
  return { store, ask, resume, forget, loadResult, openJobs, openShop, [Symbol.asyncDispose]: close }
}

/** A question nobody has asked before, in the thread of the answered one. */
export const nextQuestion = (text: string): Question => makeQuestion({ ...asked, text, askedBy: people.ben })

/** Fills an empty database with a store of this version. */
export const fillReleaseStore = async (url: string): Promise<void> => {
  await using app = await openReleaseApp(url)
  const { repositories } = app.store
  const { answered, askedBack, waiting } = questions
  const { outcome } = await app.ask(answered, '1772445600.000100')
  if (outcome.status !== 'answered') throw new Error(`not answered: ${JSON.stringify(outcome)}`)
  const back = await app.ask(askedBack, '1772445650.000100')
  if (back.outcome.status !== 'needs-clarification')
    throw new Error(`not asked back: ${JSON.stringify(back.outcome)}`)
  await app.forget(answered.id)
  const answer = await repositories.answers.find(answered.id)
  for (const [person, vote] of [
    [people.ada, 'up'],
    [people.ben, 'down'],
  ] as const) {
    const { runId, candidateId } = answer!
    await repositories.votes.upsert({ questionId: answered.id, person, vote, runId, candidateId })
  }
  const save = makeSaveVerified({
    readVerified: makeReadVerified({
      understand: understandQuestion,
      clock: { now: () => askedAt, timeZone: 'UTC' },
    }),
    insert: query => repositories.verifiedQueries.insert(query),
    newId: () => verified.id,
    now: () => askedAt,
  })
  const { question, sql } = verified
  const saved = await save({
    question,
    sql,
    database: await app.openShop(),
    status: 'accepted',
    savedBy: people.ada,
  })
  if (saved.status !== 'saved') throw new Error(`not saved: ${JSON.stringify(saved)}`)
  const schedule = parseSchedule('mondays 9:00', 'Europe/Berlin')
  if (schedule.status !== 'read') throw new Error(schedule.reason)
  const statement = { sql: 'select count(*) from orders', today: asOf, periods: [] }
  await repositories.digests.insert(
    {
      ...{ id: digestId, team, owner: people.ada, title: 'Orders on Monday', schedule: schedule.schedule },
      questions: [
        { id: idOf(6), text: waiting.text, database: 'shop', statement, fingerprint: 'of-the-release' },
      ],
      ...{ condition: { kind: 'above', value: 1 }, target: { kind: 'channel', channel: 'C1' } },
      ...{
        pause: null,
        nextDue: new Date('2026-03-09T08:00:00Z'),
        failures: 0,
        createdAt: askedAt,
        repair: null,
      },
    },
    'form-1',
  )
  await repositories.installations.upsert({
    ...{ team, teamName: 'Shop', botUserId: 'U0BOT', botId: 'B0BOT', scopes: ['chat:write'] },
    sealed: sealer.seal(JSON.stringify(credentials), team),
    ...{ expiresAt: null, installedAt: askedAt },
  })
  await repositories.questions.insert(waiting, { ...thread, message: '1772445700.000100' })
  const jobs = await app.openJobs()
  await jobs.send('question', { questionId: waiting.id })
  await jobs.stop({ timeoutMs: 1000 })
}
