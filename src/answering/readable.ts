import {
  type FindReader,
  hiddenValue,
  type SeesValue,
  seesEveryValue,
  seesValuesOf,
} from '../domain/access/sees-value.ts'
import type { Database } from '../domain/database.ts'
import type { AdminFacts, FailedQuestion } from '../domain/home.ts'
import type { ProposedRule } from '../domain/knowledge.ts'
import type { LayerProposal } from '../domain/metrics/layer-decision.ts'
import type { Dialect } from '../domain/sql.ts'
import type {
  ResolveStaleResult,
  ResolveStaleVerified,
  StoredVerifiedQuery,
  VerifiedQuery,
} from '../domain/verified-query.ts'
import { hideLiterals, hideValues } from '../sql/rewrite/hide-values.ts'

/** A database as a reader of lists sees it. */
export type ReaderDatabase = Pick<Database, 'guard' | 'hasLists' | 'dialect' | 'rights' | 'findValues'>

/**
 * Verified queries as a person may read them in a list: without those that name tables or columns hidden from them, and
 * with `...` for values of rows that they do not see. A question in which such a value may stand anywhere is left out.
 */
export const readableQueries = (
  queries: readonly Pick<VerifiedQuery, 'question' | 'sql' | 'slots'>[],
  database: ReaderDatabase,
): readonly { readonly question: string; readonly sql: string }[] => {
  const sees = seesValuesOf(database)
  const { guard, hasLists, dialect, rights } = database
  const hasHidden = hasLists === true || rights !== undefined
  return queries.flatMap(({ question, sql, slots }) => {
    if (hasHidden && guard(sql).verdict !== 'allow') return []
    const readable = hideValues({ sql, dialect, words: question, slots }, sees)
    return readable.words === hiddenValue ? [] : [{ question: readable.words, sql: readable.sql }]
  })
}

interface Reader {
  readonly person: string
  readonly team: string
}

/** A verified query as one person may read it. */
export const makeReadVerified =
  ({ findReader, dialectOf }: ReadingDeps) =>
  async (query: StoredVerifiedQuery, reader: Reader): Promise<StoredVerifiedQuery> => {
    const sees: SeesValue = await findReader({ ...reader, writtenFor: query.database })
    return readableQuery(query, sees, dialectOf(query.database))
  }

/** What owners and admins do with verified queries, with every query as they may read it. */
export const makeReadableVerified = (
  resolve: ResolveStaleVerified,
  deps: ReadingDeps & { readonly find: (id: string) => Promise<StoredVerifiedQuery | null> },
) => {
  const read = makeReadVerified(deps)
  return {
    findVerified: async (queryId: string, reader: Reader): Promise<StoredVerifiedQuery | null> => {
      const query = await deps.find(queryId)
      return query && read(query, reader)
    },
    resolveStaleVerified: async (
      given: Parameters<ResolveStaleVerified>[0] & { readonly by: string; readonly team: string },
    ): Promise<ResolveStaleResult> => {
      const settled = await resolve(given)
      if (settled.status === 'not-theirs' || settled.query === null) return settled
      const query = await read(settled.query, { person: given.by, team: given.team })
      // What the database said names values as well.
      return settled.status === 'unfit' && query !== settled.query
        ? { ...settled, query, reason: unreadableReason }
        : { ...settled, query }
    },
  }
}

const unreadableReason = 'it failed on rows that you may not see'

/** Who reads, and what is needed to know what they may read. */
export interface ReadingDeps {
  readonly findReader: FindReader
  /** Null for a database that is not known any more. */
  readonly dialectOf: (database: string) => Dialect | null
}

/** What an admin decides about, as this admin may read it: the values in it are those of other people's rows. */
export const readableAdminFacts = async (
  facts: AdminFacts,
  reader: { readonly person: string; readonly team: string },
  { findReader, dialectOf }: ReadingDeps,
): Promise<AdminFacts> => {
  const { verified, rules, proposals, failed, dead } = facts
  const readers = new Map<string, SeesValue>()
  const seesOf = async (writtenFor: string): Promise<SeesValue> => {
    const sees = readers.get(writtenFor) ?? (await findReader({ ...reader, writtenFor }))
    readers.set(writtenFor, sees)
    return sees
  }
  const all = <Item extends { readonly database: string }>(
    items: readonly Item[],
    read: (item: Item, sees: SeesValue, dialect: Dialect | null) => Item,
  ): Promise<Item[]> =>
    Promise.all(items.map(async item => read(item, await seesOf(item.database), dialectOf(item.database))))
  const ofAll = await Promise.all(facts.databases.map(seesOf))
  return {
    ...facts,
    verified: {
      ...verified,
      proposed: await all(verified.proposed, readableQuery),
      stale: await all(verified.stale, readableQuery),
    },
    rules: await all(rules, readableRule),
    proposals: proposals && (await all(proposals, readableProposal)),
    failed: await all(failed, readableFailure),
    // What a job failed with may come from any database.
    dead: ofAll.every(sees => sees === seesEveryValue)
      ? dead
      : { ...dead, jobs: dead.jobs.map(job => ({ ...job, reason: hiddenValue })) },
  }
}

/** A verified query as a person may read it: its result and what went wrong with it come from rows as well. */
export const readableQuery = (
  query: StoredVerifiedQuery,
  sees: SeesValue,
  dialect: Dialect | null,
): StoredVerifiedQuery => {
  if (sees === seesEveryValue) return query
  const { sql, question, slots, staleness } = query
  const readable = dialect === null ? null : hideValues({ sql, dialect, words: question, slots }, sees)
  return {
    ...query,
    question: readable?.words ?? hiddenValue,
    sql: readable?.sql ?? hiddenValue,
    staleness: staleness && { ...staleness, reasons: [hiddenValue] },
    lastRun: null,
  }
}

const readableRule = (rule: ProposedRule, sees: SeesValue, dialect: Dialect | null): ProposedRule => {
  const { sql, phrase, columns } = rule
  if (sees === seesEveryValue) return rule
  const isOfColumns = phrase !== null && sql === null && columns.length > 0
  return {
    ...rule,
    question: hiddenValue,
    phrase: isOfColumns ? phrase : hiddenValue,
    meaning: isOfColumns ? rule.meaning : hiddenValue,
    sql: sql === null ? null : dialect === null ? hiddenValue : hideLiterals(sql, dialect, sees),
  }
}

/** A proposed metric is named by tables and columns, and a proposed segment by the values of one. */
export const readableProposal = (proposal: LayerProposal, sees: SeesValue): LayerProposal =>
  sees === seesEveryValue || proposal.kind === 'metric'
    ? proposal
    : { ...proposal, label: hiddenValue, synonyms: [], meaning: hiddenValue }

const readableFailure = (failed: FailedQuestion, sees: SeesValue): FailedQuestion =>
  sees === seesEveryValue ? failed : { ...failed, text: hiddenValue, reason: failed.reason && hiddenValue }
