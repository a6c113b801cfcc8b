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
import { type CommandContext, currentPerson } from './command-context.ts'
import { writeJson } from './terminal.ts'

/** What `verified` was told on the command line. */
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

/** `verified list`: those of a database, or of all, in one state, or in any but removed. */
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
  else if (queries.length === 0)
    terminal.out.write('There are none. `verified add` saves a question with its SQL.\n')
  else terminal.out.write(`${verifiedTable(queries)}\n`)
  return 0
}

/** `verified add`: saves a question with SQL that the guard lets through and that runs. Status 1 when it does not. */
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
      return printRefusal(`The SQL cannot be saved: ${saved.reason}.`, saved, options, context)
    case 'taken':
      return printRefusal(alreadyAccepted, { ...saved, reason: alreadyAccepted }, options, context)
    default: {
      const never: never = saved
      return never
    }
  }
}

/** `verified accept`: from now on questions are answered from it. One that went stale has to run first. */
export const runVerifiedAccept = async (
  options: VerifiedOptions,
  context: CommandContext,
): Promise<number> => {
  const { accept } = await verifiedRepository(context)
  const query = await findVerifiedQuery(options.id ?? '', context)
  if (query.staleness !== null) return acceptStaleQuery(query, query.staleness.since, options, context)
  const accepted = await accept(query.id, { by: currentPerson(), at: context.now })
  if (accepted === 'taken')
    return printRefusal(alreadyAccepted, { status: 'taken', reason: alreadyAccepted }, options, context)
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
      const next = '`verified add` saves its question with other SQL, `verified remove` takes this one out.'
      return printRefusal(
        `It does not run: ${reason}\n${next}`,
        { status: 'unfit', reason },
        options,
        context,
      )
    }
    case 'taken':
      return printRefusal(alreadyAccepted, { status: 'taken', reason: alreadyAccepted }, options, context)
    case 'settled':
    case 'removed':
    case 'not-theirs':
      return printRefusal(
        concurrentlyDecided,
        { status: settled.status, reason: concurrentlyDecided },
        options,
        context,
      )
    default: {
      const never: never = settled
      return never
    }
  }
}

const concurrentlyDecided =
  'Somebody settled this query at the same moment; `verified list` shows how it stands.'

/** `verified remove`: it is used no more. It stays in the list of those that were removed. */
export const runVerifiedRemove = async (
  options: VerifiedOptions,
  context: CommandContext,
): Promise<number> => {
  const { remove } = await verifiedRepository(context)
  const query = await findVerifiedQuery(options.id ?? '', context)
  const removed = await remove(query.id, { by: currentPerson(), at: context.now })
  return printStatus(removed ?? query, 'removed', options, context)
}

const alreadyAccepted =
  'This question has an accepted query already; `verified list` shows it, `verified remove` takes it out.'

const verifiedRepository = async ({ resources }: CommandContext) =>
  (await resources.ownStore()).store.repositories.verifiedQueries

const readStatus = (text: string | undefined): VerifiedStatus | null => {
  const status = verifiedStatuses.find(status => status === text)
  if (text === undefined || status !== undefined) return status ?? null
  throw new QuerentError('bad-arguments', `--status is one of ${verifiedStatuses.join(', ')}, not “${text}”`)
}

/** Queries are kept under the name that the database goes by, which is not always what was typed. */
const canonicalDatabaseName = async (typed: string, { resources, signal }: CommandContext): Promise<string> =>
  (await resources.openDatabase(typed, { signal })).name

const readSql = async (
  { sql, file }: VerifiedOptions,
  { terminal }: Pick<CommandContext, 'terminal'>,
): Promise<string> => {
  if ((sql === undefined) === (file === undefined))
    throw new QuerentError('bad-arguments', 'give the SQL with --sql, or the file it is in with --file')
  if (file === undefined) return sql ?? ''
  return readFile(resolve(terminal.folder, file), 'utf8').catch((cause: unknown) => {
    throw new QuerentError('bad-arguments', `cannot read ${file}; check the path`, { cause })
  })
}

