import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { StatementRecord } from '../../domain/operations/audit.ts'
import type { AuditFilter } from '../repositories/audit-log.ts'
import { type EndLine, readAuditLine, readLines, toBegunLine, toEndedLine } from './audit-line.ts'

/** The audit log in files, one per day, for when there is no store. */
export interface AuditFile {
  readonly insert: (records: readonly StatementRecord[]) => Promise<void>
  readonly finish: (ends: readonly EndLine[]) => Promise<void>
}

/**
 * Nothing is created on disk before the first statement; files older than `purgeBefore` are deleted then. A statement
 * has one line at its start, before it is sent, and one at its end, both in the file of the day (UTC) it started. Lines
 * are handed to the operating system before a call returns, so a killed process loses none; they are not synced to
 * disk, so a machine crash may lose the last seconds.
 */
export const makeAuditFile = (
  folder: string,
  { purgeBefore }: { readonly purgeBefore: () => Date | null },
): AuditFile => {
  let made: Promise<void> | null = null

  const make = async (): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const before = purgeBefore()
    if (before !== null) await purgeDays(folder, before)
  }
  const append = async (lines: readonly { readonly at: Date; readonly line: string }[]): Promise<void> => {
    made ??= make().catch((error: unknown) => {
      made = null
      throw error
    })
    await made
    for (const [day, ofDay] of Map.groupBy(lines, ({ at }) => utcDay(at))) {
      const write = (): Promise<void> =>
        appendLines(
          pathOfDay(folder, day),
          ofDay.map(({ line }) => line),
        )
      await write().catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
        // The folder was deleted since it was created.
        await make()
        await write()
      })
    }
  }

  return {
    insert: records => append(records.map(record => ({ at: record.at, line: toBegunLine(record) }))),
    finish: ends => append(ends.map(end => ({ at: end.at, line: toEndedLine(end) }))),
  }
}

/** Appends bytes to a file and returns how many were written. */
type AppendBytes = (bytes: Buffer) => Promise<number>

/** Attempts at a partial write; a full disk then fails with its own error. */
const MOST_ATTEMPTS = 5

const NEWLINE = 0x0a

/**
 * Appends whole lines to a file that only its owner can read, creating it if needed. They are one write: on a local
 * disk no other append can come between, so lines of two processes never mix. The file is opened each time, so that it
 * can be replaced by one with a person removed (`eraseFromAuditFiles`). Rejects if the lines could not be written.
 */
export const appendLines = async (path: string, lines: readonly string[]): Promise<void> => {
  const file = await open(path, 'a', 0o600)
  try {
    await writeFully(Buffer.from(lines.map(line => `${line}\n`).join('')), async bytes => {
      const { bytesWritten } = await file.write(bytes)
      return bytesWritten
    })
  } finally {
    await file.close()
  }
}

/**
 * Writes lines completely. After a partial write another process may have appended: the rest then starts on a new line,
 * with the line that was cut.
 */
export const writeFully = async (lines: Buffer, write: AppendBytes): Promise<void> => {
  let left = lines
  for (let attempt = 1; ; attempt++) {
    const written = await write(left)
    if (written === left.length) return
    if (attempt === MOST_ATTEMPTS) throw new Error(`only ${written} of ${left.length} bytes could be written`)
    const whole = left.subarray(0, written).lastIndexOf(NEWLINE) + 1
    left = Buffer.concat([Buffer.of(NEWLINE), left.subarray(whole)])
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** The file of a day; a replaced file may leave parts with another suffix. */
const NAME = /^(\d{4}-\d\d-\d\d)(?:\.\w+)?\.jsonl$/

/** A replacement that is being written; leftovers of a crash are deleted with their day. */
const UNFINISHED = /^(\d{4}-\d\d-\d\d)\.\w+\.jsonl\.new$/

/** The path where the replacement of a file is written. */
export const unfinishedPath = (part: string): string => `${part}.new`

/** The files of one day. */
interface DayFiles {
  /** `YYYY-MM-DD` in UTC: processes in different time zones share the files. */
  readonly day: string
  readonly paths: readonly string[]
}

/** The day in UTC, `YYYY-MM-DD`. */
const utcDay = (at: Date): string => at.toISOString().slice(0, 10)

/** The file for statements started on a day. */
const pathOfDay = (folder: string, day: string): string => join(folder, `${day}.jsonl`)

/** The days that have files, earliest first; none if there is no folder. */
export const listDays = (folder: string): Promise<readonly DayFiles[]> => listNamed(folder, NAME)

const listNamed = async (folder: string, pattern: RegExp): Promise<readonly DayFiles[]> => {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const days = Map.groupBy(names.sort(), name => pattern.exec(name)?.[1] ?? null)
  days.delete(null)
  return [...days]
    .map(([day, names]) => ({ day: day ?? '', paths: names.map(name => join(folder, name)) }))
    .sort((a, b) => (a.day < b.day ? -1 : 1))
}

/** Whether a day had ended at a moment. */
const wasOver = (day: string, at: Date): boolean => Date.parse(day) + DAY_MS <= at.getTime()

/** Deletes the files of days that ended before a moment; returns how many. */
export const purgeDays = async (folder: string, before: Date): Promise<number> => {
  const days = [...(await listDays(folder)), ...(await listNamed(folder, UNFINISHED))]
  const old = days.filter(({ day }) => wasOver(day, before))
  const paths = old.flatMap(({ paths }) => paths)
  for (const path of paths) await rm(path, { force: true })
  return paths.length
}

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
