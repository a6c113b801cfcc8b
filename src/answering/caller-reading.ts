import type { DescribeResult } from '../domain/answer-revision.ts'
import { type Catalog, nameTables, type Table } from '../domain/catalog.ts'
import {
  type Database,
  type OpenDatabaseByName,
  parseDatabaseRef,
  withoutRights,
} from '../domain/database.ts'
import { QuerentError, SqlError } from '../domain/errors.ts'
import type { AnswerMeaning } from '../domain/metrics/metric-reading.ts'
import type { CompileNamedQuery, LayerListing, ListLayer } from '../domain/metrics/named-query.ts'
import type { InRunContext, RunContext } from '../domain/operations/audit.ts'
import type {
  AdmitCaller,
  Caller,
  CallerRows,
  FoundTable,
  ListCallerDatabases,
  ListMetricsAsCaller,
  ListVerifiedAsCaller,
  QueryMetricAsCaller,
  RunSqlAsCaller,
  SearchSchemaAsCaller,
} from '../domain/operations/caller.ts'
import type { FindValues, LinkSchema, UnderstandQuestion, ValueMatch } from '../domain/question-context.ts'
import { ExpensiveQueryError } from '../domain/sql.ts'
import type { ListVerified } from '../domain/verified-query.ts'
import { foldText } from '../lib/fold-text.ts'
import { stemWord } from '../lib/stem-word.ts'
import { dayOf } from '../lib/time-zone.ts'
import { accountOf } from './caller-questions.ts'
import type { CheckRateLimit } from './rate-limits.ts'
import { readableQueries } from './readable.ts'

interface OpenAsCallerDeps {
  readonly admit: AdmitCaller
  readonly openDatabase: OpenDatabaseByName
}

/** What statements of programs need. */
interface CallerStatementDeps extends OpenAsCallerDeps {
  readonly limit: CheckRateLimit
  readonly checkQuota: (context: RunContext) => Promise<void>
  readonly inRunContext: InRunContext
  readonly compileNamedQuery: CompileNamedQuery
  readonly describeResult: DescribeResult
  readonly now: () => Date
  readonly timeZone: string
}

/** A statement to run, or why there is none. */
type MadeStatement =
  | {
      readonly ok: true
      readonly sql: string
      readonly assumptions: readonly string[]
      readonly meaning?: AnswerMeaning
    }
  | { readonly ok: false; readonly reason: string; readonly nextStep: string }

/** Statements that a program asks for: its own SQL, or metrics by name. */
export const makeCallerStatements = (
  deps: CallerStatementDeps,
): { readonly runSql: RunSqlAsCaller; readonly queryMetric: QueryMetricAsCaller } => {
  const run = async (
    caller: Caller,
    named: string | null,
    make: (database: Database) => MadeStatement,
    { signal }: { readonly signal?: AbortSignal },
  ): Promise<CallerRows> => {
    const admission = await deps.admit(caller, named)
    if (admission.status === 'not-allowed') return admission
    const { person, team } = caller
    const limited = person === null ? null : await deps.limit({ person, team: team ?? '' })
    if (limited) return limited
    const stop = signal ? { signal } : {}
    const account = accountOf(caller, null)
    try {
      await deps.checkQuota(account)
      return await deps.inRunContext(account, async (): Promise<CallerRows> => {
        const database = await deps.openDatabase(admission.database, stop)
        const made = make(database)
        if (!made.ok) return { status: 'unfit', reason: made.reason, nextStep: made.nextStep }
        const { sql, assumptions, meaning } = made
        const verdict = database.guard(sql)
        if (verdict.verdict === 'refuse') return unfit(`I didn't run this: ${verdict.reason}`, guardAdvice)
        const described = await deps.describeResult({
          ...{ table: await database.run(verdict.guarded, stop), sql },
          ...(meaning && { meaning }),
          question: { text: '', database: admission.database, timeZone: deps.timeZone },
        })
        return { status: 'ran', database: withoutRights(admission.database), ...described, sql, assumptions }
      })
    } catch (error) {
      signal?.throwIfAborted()
      return describeFailure(error)
    }
  }
  return {
    runSql: (caller, { database, sql }, options = {}) =>
      run(caller, database, () => ({ ok: true, sql, assumptions: [] }), options),
    queryMetric: (caller, { database, query }, options = {}) =>
      run(
        caller,
        database,
        opened => {
          const { timeZone } = deps
          const today = dayOf(deps.now(), timeZone)
          const compiled = deps.compileNamedQuery({ query, database: opened, today, timeZone })
          return compiled.ok
            ? compiled
            : { ok: false, reason: sentences(compiled.problems), nextStep: metricAdvice }
        },
        options,
      ),
  }
}