/** Ids are long; the beginning of one will do while only one begins so. */
const MIN_ID_LENGTH = 4

const findVerifiedQuery = async (id: string, context: CommandContext): Promise<StoredVerifiedQuery> => {
  if (!/^[0-9a-f-]+$/i.test(id) || id.length < MIN_ID_LENGTH)
    throw new QuerentError(
      'bad-arguments',
      `“${id}” is no id: give at least ${MIN_ID_LENGTH} of its characters, as \`verified list\` shows it`,
    )
  const [query, other] = await (await verifiedRepository(context)).findByPrefix(id)
  if (query === undefined)
    throw new QuerentError('bad-arguments', `there is no verified query ${id}; \`verified list\` shows them`)
  if (other !== undefined)
    throw new QuerentError('bad-arguments', `several ids begin with ${id}; give more of it`)
  return query
}

const describeSaved = (query: VerifiedQuery, rowCount: number): string => {
  const pieces = verifiedToJson(query).replaceable.map(({ said }) => `“${said}”`)
  return [
    `Saved as ${query.id.slice(0, 8)}, ${query.status}. It gives ${rowCount} row${rowCount === 1 ? '' : 's'} today.`,
    pieces.length === 0
      ? 'It answers this question in these words.'
      : `It answers this question, also with something else for ${pieces.join(', ')}.`,
    ...(query.status === 'accepted' ? [] : ['It is used once `verified accept` is called.']),
  ].join('\n')
}

const printStatus = (
  query: VerifiedQuery,
  done: VerifiedStatus,
  options: VerifiedOptions,
  { terminal, clearProgress }: CommandContext,
): number => {
  clearProgress()
  if (options.json) writeJson(terminal.out, verifiedToJson(query))
  else terminal.out.write(`${query.id.slice(0, 8)} is ${done}: ${query.question}\n`)
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

/** The same, with what became of it since. */
const verifiedRunToJson = (query: StoredVerifiedQuery) => ({
  ...verifiedToJson(query),
  lastRun: query.lastRun && { ...query.lastRun, at: query.lastRun.at.toISOString() },
  dueAt: query.dueAt?.toISOString() ?? null,
  staleSince: query.staleness?.since.toISOString() ?? null,
  staleReasons: query.staleness?.reasons ?? [],
})

/** As a table, and why those are stale that are. */
const verifiedTable = (queries: readonly StoredVerifiedQuery[]): string => {
  const table = new Table({
    style: { head: [], border: [], compact: true },
    head: ['id', 'status', 'database', 'question', 'last run', 'by'],
    colWidths: [10, 10, 18, 50, 24, 14],
    wordWrap: true,
  })
  for (const query of queries) {
    const { id, status, database, question, savedBy } = query
    table.push([id.slice(0, 8), status, database, question, describeRun(query), savedBy ?? ''])
  }
  const why = queries.flatMap(({ id, staleness }) =>
    staleness === null ? [] : [`${id.slice(0, 8)} is stale: ${staleness.reasons.join('; ')}.`],
  )
  if (why.length > 0)
    why.push('`verified accept` uses one again once it runs, `verified remove` takes it out.')
  return [table.toString(), ...why].join('\n')
}

/** The day, and what it gave; times are in UTC, as in `--json`. */
const describeRun = ({ lastRun }: StoredVerifiedQuery): string => {
  if (lastRun === null) return 'not yet'
  const day = lastRun.at.toISOString().slice(0, 10)
  switch (lastRun.status) {
    case 'ran':
      return `${day}: ${lastRun.rowCount} row${lastRun.rowCount === 1 ? '' : 's'}`
    case 'broken':
      return `${day}: failed`
    case 'too-heavy':
      return `${day}: too heavy to be run unasked, ${lastRun.reason}`
    case 'unreachable':
      return `${day}: not reached, ${lastRun.reason}`
    default: {
      const never: never = lastRun
      return never
    }
  }
}
