import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import Table from 'cli-table3'
import { makeReadVerified } from '../../graphs/answer/verified/read-verified.ts'
import { sampleCompany } from '../bootstrap/databases/databases.ts'
import { makeStoredSettleVerified } from '../bootstrap/verified-queries.ts'
import { QuerentError } from '../domain/errors.ts'
import {
  type StoredVerifiedQuery,
  type VerifiedQuery,
  type VerifiedStatus,
  verifiedStatuses,
} from '../domain/verified-query.ts'
import { understandQuestion } from '../parser/understand/understand-question.ts'
import { makeSaveVerified } from '../verified-queries/save-verified.ts'
import { type CommandContext, currentPerson, findByIdPrefix, shortId } from './command-context.ts'
import { verifiedCopy as copy } from './copy/feedback.ts'
import { notOneOf, unreadableFile } from './copy/phrases.ts'
import { writeJson } from './terminal.ts'

/** The arguments of the `verified` commands. */
interface VerifiedOptions {
  readonly question?: string
  readonly id?: string
  readonly sql?: string
  readonly file?: string
  readonly status?: string
  readonly database?: string
  readonly accept?: boolean
  readonly json?: boolean
}

/** `verified list`: queries of one database or of all, with one status or with any but removed. */
export const runVerifiedList = async (options: VerifiedOptions, context: CommandContext): Promise<number> => {
  const status = readStatus(options.status)
  const database =
    options.database === undefined ? null : await canonicalDatabaseName(options.database, context)
  const queries = await (await verifiedRepository(context)).list({
    ...(database === null ? {} : { database }),
    ...(status === null ? {} : { status }),
  })
  const { terminal } = context
  context.clearProgress()
  if (options.json) writeJson(terminal.out, queries.map(verifiedRunToJson))
  else if (queries.length === 0) terminal.out.write(`${copy.none}\n`)
  else terminal.out.write(`${verifiedTable(queries)}\n`)
  return 0
}

/** `verified add`: saves a question with SQL that passes the guard and runs. Exit status 1 if it does not. */
export const runVerifiedAdd = async (options: VerifiedOptions, context: CommandContext): Promise<number> => {
  const { config, resources, terminal, now, signal } = context
  const sql = await readSql(options, context)
  const database = await resources.openDatabase(options.database ?? config.defaultDatabase ?? sampleCompany, {
    signal,
  })
  const { insert } = await verifiedRepository(context)
  const clock = { now: () => now, timeZone: config.timeZone }
  const save = makeSaveVerified({
    readVerified: makeReadVerified({ understand: understandQuestion, clock }),
    insert: query => insert(query),
    newId: randomUUID,
    now: () => now,
  })
  const saved = await save({
    question: options.question ?? '',
    sql,
    database,
    status: options.accept ? 'accepted' : 'proposed',
    savedBy: currentPerson(),
    signal,
  })
  context.clearProgress()
  switch (saved.status) {
    case 'saved': {
      const { query, rowCount } = saved
      if (options.json) writeJson(terminal.out, { ...verifiedToJson(query), rowCount })
      else terminal.out.write(`${describeSaved(query, rowCount)}\n`)
      return 0
    }
    case 'unfit':
      return printRefusal(copy.cannotSave(saved.reason), saved, options, context)
    case 'taken':
      return printRefusal(copy.alreadyAccepted, { ...saved, reason: copy.alreadyAccepted }, options, context)
    default: {
      const never: never = saved
      return never
    }
  }
}

/** `verified accept`: answers questions from a query. A stale one has to run first. */
export const runVerifiedAccept = async (
  options: VerifiedOptions,
  context: CommandContext,
): Promise<number> => {
  const { accept } = await verifiedRepository(context)
  const query = await findVerifiedQuery(options.id ?? '', context)
  if (query.staleness !== null) return acceptStaleQuery(query, query.staleness.since, options, context)
  const accepted = await accept(query.id, { by: currentPerson(), at: context.now })
  if (accepted === 'taken')
    return printRefusal(
      copy.alreadyAccepted,
      { status: 'taken', reason: copy.alreadyAccepted },
      options,
      context,
    )
  return printStatus(accepted ?? query, 'accepted', options, context)
}

const acceptStaleQuery = async (
  query: StoredVerifiedQuery,
  since: Date,
  options: VerifiedOptions,
  context: CommandContext,
): Promise<number> => {
  const { resources, now, signal } = context
  const { repositories } = (await resources.ownStore()).store
  const settle = makeStoredSettleVerified(resources, repositories, () => now)
  const key = { queryId: query.id, since }
  const settled = await settle({ key, decision: 'keep', by: currentPerson(), ownerOnly: false, signal })
  switch (settled.status) {
    case 'kept':
      return printStatus(settled.query, 'accepted', options, context)
    case 'unfit': {
      const { reason } = settled
      return printRefusal(copy.doesNotRun(reason), { status: 'unfit', reason }, options, context)
    }
    case 'taken':
      return printRefusal(
        copy.alreadyAccepted,
        { status: 'taken', reason: copy.alreadyAccepted },
        options,
        context,
      )
    case 'settled':
    case 'removed':
    case 'not-theirs':
      return printRefusal(
        copy.decidedMeanwhile,
        { status: settled.status, reason: copy.decidedMeanwhile },
        options,
        context,
      )
    default: {
      const never: never = settled
      return never
    }
  }
}

