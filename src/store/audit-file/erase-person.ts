import { randomBytes } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { ForgottenRows } from '../../domain/operations/audit.ts'
import { SLACK_ID } from '../repositories/personal-data.ts'
import { appendLines, listDays, unfinishedPath } from './audit-file.ts'
import { type AuditLine, readAuditLine, readLines, toBegunLine } from './audit-line.ts'

/** Lines written at once. */
const AT_ONCE = 1_000

/**
 * Processes that had opened a file before it was set aside have finished by then: they open, write and close at once.
 */
const SETTLED_MS = 200

/** Counts of what was found, as in the store. */
type ErasedFromFiles = Pick<ForgottenRows, 'statements' | 'mentions'>

/** A person and the alias that replaces them. */
interface ErasedPerson {
  readonly person: string
  readonly alias: string
}

/**
 * Replaces a person in the audit files and their Slack id in texts, or only counts occurrences. An affected file is set
 * aside and rewritten while others append to a new one; files left by a crash are still read.
 */
export const eraseFromAuditFiles = async (
  folder: string,
  forgotten: ErasedPerson,
  { only }: { readonly only: 'count' | 'forget' },
): Promise<ErasedFromFiles> => {
  const counts = { statements: 0, mentions: 0 }
  for (const path of (await listDays(folder)).flatMap(({ paths }) => paths)) {
    const before = counts.statements + counts.mentions
    for await (const { text } of readLines(path)) {
      const line = readAuditLine(text)
      if (line?.line !== 'begun') continue
      if (line.record.person === forgotten.person) counts.statements++
      if (mentions(line.record.sql, forgotten) || mentions(line.record.reason, forgotten)) counts.mentions++
    }
    const isFound = counts.statements + counts.mentions > before
    if (only === 'forget' && isFound) await rewriteFile(path, forgotten)
  }
  return counts
}

const rewriteFile = async (path: string, forgotten: ErasedPerson): Promise<void> => {
  const part = path.replace(/(\.\w+)?\.jsonl$/, `.${randomBytes(4).toString('hex')}.jsonl`)
  await rename(path, part)
  await wait(SETTLED_MS)
  let lines: string[] = []
  const write = async (): Promise<void> => {
    await appendLines(unfinishedPath(part), lines)
    lines = []
  }
  for await (const { text, isEnded } of readLines(part)) {
    const line = readAuditLine(text)
    // A line cut off by a crash says nothing, and may contain the name.
    if (line === null || !isEnded) continue
    lines.push(rewriteLine(text, line, forgotten))
    if (lines.length >= AT_ONCE) await write()
  }
  await write()
  await rename(unfinishedPath(part), part)
}

const rewriteLine = (text: string, line: AuditLine, forgotten: ErasedPerson): string => {
  if (line.line === 'ended') return text
  const { record } = line
  const isTheirs = record.person === forgotten.person
  return toBegunLine({
    ...record,
    sql: erase(record.sql, forgotten),
    reason: record.reason === null ? null : erase(record.reason, forgotten),
    // The channel of a direct message identifies the person.
    ...(isTheirs && { person: forgotten.alias, ...(record.channel?.startsWith('D') && { channel: null }) }),
  })
}

/** Only whole Slack ids: other names could be ordinary words. */
const idIn = ({ person }: ErasedPerson): RegExp | null =>
  SLACK_ID.test(person) ? new RegExp(`\\b${person}\\b`, 'g') : null

const mentions = (text: string | null, forgotten: ErasedPerson): boolean =>
  text !== null && idIn(forgotten)?.test(text) === true

const erase = (text: string, forgotten: ErasedPerson): string => {
  const id = idIn(forgotten)
  return id === null ? text : text.replace(id, 'U'.padEnd(forgotten.person.length, 'X'))
}
