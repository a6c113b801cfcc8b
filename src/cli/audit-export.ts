import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify/sync'
import { auditFolder } from '../compose/audit/audit-in-file.ts'
import { QuerentError } from '../core/errors.ts'
import { type StatementOrigin, type StatementRecord, statementOrigins } from '../core/statement-audit.ts'
import { mergeSorted } from '../lib/merge-sorted.ts'
import { readAuditFiles } from '../store/audit-file/read-days.ts'
import { resolveAuditedDatabase } from './audited-database.ts'
import type { CommandContext } from './command-context.ts'
import { parseTimeRange } from './parse-bounds.ts'

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

/** Columns of the export, in the order of the CSV file; the names are those of the JSON too. */
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
 * `audit export`: the statements that were run, oldest first, as JSON lines or CSV; with `--json` as one array. Those of our
 * store and those of the files in the home folder, as one. A page of them is in memory at a time, however many there are.
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
  // The stream is the terminal's: it stays open for whatever comes after.
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

/** A statement may begin with what a spreadsheet takes for a formula (threat T9). */
const csvLine = (row: Readonly<Record<string, string | number | null>>, isFirst: boolean): string =>
  stringify([row], { header: isFirst, columns: [...columns], escape_formulas: true })

const readOrigins = (text: string): readonly StatementOrigin[] =>
  text.split(',').map(written => {
    const known = statementOrigins.find(origin => origin === written.trim())
    if (known !== undefined) return known
    throw new QuerentError(
      'bad-arguments',
      `--origin takes some of ${statementOrigins.join(', ')}, not “${written.trim()}”`,
    )
  })

const readFormat = ({ format, json }: AuditExportOptions): Format => {
  if (format === undefined) return json ? 'json' : 'jsonl'
  if (json)
    throw new QuerentError('bad-arguments', '--json writes one JSON array: give either --json or --format')
  const known = formats.find(one => one === format)
  if (known !== undefined) return known
  throw new QuerentError('bad-arguments', `--format is one of ${formats.join(', ')}, not “${format}”`)
}