/** `verified remove`: stops using a query. `verified list --status removed` still shows it. */
export const runVerifiedRemove = async (
  options: VerifiedOptions,
  context: CommandContext,
): Promise<number> => {
  const { remove } = await verifiedRepository(context)
  const query = await findVerifiedQuery(options.id ?? '', context)
  const removed = await remove(query.id, { by: currentPerson(), at: context.now })
  return printStatus(removed ?? query, 'removed', options, context)
}

const verifiedRepository = async ({ resources }: CommandContext) =>
  (await resources.ownStore()).store.repositories.verifiedQueries

const readStatus = (text: string | undefined): VerifiedStatus | null => {
  const status = verifiedStatuses.find(status => status === text)
  if (text === undefined || status !== undefined) return status ?? null
  throw new QuerentError('bad-arguments', notOneOf('--status', verifiedStatuses, text))
}

/** Queries are stored by the name of the database, which may differ from what was typed. */
const canonicalDatabaseName = async (typed: string, { resources, signal }: CommandContext): Promise<string> =>
  (await resources.openDatabase(typed, { signal })).name

const readSql = async (
  { sql, file }: VerifiedOptions,
  { terminal }: Pick<CommandContext, 'terminal'>,
): Promise<string> => {
  if ((sql === undefined) === (file === undefined)) throw new QuerentError('bad-arguments', copy.giveSql)
  if (file === undefined) return sql ?? ''
  return readFile(resolve(terminal.folder, file), 'utf8').catch((cause: unknown) => {
    throw new QuerentError('bad-arguments', unreadableFile(file), { cause })
  })
}

const findVerifiedQuery = async (typed: string, context: CommandContext): Promise<StoredVerifiedQuery> => {
  const { findByPrefix } = await verifiedRepository(context)
  return findByIdPrefix(typed, id => findByPrefix(id), copy.idErrors)
}

const describeSaved = (query: VerifiedQuery, rowCount: number): string => {
  const replaceable = verifiedToJson(query).replaceable.map(({ said }) => said)
  return [
    copy.saved(shortId(query.id), query.status, rowCount),
    replaceable.length === 0 ? copy.answersExactly : copy.answersWithOthers(replaceable),
    ...(query.status === 'accepted' ? [] : [copy.notUsedYet]),
  ].join('\n')
}

const printStatus = (
  query: VerifiedQuery,
  status: VerifiedStatus,
  options: VerifiedOptions,
  { terminal, clearProgress }: CommandContext,
): number => {
  clearProgress()
  if (options.json) writeJson(terminal.out, verifiedToJson(query))
  else terminal.out.write(`${copy.statusIs(shortId(query.id), status, query.question)}\n`)
  return 0
}

const printRefusal = (
  text: string,
  value: { readonly status: string; readonly reason: string },
  options: VerifiedOptions,
  { terminal, clearProgress }: CommandContext,
): number => {
  clearProgress()
  if (options.json) writeJson(terminal.out, { status: value.status, reason: value.reason })
  else terminal.err.write(`${text}\n`)
  return 1
}

/** A verified query as JSON. */
const verifiedToJson = (query: VerifiedQuery) => ({
  id: query.id,
  database: query.database,
  question: query.question,
  maskedQuestion: query.maskedQuestion,
  sql: query.sql,
  skeleton: query.skeleton,
  replaceable: query.slots.map(({ kind, at: [start, end] }) => ({
    kind,
    said: query.question.slice(start, end),
  })),
  status: query.status,
  savedBy: query.savedBy,
  savedAt: query.savedAt.toISOString(),
  decidedBy: query.decidedBy,
  decidedAt: query.decidedAt?.toISOString() ?? null,
})

/** The same with its last run and why it is stale. */
const verifiedRunToJson = (query: StoredVerifiedQuery) => ({
  ...verifiedToJson(query),
  lastRun: query.lastRun && { ...query.lastRun, at: query.lastRun.at.toISOString() },
  dueAt: query.dueAt?.toISOString() ?? null,
  staleSince: query.staleness?.since.toISOString() ?? null,
  staleReasons: query.staleness?.reasons ?? [],
})

/** A table, and below it why queries are stale. */
const verifiedTable = (queries: readonly StoredVerifiedQuery[]): string => {
  const table = new Table({
    style: { head: [], border: [], compact: true },
    head: [...copy.head],
    colWidths: [10, 10, 18, 50, 24, 14],
    wordWrap: true,
  })
  for (const query of queries) {
    const { id, status, database, question, savedBy } = query
    table.push([shortId(id), status, database, question, describeRun(query), savedBy ?? ''])
  }
  const why = queries.flatMap(({ id, staleness }) =>
    staleness === null ? [] : [copy.isStale(shortId(id), staleness.reasons)],
  )
  if (why.length > 0) why.push(copy.whatToDoIfStale)
  return [table.toString(), ...why].join('\n')
}

/** The day of the last run and its result. The day is in UTC, as in `--json`. */
const describeRun = ({ lastRun }: StoredVerifiedQuery): string => {
  if (lastRun === null) return copy.notRunYet
  const day = lastRun.at.toISOString().slice(0, 10)
  switch (lastRun.status) {
    case 'ran':
      return copy.ran(day, lastRun.rowCount)
    case 'broken':
      return copy.failed(day)
    case 'too-heavy':
      return copy.tooExpensive(day, lastRun.reason)
    case 'unreachable':
      return copy.unreachable(day, lastRun.reason)
    default: {
      const never: never = lastRun
      return never
    }
  }
}
