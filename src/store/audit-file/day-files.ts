import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

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
export const pathOfDay = (folder: string, day: string): string => join(folder, `${day}.jsonl`)

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
