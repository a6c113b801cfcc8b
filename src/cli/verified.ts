import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { makeReadVerified } from '../../graphs/answer/verified/read-verified.ts'
import { makeSaveVerified } from '../app/verified/save-verified.ts'
import { sampleCompany } from '../compose/databases/make-databases.ts'
import { settleVerifiedIn } from '../compose/upkeep/settle-verified.ts'
import { QuerentError } from '../core/errors.ts'
import { type VerifiedQuery, type VerifiedStatus, verifiedStatuses } from '../core/verified-query.ts'
import type { KeptVerifiedQuery } from '../core/verified-recheck.ts'
import { understandQuestion } from '../semantic-parser/understand/understand-question.ts'
import type { CommandContext } from './command-context.ts'
import { personHere } from './person-here.ts'
import { showVerified, showVerifiedRun, verifiedTable } from './verified/show-verified.ts'
import { writeJson } from './write-json.ts'

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
  const database = options.database === undefined ? null : await nameOf(options.database, context)
  const queries = await (await repository(context)).list({
    ...(database === null ? {} : { database }),
    ...(status === null ? {} : { status }),
  })
  const { terminal } = context
  context.clearProgress()
  if (options.json) writeJson(terminal.out, queries.map(showVerifiedRun))
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
  const { insert } = await repository(context)
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
    savedBy: personHere(),
    signal,
  })
  context.clearProgress()
  switch (saved.status) {
    case 'saved': {
      const { query, rowCount } = saved
      if (options.json) writeJson(terminal.out, { ...showVerified(query), rowCount })
      else terminal.out.write(`${describeSaved(query, rowCount)}\n`)
      return 0
    }
    case 'unfit':
      return sayNot(`The SQL cannot be saved: ${saved.reason}.`, saved, options, context)
    case 'taken':
      return sayNot(alreadyAccepted, { ...saved, reason: alreadyAccepted }, options, context)
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
  const { accept } = await repository(context)
  const query = await findOne(options.id ?? '', context)
  if (query.staleness !== null) return keepStale(query, query.staleness.since, options, context)
  const accepted = await accept(query.id, { by: personHere(), at: context.now })
  if (accepted === 'taken')
    return sayNot(alreadyAccepted, { status: 'taken', reason: alreadyAccepted }, options, context)
  return sayDone(accepted ?? query, 'accepted', options, context)
}

const keepStale = async (
  query: KeptVerifiedQuery,
  since: Date,
  options: VerifiedOptions,
  context: CommandContext,
): Promise<number> => {
  const { resources, now, signal } = context
  const { repositories } = (await resources.ownStore()).store
  const settle = settleVerifiedIn(resources, repositories, () => now)
  const key = { queryId: query.id, since }
  const settled = await settle({ key, decision: 'keep', by: personHere(), ownerOnly: false, signal })
  switch (settled.status) {
    case 'kept':
      return sayDone(settled.query, 'accepted', options, context)
    case 'unfit': {
      const { reason } = settled
      const next = '`verified add` saves its question with other SQL, `verified remove` takes this one out.'
      return sayNot(`It does not run: ${reason}\n${next}`, { status: 'unfit', reason }, options, context)
    }
    case 'taken':
      return sayNot(alreadyAccepted, { status: 'taken', reason: alreadyAccepted }, options, context)
    case 'settled':
    case 'removed':
    case 'not-theirs':
      return sayNot(justSettled, { status: settled.status, reason: justSettled }, options, context)
    default: {
      const never: never = settled
      return never
    }
  }
}

const justSettled = 'Somebody settled this query at the same moment; `verified list` shows how it stands.'

/** `verified remove`: it is used no more. It stays in the list of those that were removed. */
export const runVerifiedRemove = async (
  options: VerifiedOptions,
  context: CommandContext,
): Promise<number> => {
  const { remove } = await repository(context)
  const query = await findOne(options.id ?? '', context)
  const removed = await remove(query.id, { by: personHere(), at: context.now })
  return sayDone(removed ?? query, 'removed', options, context)
}

const alreadyAccepted =
  'This question has an accepted query already; `verified list` shows it, `verified remove` takes it out.'

const repository = async ({ resources }: CommandContext) =>
  (await resources.ownStore()).store.repositories.verifiedQueries

const readStatus = (text: string | undefined): VerifiedStatus | null => {
  const status = verifiedStatuses.find(status => status === text)
  if (text === undefined || status !== undefined) return status ?? null
  throw new QuerentError('bad-arguments', `--status is one of ${verifiedStatuses.join(', ')}, not “${text}”`)
}

/** Queries are kept under the name that the database goes by, which is not always what was typed. */
const nameOf = async (typed: string, { resources, signal }: CommandContext): Promise<string> =>
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
const SHORTEST_ID = 4

const findOne = async (id: string, context: CommandContext): Promise<KeptVerifiedQuery> => {
  if (!/^[0-9a-f-]+$/i.test(id) || id.length < SHORTEST_ID)
    throw new QuerentError(
      'bad-arguments',
      `“${id}” is no id: give at least ${SHORTEST_ID} of its characters, as \`verified list\` shows it`,
    )
  const [query, other] = await (await repository(context)).findByPrefix(id)
  if (query === undefined)
    throw new QuerentError('bad-arguments', `there is no verified query ${id}; \`verified list\` shows them`)
  if (other !== undefined)
    throw new QuerentError('bad-arguments', `several ids begin with ${id}; give more of it`)
  return query
}

const describeSaved = (query: VerifiedQuery, rowCount: number): string => {
  const pieces = showVerified(query).replaceable.map(({ said }) => `“${said}”`)
  return [
    `Saved as ${query.id.slice(0, 8)}, ${query.status}. It gives ${rowCount} row${rowCount === 1 ? '' : 's'} today.`,
    pieces.length === 0
      ? 'It answers this question in these words.'
      : `It answers this question, also with something else for ${pieces.join(', ')}.`,
    ...(query.status === 'accepted' ? [] : ['It is used once `verified accept` is called.']),
  ].join('\n')
}

const sayDone = (
  query: VerifiedQuery,
  done: VerifiedStatus,
  options: VerifiedOptions,
  { terminal, clearProgress }: CommandContext,
): number => {
  clearProgress()
  if (options.json) writeJson(terminal.out, showVerified(query))
  else terminal.out.write(`${query.id.slice(0, 8)} is ${done}: ${query.question}\n`)
  return 0
}

const sayNot = (
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
