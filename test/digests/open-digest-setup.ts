import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { makeDigestClaims, makeDigestRunner } from '../../src/bootstrap/digests/runs.ts'
import { makeStoredDigestUseCases } from '../../src/bootstrap/digests/use-cases.ts'
import { parseDatabaseReference } from '../../src/databases/database-reference.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../../src/databases/open-database.ts'
import type { Access, AccessControl, NotAllowed } from '../../src/domain/access/access.ts'
import type { AnsweredQuestion } from '../../src/domain/answer.ts'
import type { DigestDelivery, DigestNotice, DigestPost } from '../../src/domain/digests/digest.ts'
import { SqlError } from '../../src/domain/errors.ts'
import type { RunContext } from '../../src/domain/operations/audit.ts'
import type { JobData, SendJob } from '../../src/domain/operations/jobs.ts'
import { noMetrics, silentLog } from '../../src/domain/operations/telemetry.ts'
import { understandQuestion } from '../../src/parser/understand/understand-question.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'
import { makeQuestion } from '../store/setup/make-question.ts'
import { openTestStore } from '../store/setup/open-test-store.ts'

/**
 * Everything behind digests on a real store and a real database, with the clock in hand. Slack is two lists: what was
 * posted, and what owners were told.
 */
export const openDigestSetup = async () => {
  const opened = await openTestStore()
  const { store } = opened
  const file = makeSqliteFile(`create table hires (day text not null, city text not null, n integer not null);
    insert into hires values ('2026-11-16', 'Oslo', 3), ('2026-11-17', 'Kiel', 4), ('2026-11-24', 'Oslo', 5);`)
  let cycles: Promise<OpenDatabase> | null = null
  const database = (name: string): Promise<OpenDatabase> => {
    if (name !== 'cycles') throw new Error(`the database ${name} is not expected`)
    cycles ??= openDatabase(parseDatabaseReference(`sqlite:${file.file}`, { baseFolder: '/' }), {
      guard: makeGuard(),
      limits: { timeoutMs: 10_000, maxRows: 100, maxBytes: 1_000_000 },
      ...(fakes.expensiveRows !== null && { heavyRows: fakes.expensiveRows }),
      audit: {
        begin: async ({ purpose }) => {
          if (purpose === 'people' && fakes.overBudget !== null)
            throw new SqlError('over-budget', fakes.overBudget)
          return () => {}
        },
        refused: () => {},
      },
    })
    return cycles
  }
  const close = async (): Promise<void> => {
    const open = cycles
    cycles = null
    await (await open)?.close()
  }

  const fakes = {
    now: new Date('2026-11-23T07:00:00Z'),
    /** What the rules say of somebody somewhere; everybody may, unless a test says otherwise. */
    access: (_person: string, _channel: string): Access => ({ status: 'allowed', database: 'cycles' }),
    /** Who is in which channel; everybody in every one, unless a test says otherwise. */
    isIn: (_person: string, _channel: string): boolean => true,
    /** Whether somebody makes too much run; nobody does, unless a test says otherwise. */
    limit: async (_person: string): Promise<NotAllowed | null> => null,
    /** Called before rights are looked at. */
    beforeAccess: async (): Promise<void> => {},
    /** Called before a post; may reject, or say that nobody will ever take it. */
    beforePost: async (): Promise<string | null> => null,
    /** Called before an owner is told; may reject. */
    beforeTold: async (): Promise<void> => {},
    isAway: false,
    /** Rows that are read unasked; for a database that is opened from then on. */
    expensiveRows: null as number | null,
    /** What is said of a limit that is reached. */
    overBudget: null as string | null,
  }
  /** Digests that there may be. */
  const most: { perPerson: number | null; perChannel: number | null } = { perPerson: null, perChannel: null }
  const posts: DigestPost[] = []
  const notices: DigestNotice['notice'][] = []
  const jobs: JobData['digest'][] = []
  /** On whose account each run was. */
  const accounts: (string | null)[] = []
  const answers = new Map<string, AnsweredQuestion>()
  const delivery: DigestDelivery = {
    post: async post => {
      const unreachable = await fakes.beforePost()
      if (unreachable !== null) return { status: 'unreachable', reason: unreachable }
      posts.push(post)
      return { status: 'posted', channel: 'C1', ts: String(posts.length) }
    },
    withhold: async () => {},
    notifyOwner: async ({ notice }) => {
      await fakes.beforeTold()
      notices.push(notice)
    },
  }
  const sendJob: SendJob = async (queue, data) => {
    if (queue !== 'digest') throw new Error(`a job of queue ${queue} is not expected`)
    jobs.push(data as JobData['digest'])
  }
  const access: Pick<AccessControl, 'mayAsk' | 'reachableDatabases' | 'audience'> = {
    audience: async () => ({ kind: 'everyone' }),
    mayAsk: async ({ person, location }, { asMember } = {}) => {
      await fakes.beforeAccess()
      if (asMember && !fakes.isIn(person, location.channel)) return notThere
      return fakes.access(person, location.channel)
    },
    reachableDatabases: async ({ person }) =>
      fakes.access(person, 'D').status === 'allowed'
        ? [{ database: 'cycles', channels: ['sales'], direct: false }]
        : [],
  }
  const now = (): Date => fakes.now
  const resources = {
    openDatabase: async (name: string) => {
      if (fakes.isAway) throw new Error('the database is away')
      return (await database(name)).database
    },
    readSchema: async (name: string) => (await database(name)).readSchema(),
    inRunContext: <T>({ person }: RunContext, work: () => Promise<T>) => {
      accounts.push(person)
      return work()
    },
    metrics: noMetrics,
    log: silentLog,
  }
  const useCases = makeStoredDigestUseCases(resources, opened, {
    access,
    isAdmin: person => person === 'UADMIN',
    most,
    findAnswered: async id => answers.get(id) ?? null,
    limit: ({ person }) => fakes.limit(person),
    sendJob,
    now,
  })
  const run = makeDigestRunner(resources, opened, { access, delivery, now })
  const claim = makeDigestClaims(opened, { sendJob, now })

  /** An answer that stands in a channel, with how its question was understood on its day. */
  const answer = async (text: string, sql: string, day = '2026-11-23'): Promise<string> => {
    const question = makeQuestion({ text, database: 'cycles', askedBy: 'U1' })
    const location = { team: 'T1', channel: 'C1', thread: '1', message: '1' }
    await store.repositories.questions.insert(question, location)
    const clock = { now: () => new Date(`${day}T10:00:00Z`), timeZone: 'UTC' }
    await store.repositories.questionContexts.upsert(question.id, {
      understanding: understandQuestion(text, clock),
      matches: [],
      linked: { tables: [] },
    })
    const { guard, run } = (await database('cycles')).database
    const verdict = guard(sql)
    if (verdict.verdict !== 'allow') throw new Error('the answer of the test may not run')
    const resultId = await run(verdict.guarded).then(
      table => store.saveResult(question.id, table),
      // Some tests are about SQL that the database does not take.
      () => randomUUID(),
    )
    answers.set(question.id, {
      ...{ question, location, sql, resultId, confidence: 1, headline: '', assumptions: [] },
      ...{ votes: { up: 0, down: 0 }, candidateId: null, answeredAt: fakes.now, revision: null },
      ...{ approvedBy: null, display: null, periods: [], filters: [] },
    })
    return question.id
  }

  return {
    ...{ fakes, store, posts, notices, jobs, accounts, useCases, claim, run, answer },
    /** Closes the database, so that the next question opens it again. */
    close,
    most,
    /** Changes the team's data or schema, which is then read again. */
    change: async (sql: string): Promise<void> => {
      if (/^(alter|create|drop) /.test(sql)) await close()
      const owner = new DatabaseSync(file.file)
      owner.exec(sql)
      owner.close()
    },
    /** Claims what is due at a moment, and does the jobs that wait. */
    at: async (moment: string, { lastAttempt = false } = {}): Promise<void> => {
      fakes.now = new Date(moment)
      await claim()
      for (const job of jobs.splice(0)) await run(job, { lastAttempt })
    },
    [Symbol.asyncDispose]: async () => {
      await close()
      file.remove()
      await opened[Symbol.asyncDispose]()
    },
  }
}

const notThere: Access = {
  status: 'refused',
  code: 'not-in-channel',
  reason: 'Not a member.',
  nextStep: 'Join it.',
}
