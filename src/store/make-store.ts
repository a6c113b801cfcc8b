import { type Log, silentLog } from '../core/log.ts'
import type { QuestionLog } from '../core/question-log.ts'
import type { QueryUsageLedger } from '../core/reading-ledger.ts'
import type { ResultKey } from '../core/result.ts'
import type { LoadResultHeads } from '../core/result-head.ts'
import type { LoadResult, SaveResult } from '../core/saved-result.ts'
import type { LoadTranscript } from '../core/thread.ts'
import type { InTransaction } from '../core/tx.ts'
import type { RunStore } from '../core/workbench.ts'
import { makeLoadTranscript } from './load-transcript.ts'
import { laterMigrations, migrate, pendingMigrations } from './migrate.ts'
import { openKnex } from './open-knex.ts'
import { makeQuestionLog } from './question-log.ts'
import { makeUsageLedger } from './reading-ledger.ts'
import { makeRepositories, type Repositories } from './repositories/make-repositories.ts'
import { makeLoadHeads } from './results/load-heads.ts'
import { makeLoadResult } from './results/load-result.ts'
import { defaultResultLimits, makeSaveResult, type ResultLimits } from './results/save-result.ts'
import { storeUnavailable } from './store-unavailable.ts'
import { type ExecuteIn, makeTransactions } from './transactions.ts'
import { makeStoredRunStore } from './workbench.ts'

/** What `makeStore` is told. `resultKey` is the hash under which equal results meet. */
export interface StoreOptions {
  readonly url: string
  readonly resultKey: ResultKey
  readonly log?: Log
  readonly now?: () => Date
  readonly resultLimits?: ResultLimits
}

/** Our own database, as the rest of the house sees it. */
export interface Store {
  readonly inTransaction: InTransaction
  /** Lets the queue write its job in a transaction of ours. */
  readonly executeIn: ExecuteIn
  readonly repositories: Repositories
  readonly questionLog: QuestionLog
  readonly usageLedger: QueryUsageLedger
  readonly runStore: RunStore
  readonly loadTranscript: LoadTranscript
  readonly saveResult: SaveResult
  readonly loadResult: LoadResult
  readonly loadHeads: LoadResultHeads
  /** Brings the schema up to date; names of the migrations that ran. Throws `store-unavailable` when it cannot. */
  migrate(): Promise<readonly string[]>
  /** Names of the migrations that have not run yet. Throws `store-unavailable` when the database cannot be reached. */
  pendingMigrations(): Promise<readonly string[]>
  /** Asks the database for a sign of life; rejects when there is none. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Opens the store on one Postgres database. Nothing connects before the first call. */
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
      // A trace shows first rows, so it goes when the results go.
      traceExpiry: () => new Date(now().getTime() + resultLimits.keepMs),
    }),
    usageLedger: makeUsageLedger(repositories, inTransaction),
    runStore: makeStoredRunStore(repositories),
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
      const later = await laterMigrations(knex).catch(unavailable)
      if (later.length > 0) {
        log.warn({ later }, 'the schema of the store is of a later version; this one runs on it as it is')
      }
      if (applied.length > 0) log.info({ applied }, 'the schema of the store was brought up to date')
      return applied
    },
    pendingMigrations: () => pendingMigrations(knex).catch(unavailable),
    ping: async () => void (await knex.raw('select 1')),
    close: () => knex.destroy(),
  }
}

const unavailable = (cause: unknown): never => {
  throw storeUnavailable(cause)
}