const sentences = (texts: readonly string[]): string =>
  texts.map(text => (/[.?!]$/.test(text) ? text : `${text}.`)).join(' ')

const guardAdvice =
  'Send one SELECT over the tables and columns that search_schema lists. I never change data.'

const metricAdvice = 'Change the query; list_metrics has the names.'

const unfit = (reason: string, nextStep: string): CallerRows => ({
  status: 'unfit',
  reason: sentences([`${reason.charAt(0).toUpperCase()}${reason.slice(1)}`]),
  nextStep,
})

const describeFailure = (error: unknown): CallerRows => {
  if (error instanceof ExpensiveQueryError)
    return unfit(error.message, 'Ask for less: a shorter period, fewer tables, or an aggregate.')
  if (error instanceof SqlError) {
    switch (error.errorClass) {
      case 'over-budget':
        return unfit(error.message, 'An admin can change the limit under `budget` in querent.yml.')
      case 'timeout':
        return unfit(error.message, 'Ask for less, such as a shorter period.')
      case 'connection':
        return unfit(error.message, 'Check that the database server is running, then try again.')
      default:
        return unfit(error.message, 'Correct the statement and send it again.')
    }
  }
  if (error instanceof QuerentError && error.code !== 'internal')
    return unfit(error.message, 'Try again once this is solved.')
  throw error
}

/** The most tables and columns that a search returns. */
const MOST_TABLES = 200
const MOST_COLUMNS = 40

const MOST_VALUES = 8

/** Values less alike than this are noise. */
const LEAST_LIKENESS = 0.7

/** What a program can find out before it asks. */
export const makeCallerCatalog = (
  deps: OpenAsCallerDeps & {
    readonly databasesOf: ListCallerDatabases
    readonly linkSchema: LinkSchema
    readonly understand: UnderstandQuestion
    readonly listLayer: ListLayer
    readonly listVerified: ListVerified
    readonly inRunContext: InRunContext
    readonly now: () => Date
    readonly timeZone: string
  },
): {
  readonly searchSchema: SearchSchemaAsCaller
  readonly listMetrics: ListMetricsAsCaller
  readonly listVerified: ListVerifiedAsCaller
} => ({
  searchSchema: async (caller, { database: named, words }, { signal } = {}) => {
    const admission = await deps.admit(caller, named)
    if (admission.status === 'not-allowed') return admission
    const names = await deps.databasesOf(caller)
    const stop = signal ? { signal } : {}
    const { catalog, findValues, lookUpValues } = await deps.openDatabase(admission.database, stop)
    const found = {
      status: 'found',
      database: withoutRights(admission.database),
      databases: 'status' in names ? [] : names.map(withoutRights),
      tableCount: catalog.tables.length,
    } as const
    if (words.trim() === '') {
      const tables = catalog.tables.slice(0, MOST_TABLES).map(table => toFoundTable(table, catalog))
      return { ...found, tables, keys: [], values: [] }
    }
    const live = (await lookUpValues?.([words], stop)) ?? []
    const values = findWords(words, findValues, live)
    const linked = await deps.linkSchema({
      understanding: deps.understand(words, { now: deps.now, timeZone: deps.timeZone }),
      ...{ catalog, matches: values, columns: MOST_COLUMNS, ...stop },
    })
    const kept = new Map(linked.tables.map(({ table, keep }) => [table, keep]))
    const tableNames = nameTables(catalog)
    const tables = catalog.tables.flatMap(table => {
      const keep = kept.get(tableNames.get(table) ?? table.name)
      return keep === undefined ? [] : [toFoundTable(table, catalog, keep)]
    })
    const keys = catalog.foreignKeys.filter(({ from, to }) => kept.has(from.table) && kept.has(to.table))
    return { ...found, tables, keys, values }
  },

  listMetrics: async (caller, { database: named, words }, { signal } = {}) => {
    const admission = await deps.admit(caller, named)
    if (admission.status === 'not-allowed') return admission
    const database = await deps.openDatabase(admission.database, signal ? { signal } : {})
    const layer = filterLayer(deps.listLayer(database), words)
    return { status: 'listed', database: withoutRights(admission.database), layer }
  },

  listVerified: async (caller, { database: named, words }, { signal } = {}) => {
    const admission = await deps.admit(caller, named)
    if (admission.status === 'not-allowed') return admission
    const stop = signal ? { signal } : {}
    const opened = await deps.openDatabase(admission.database, stop)
    const known = await deps.listVerified(parseDatabaseRef(opened.name).database, stop)
    const queries = await deps.inRunContext(accountOf(caller, null), async () =>
      readableQueries(known, opened),
    )
    return {
      status: 'listed',
      database: withoutRights(admission.database),
      queries: queries.filter(one => hasWords(words, [one.question])),
    }
  },
})

