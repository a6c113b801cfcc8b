import { mkdir } from 'node:fs/promises'
import type { StatementRecord } from '../../core/statement-audit.ts'
import { appendLines } from './append-lines.ts'
import { type EndLine, toBegunLine, toEndedLine } from './audit-line.ts'
import { pathOfDay, purgeDays, utcDay } from './day-files.ts'

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
