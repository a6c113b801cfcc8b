import { type FileHandle, open } from 'node:fs/promises'
import type { StatementRecord } from '../../domain/operations/audit.ts'
import type { AuditFilter } from '../repositories/audit-log.ts'
import { type DayFiles, listDays, utcDay } from './audit-file.ts'
import { type EndLine, readAuditLine, readLines } from './audit-line.ts'

/** Position of a statement, and its sort key. */
interface LocatedRecord {
  readonly id: string
  readonly at: number
  readonly path: string
  readonly from: number
  readonly length: number
}

/**
 * Yields the statements in the files of a folder, by time and id, each with its end. For a day, only positions and ends
 * are in memory; texts are read one by one. Lines cut off by a crash are skipped.
 */
export async function* readAuditFiles(
  folder: string,
  filter: AuditFilter,
  { signal }: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<StatementRecord> {
  const from = filter.since ? utcDay(filter.since) : ''
  for (const day of await listDays(folder)) {
    if (day.day < from || (filter.until && Date.parse(day.day) >= filter.until.getTime())) continue
    signal?.throwIfAborted()
    yield* readAuditDay(day, filter)
  }
}

async function* readAuditDay({ paths }: DayFiles, filter: AuditFilter): AsyncGenerator<StatementRecord> {
  const begun: LocatedRecord[] = []
  const ended = new Map<string, EndLine>()
  for (const path of paths) {
    for await (const { text, ...place } of readLines(path)) {
      const read = readAuditLine(text)
      if (read?.line === 'ended') ended.set(read.end.id, read.end)
      if (read?.line !== 'begun' || !isWanted(read.record, filter)) continue
      begun.push({ id: read.record.id, at: read.record.at.getTime(), path, ...place })
    }
  }
  begun.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  const files = new Map<string, FileHandle>()
  try {
    for (const path of paths) files.set(path, await open(path))
    for (const { path, from, length } of begun) {
      const bytes = Buffer.alloc(length)
      await files.get(path)?.read(bytes, 0, length, from)
      const read = readAuditLine(bytes.toString())
      if (read?.line === 'begun') yield { ...read.record, ...endOf(ended.get(read.record.id)) }
    }
  } finally {
    for (const file of files.values()) await file.close()
  }
}

const isWanted = (
  record: StatementRecord,
  { since, until, person, database, origins }: AuditFilter,
): boolean =>
  (!since || record.at >= since) &&
  (!until || record.at < until) &&
  (person === undefined || record.person === person) &&
  (database === undefined || record.database === database) &&
  (origins === undefined || origins.includes(record.origin))

const endOf = (end: EndLine | undefined): Partial<StatementRecord> => {
  if (end === undefined) return {}
  const { id: _, at: __, ...rest } = end
  return rest
}