const toFoundTable = (table: Table, catalog: Catalog, keep?: 'all' | readonly string[]): FoundTable => ({
  name: nameTables(catalog).get(table) ?? table.name,
  type: table.type,
  rowCount: table.rowCount,
  description: table.comment,
  ...(keep !== undefined && {
    columns: table.columns
      .filter(({ name }) => keep === 'all' || keep.includes(name))
      .map(({ name, type, comment, masked }) => ({
        ...{ name, type, description: comment },
        isMasked: masked === true,
      })),
  }),
})

/** Values that the words or one of them may mean, `live` ones among them, which the index leaves out. */
const findWords = (
  words: string,
  findValues: FindValues,
  live: readonly ValueMatch[],
): readonly ValueMatch[] => {
  const keywords = new Set([words, ...words.split(/\s+/).filter(word => word.length > 2)])
  const found = new Map<string, ValueMatch>()
  for (const matches of [live, ...[...keywords].map(word => findValues(word, { limit: MOST_VALUES }))])
    for (const match of matches) {
      const key = JSON.stringify([match.table, match.column, match.value])
      if (match.score >= LEAST_LIKENESS && (found.get(key)?.score ?? 0) < match.score) found.set(key, match)
    }
  return [...found.values()].toSorted((a, b) => b.score - a.score).slice(0, MOST_VALUES)
}

/** The items of a layer that have one of the words in a name, and the models that they belong to. */
const filterLayer = (layer: LayerListing, words: string): LayerListing => {
  if (words.trim() === '') return briefLayer(layer)
  const metrics = layer.metrics.filter(one =>
    hasWords(words, [one.name, one.label, ...one.synonyms, one.description ?? '', one.meaning]),
  )
  const segments = layer.segments.filter(one =>
    hasWords(words, [one.name, one.label, one.description ?? '', one.meaning]),
  )
  const measured = new Set([...metrics.flatMap(one => one.models), ...segments.map(({ model }) => model)])
  const models = layer.models.filter(
    ({ name, label, description, dimensions }) =>
      measured.has(name) ||
      hasWords(words, [
        ...[name, label, description ?? ''],
        ...dimensions.flatMap(one => [one.name, one.label, one.description ?? '']),
      ]),
  )
  return briefLayer({ metrics, segments, models })
}

/** Models whose dimensions are listed; of others, if there are more, only the names. */
const MOST_DETAILED = 15

const briefLayer = (layer: LayerListing): LayerListing => ({
  ...layer,
  models: layer.models.map((model, at) => (at < MOST_DETAILED ? model : { ...model, dimensions: [] })),
})

const hasWords = (words: string, texts: readonly string[]): boolean => {
  const text = foldText(texts.join(' ').replaceAll('_', ' '))
  const wanted = foldText(words).match(/[\p{L}\p{N}]+/gu) ?? []
  return wanted.length === 0 || wanted.some(word => text.includes(stemWord(word)))
}
