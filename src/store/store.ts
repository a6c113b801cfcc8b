import type { Knex } from 'knex'
import knex from 'knex'
import type { LoadTranscript } from '../domain/conversation.ts'
import { QuerentError } from '../domain/errors.ts'
import type { InTransaction } from '../domain/operations/jobs.ts'
import { type Log, silentLog } from '../domain/operations/telemetry.ts'
import type { QueryUsageLedger } from '../domain/operations/usage.ts'
import type { QuestionLog } from '../domain/question.ts'
import type { RunStore } from '../domain/question-context.ts'
import type { LoadResult, LoadResultHeads, ResultKey, SaveResult } from '../domain/result.ts'
import { changesOfMistakes, type ExpertRecords } from '../domain/selection/experts.ts'
import { migrate, newerMigrations, pendingMigrations } from './migrate.ts'
import { makeLoadTranscript, makeQuestionLog, makeStoredRunStore } from './question-log.ts'
import { makeRepositories, type Repositories } from './repositories/repositories.ts'
import {
  defaultResultLimits,
  makeLoadHeads,
  makeLoadResult,
  makeSaveResult,
  type ResultLimits,
} from './results.ts'
import { type ExecuteIn, makeTransactions } from './transactions.ts'
import { makeUsageLedger } from './usage-ledger.ts'

/** Options of `makeStore`. `resultKey` is the hash that equal results share. */
export interface StoreOptions {
  readonly url: string
  readonly resultKey: ResultKey
  readonly log?: Log
  readonly now?: () => Date
  readonly resultLimits?: ResultLimits
}

/** Querent's own database. */
export interface Store {
  readonly inTransaction: InTransaction
  /** Lets the queue write its job in a transaction of the store. */
  readonly executeIn: ExecuteIn
  readonly repositories: Repositories
  readonly questionLog: QuestionLog
  readonly usageLedger: QueryUsageLedger
  readonly runStore: RunStore
  readonly expertRecords: ExpertRecords
  readonly loadTranscript: LoadTranscript
  readonly saveResult: SaveResult
  readonly loadResult: LoadResult
  readonly loadHeads: LoadResultHeads
  /**
   * Migrates the schema; returns the names of the migrations that ran. Throws `store-unavailable` if it cannot, or if a
   * newer version has migrated it.
   */
  migrate(): Promise<readonly string[]>
  /** Migrations that have not run yet. Throws `store-unavailable` if the database cannot be reached. */
  pendingMigrations(): Promise<readonly string[]>
  /** Migrations of a newer version, which this version does not know. Throws `store-unavailable` like the others. */
  newerMigrations(): Promise<readonly string[]>
  /** Checks that the database responds; rejects otherwise. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Opens the store on a Postgres database. Nothing connects before the first call. */
export const makeStore = (options: StoreOptions): Store => {
  const {
    url,
    resultKey,
    log = silentLog,
    now = () => new Date(),
    resultLimits = defaultResultLimits,
  } = options
  const knex = openKnex(url, log)
  const { inTransaction, within, executeIn } = makeTransactions(knex)
  const repositories = makeRepositories(within)
  const { savedResults } = repositories
  return {
    inTransaction,
    executeIn,
    repositories,
    questionLog: makeQuestionLog(repositories, inTransaction, {
      // A trace shows first rows, so it expires with the results.
      traceExpiry: () => new Date(now().getTime() + resultLimits.keepMs),
    }),
    usageLedger: makeUsageLedger(repositories, inTransaction),
    runStore: makeStoredRunStore(repositories),
    expertRecords: makeStoredExpertRecords(repositories, inTransaction),
    loadTranscript: makeLoadTranscript(repositories),
    saveResult: makeSaveResult({
      savedResults,
      resultKey,
      now,
      limits: resultLimits,
    }),
    loadResult: makeLoadResult({ savedResults, now }),
    loadHeads: makeLoadHeads({ savedResults, now }),
    migrate: async () => {
      const applied = await migrate(knex).catch(unavailable)
      if (applied.length > 0) log.info({ applied }, 'migrated the store schema')
      return applied
    },
    pendingMigrations: () => pendingMigrations(knex).catch(unavailable),
    newerMigrations: () => newerMigrations(knex).catch(unavailable),
    ping: async () => void (await knex.raw('select 1')),
    close: () => knex.destroy(),
  }
}

const unavailable = (cause: unknown): never => {
  throw cause instanceof QuerentError ? cause : storeUnavailable(cause)
}

/** The most connections of one process to the store. */
const MAX_CONNECTIONS = 10

const ACQUIRE_MS = 15_000

/** Knex appends the stack of a driver error to its message; where it was thrown tells an operator nothing. */
const withoutStack = (message: unknown): unknown =>
  typeof message === 'string' ? message.replace(/\n\s+at .*$/s, '') : message

/** Opens the pool of the store. Nothing connects before the first query. */
export const openKnex = (url: string, log: Log = silentLog): Knex =>
  knex({
    client: 'pg',
    connection: { connectionString: url, application_name: 'querent' },
    pool: { min: 0, max: MAX_CONNECTIONS },
    acquireConnectionTimeout: ACQUIRE_MS,
    // An error would quote the values that a statement was to store.
    compileSqlOnError: false,
    // Knex would write to standard output, which belongs to `--json`. Its debug lines have values.
    log: {
      debug: () => {},
      warn: message => log.warn({ knex: withoutStack(message) }, 'knex reported a warning'),
      // An error also reaches the caller, who knows its meaning.
      error: () => log.debug({}, 'knex reported an error'),
      deprecate: (method, alternative) =>
        log.debug({ method, alternative }, 'knex reported a deprecated method'),
    },
  })

/** What to do, by Postgres error code. Without a code, no server responded. */
const adviceByCode: ReadonlyMap<string, string> = new Map([
  ['28P01', 'check user and password in DATABASE_URL'],
  ['28000', 'check the user in DATABASE_URL, and the server’s pg_hba.conf'],
  ['3D000', 'create it with createdb, or set another one in DATABASE_URL'],
  ['42501', 'let the user in DATABASE_URL create schemas there: grant create on database ... to ...'],
])

/** The driver's message is about a socket or role; this adds what to do. */
export const storeUnavailable = (cause: unknown): QuerentError => {
  const { code, message } = (cause as { readonly code?: string; readonly message?: string } | null) ?? {}
  const advice = adviceByCode.get(code ?? '') ?? 'check DATABASE_URL and that its server is running'
  return new QuerentError(
    'store-unavailable',
    `the store cannot be used (${message || code || 'no reason given'}); ${advice}`,
    { cause },
  )
}

/**
 * Records of experts in the store. A round is locked while it is settled, so that of votes at the same time the last one
 * sees all of them.
 */
const makeStoredExpertRecords = (
  { expertRounds }: Pick<Repositories, 'expertRounds'>,
  inTransaction: InTransaction,
): ExpertRecords => ({
  listMistakes: () => expertRounds.listMistakes(),
  saveRound: round => expertRounds.upsert(round),
  settleRound: (questionId, judge) =>
    inTransaction(async tx => {
      const stored = await expertRounds.lock(questionId, tx)
      if (stored === null) return
      const wrong = await judge(stored.round)
      await expertRounds.settle(questionId, wrong, tx)
      // In one order everywhere, so that two questions that are settled at the same time never wait for each other.
      const changes = [...changesOfMistakes(stored.wrong ?? [], wrong ?? [])]
      for (const [expert, change] of changes.sort(([a], [b]) => (a < b ? -1 : 1)))
        await expertRounds.addMistakes(expert, change, tx)
    }),
})
