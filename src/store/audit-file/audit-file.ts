import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { StatementRecord } from '../../domain/operations/audit.ts'
import { type EndLine, toBegunLine, toEndedLine } from './audit-line.ts'

/** The audit log in files of a folder, one a day: where there is no store to write to. */
export interface AuditFile {
  readonly insert: (records: readonly StatementRecord[]) => Promise<void>
  readonly finish: (ends: readonly EndLine[]) => Promise<void>
}

/**
 * Makes it. Nothing is made on the disk before the first statement; what is older than `purgeBefore` says goes then. A
 * statement is one line when it begins, before it is sent, and one when it has ended, both in the file of the day (UTC) on
 * which it began. Lines are with the system when a call returns, so that a process that is killed loses none; they are not
 * forced to the disk, and a machine that goes down may lose the last seconds.
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
        // Somebody has tidied the folder away since it was made.
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

/** Writes bytes at the end of a file; how many it took. */
type AppendBytes = (bytes: Buffer) => Promise<number>

/** Attempts at a write that took only a part: a full disk fails with an error of its own then. */
const MOST_ATTEMPTS = 5

const NEWLINE = 0x0a

/**
 * Appends whole lines to a file that only its owner may read, and makes it when it is missing. All of them go out in one
 * write: on a local disk the system lets no other append come between, so lines of two processes never mix. It is opened
 * anew each time, so that it can be replaced by one that somebody is left out of (`eraseFromAuditFiles`). Rejects where they
 * could not be written.
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
 * Writes lines whole. After a write that took only a part another process may have gone on behind it: what is left then
 * begins on a line of its own, with the line that was cut.
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

/** The file of a day; of one that was replaced there may be parts, with a word of their own. */
const NAME = /^(\d{4}-\d\d-\d\d)(?:\.\w+)?\.jsonl$/

/** A file that takes the place of another when it is done; what a crash left of one goes with its day. */
const UNFINISHED = /^(\d{4}-\d\d-\d\d)\.\w+\.jsonl\.new$/

/** Where a part of a day is written anew, until it takes the place of the one that it is made from. */
export const unfinishedPath = (part: string): string => `${part}.new`

/** Files with statements of one day. */
export interface DayFiles {
  /** `YYYY-MM-DD`, in UTC: where a process is says nothing about a file that several share. */
  readonly day: string
  readonly paths: readonly string[]
}

/** The day in UTC, `YYYY-MM-DD`. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10)

/** The file that statements begun on a day are written to. */
const pathOfDay = (folder: string, day: string): string => join(folder, `${day}.jsonl`)

/** The days that there are files of, the first one first; none where there is no folder. */
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

/** Whether a day was over at a moment. */
const wasOver = (day: string, at: Date): boolean => Date.parse(day) + DAY_MS <= at.getTime()

/** Deletes the files of days that were over before a moment; how many files those were. */
export const purgeDays = async (folder: string, before: Date): Promise<number> => {
  const days = [...(await listDays(folder)), ...(await listNamed(folder, UNFINISHED))]
  const old = days.filter(({ day }) => wasOver(day, before))
  const paths = old.flatMap(({ paths }) => paths)
  for (const path of paths) await rm(path, { force: true })
  return paths.length
}
