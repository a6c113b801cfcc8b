import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify/sync'
import { DateTime } from 'luxon'
import { sampleCompany } from '../bootstrap/databases/databases.ts'
import { auditFolder } from '../bootstrap/statement-audit.ts'
import type { Config } from '../config/config.ts'
import { QuerentError } from '../domain/errors.ts'
import { type StatementOrigin, type StatementRecord, statementOrigins } from '../domain/operations/audit.ts'
import { readAuditFiles } from '../store/audit-file/audit-file.ts'
import type { CommandContext } from './command-context.ts'
import { auditCopy } from './copy/operations.ts'
import { notATime, notOneOf } from './copy/phrases.ts'

interface AuditExportOptions {
  readonly since?: string
  readonly until?: string
  readonly person?: string
  readonly database?: string
  readonly origin?: string
  readonly format?: string
  readonly json?: boolean
}

const formats = ['jsonl', 'csv'] as const

/** Columns of the CSV file in order, and keys of the JSON. */
const columns = [
  'at',
  'origin',
  'person',
  'team',
  'channel',
  'questionId',
  'digestId',
  'command',
  'database',
  'dialect',
  'kind',
  'verdict',
  'errorClass',
  'reason',
  'rows',
  'bytes',
  'milliseconds',
  'sql',
  'id',
] as const satisfies readonly (keyof StatementRecord)[]

/**
 * `audit export`: the statements of the store and of the files in the home folder, oldest first, as JSON lines or CSV, or
 * with `--json` as one array. Statements are read and written page by page.
 */
export const runAuditExport = async (
  options: AuditExportOptions,
  context: CommandContext,
): Promise<number> => {
  const { config, resources, terminal, signal } = context
  const format = readFormat(options)
  const { person, database } = options
  const filter = {
    ...parseTimeRange(options, config.timeZone),
    ...(person !== undefined && { person }),
    ...(database !== undefined && { database }),
    ...(options.origin !== undefined && { origins: readOrigins(options.origin) }),
  }
  const { store } = await resources.ownStore()
  const { auditLog } = store.repositories
  if (database !== undefined)
    await resolveAuditedDatabase(database, {
      config,
      inStore: auditLog.databases,
      inFiles: () => readAuditFiles(auditFolder(config), {}, { signal }),
    })
  context.clearProgress()
  const inStore = auditLog.stream(filter, { signal })
  const inFiles = readAuditFiles(auditFolder(config), filter, { signal })
  const records = mergeSorted(inStore, inFiles, byTime)
  // Standard output stays open for what is written later.
  await pipeline(Readable.from(write(records, format)), terminal.out, { end: false, signal })
  return 0
}

const byTime = (a: StatementRecord, b: StatementRecord): number => a.at.getTime() - b.at.getTime()

type Format = (typeof formats)[number] | 'json'

async function* write(records: AsyncIterable<StatementRecord>, format: Format): AsyncGenerator<string> {
  let isFirst = true
  for await (const record of records) {
    const row = Object.fromEntries(columns.map(column => [column, toValue(record[column])]))
    if (format === 'csv') yield csvLine(row, isFirst)
    else if (format === 'jsonl') yield `${JSON.stringify(row)}\n`
    else yield `${isFirst ? '[' : ',\n'}${JSON.stringify(row)}`
    isFirst = false
  }
  if (format === 'json') yield isFirst ? '[]\n' : ']\n'
  else if (format === 'csv' && isFirst) yield `${columns.join(',')}\n`
}

const toValue = (value: StatementRecord[keyof StatementRecord]): string | number | null =>
  value instanceof Date ? value.toISOString() : value

/** A statement may begin with characters that a spreadsheet reads as a formula. */
const csvLine = (row: Readonly<Record<string, string | number | null>>, isFirst: boolean): string =>
  stringify([row], { header: isFirst, columns: [...columns], escape_formulas: true })

const readOrigins = (text: string): readonly StatementOrigin[] =>
  text.split(',').map(written => {
    const known = statementOrigins.find(origin => origin === written.trim())
    if (known !== undefined) return known
    throw new QuerentError('bad-arguments', auditCopy.unknownOrigin(statementOrigins, written.trim()))
  })

const readFormat = ({ format, json }: AuditExportOptions): Format => {
  if (format === undefined) return json ? 'json' : 'jsonl'
  if (json) throw new QuerentError('bad-arguments', auditCopy.jsonAndFormat)
  const known = formats.find(one => one === format)
  if (known !== undefined) return known
  throw new QuerentError('bad-arguments', notOneOf('--format', formats, format))
}

/**
 * Rejects for a name that is neither a database of querent.yml nor in the audit log, since an empty export would look as
 * if no statement was run. A database that was removed from querent.yml keeps its statements. The whole log is read, but
 * only for a name that is not in querent.yml.
 */
const resolveAuditedDatabase = async (
  name: string,
  known: {
    readonly config: Pick<Config, 'databases'>
    readonly inStore: () => Promise<readonly string[]>
    readonly inFiles: () => AsyncIterable<Pick<StatementRecord, 'database'>>
  },
): Promise<void> => {
  const names = new Set(Object.keys(known.config.databases))
  if (names.has(name) || name === sampleCompany) return
  for (const one of await known.inStore()) names.add(one)
  for await (const { database } of known.inFiles()) names.add(database)
  if (names.has(name)) return
  throw new QuerentError('unknown-database', auditCopy.unknownDatabase(name, [...names].sort()))
}

/** A period: `since` is included, `until` is not. */
interface TimeRange {
  readonly since?: Date
  readonly until?: Date
}

/** Parses `--since` and `--until`: times, or whole days, both included. */
const parseTimeRange = (
  given: { readonly since?: string; readonly until?: string },
  timeZone: string,
): TimeRange => {
  const since = given.since === undefined ? null : parseTime('--since', given.since, timeZone)
  const until = given.until === undefined ? null : parseTime('--until', given.until, timeZone)
  const end = until?.isDay ? until.moment.plus({ days: 1 }) : until?.moment
  if (since && end && since.moment >= end) throw new QuerentError('bad-arguments', auditCopy.emptyRange)
  return { ...(since && { since: since.moment.toJSDate() }), ...(end && { until: end.toJSDate() }) }
}

const parseTime = (
  option: string,
  text: string,
  timeZone: string,
): { readonly moment: DateTime; readonly isDay: boolean } => {
  const moment = DateTime.fromISO(text, { zone: timeZone })
  if (moment.isValid) return { moment, isDay: /^\d{4}-\d{2}-\d{2}$/.test(text) }
  throw new QuerentError('bad-arguments', notATime(option, text))
}

/** Merges two sorted sequences; equal items of the first come first. */
export async function* mergeSorted<Item>(
  first: AsyncIterable<Item>,
  second: AsyncIterable<Item>,
  compare: (a: Item, b: Item) => number,
): AsyncGenerator<Item> {
  const [left, right] = [first[Symbol.asyncIterator](), second[Symbol.asyncIterator]()]
  try {
    let [a, b] = [await left.next(), await right.next()]
    while (!a.done && !b.done) {
      if (compare(a.value, b.value) <= 0) {
        yield a.value
        a = await left.next()
      } else {
        yield b.value
        b = await right.next()
      }
    }
    for (; !a.done; a = await left.next()) yield a.value
    for (; !b.done; b = await right.next()) yield b.value
  } finally {
    await left.return?.()
    await right.return?.()
  }
}
