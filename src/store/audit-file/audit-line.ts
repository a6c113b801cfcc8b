import { createReadStream } from 'node:fs'
import { z } from 'zod'
import {
  type EndedStatement,
  type StatementKind,
  type StatementRecord,
  statementOrigins,
  statementVerdicts,
} from '../../domain/operations/audit.ts'
import type { ParseDialect } from '../../domain/sql.ts'
import { truncateStatement } from '../repositories/audit-log.ts'
import { StoredErrorClass } from '../stored/candidate.ts'
import { literalUnion } from '../stored/json.ts'

/** How a statement ended. `at` is its start: the line is in that day's file. */
export interface EndLine extends EndedStatement {
  readonly at: Date
}

/** A line of the file: the start (or refusal) of a statement, or its end. */
export type AuditLine =
  | { readonly line: 'begun'; readonly record: StatementRecord }
  | { readonly line: 'ended'; readonly end: EndLine }

/**
 * Every line starts like this, and quotes within texts are escaped: anywhere else, it means that a line before it was
 * cut off.
 */
const BEGINNING = '{"id":"'

const text = z.string().nullable()

const number = z.number().nullable()

const Common = {
  id: z.string(),
  at: z.iso.datetime().transform(at => new Date(at)),
  verdict: z.enum(statementVerdicts),
  errorClass: StoredErrorClass.nullable(),
  ...{ rows: number, bytes: number, milliseconds: number },
}

const Begun = z.object({
  ...Common,
  origin: z.enum(statementOrigins),
  ...{ person: text, command: text, team: text, channel: text, questionId: text, digestId: text },
  database: z.string(),
  dialect: z.custom<ParseDialect>(value => typeof value === 'string'),
  kind: literalUnion<StatementKind>({ run: true, explain: true, schema: true, trial: true }),
  sql: z.string(),
  reason: text,
})

const Ended = z.object({
  ...Common,
  verdict: z.enum(statementVerdicts).exclude(['started', 'refused']),
  milliseconds: z.number(),
})

/** The line for a statement that starts or is refused. */
export const toBegunLine = ({ id, at, sql, ...record }: StatementRecord): string =>
  JSON.stringify({ id, at, ...record, sql: truncateStatement(sql) })

/** The line for the end of a statement. */
export const toEndedLine = ({ id, at, verdict, errorClass, rows, bytes, milliseconds }: EndLine): string =>
  JSON.stringify({ id, at, verdict, errorClass, rows, bytes, milliseconds })

/** Parses a line. Null if it was cut off; if another line follows the cut, that one is parsed. */
export const readAuditLine = (line: string): AuditLine | null => {
  const from = line.lastIndexOf(BEGINNING)
  if (from === -1) return null
  const raw = parse(line.slice(from))
  const begun = Begun.safeParse(raw)
  if (begun.success) return { line: 'begun', record: begun.data }
  const ended = Ended.safeParse(raw)
  return ended.success ? { line: 'ended', end: ended.data } : null
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const NEWLINE = 0x0a

/** A line and its position in bytes, without the line end. Only the last line may have none. */
interface LocatedLine {
  readonly text: string
  readonly isEnded: boolean
  readonly from: number
  readonly length: number
}

/** Yields the lines of a file from a byte offset, one in memory at a time; also a last line without an end. */
export async function* readLines(path: string, start = 0): AsyncGenerator<LocatedLine> {
  let from = start
  let parts: Buffer[] = []
  const take = (isEnded: boolean): LocatedLine => {
    const line = Buffer.concat(parts)
    parts = []
    return { text: line.toString(), isEnded, from, length: line.length }
  }
  for await (const chunk of createReadStream(path, { start }) as AsyncIterable<Buffer>) {
    let rest = chunk
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      parts.push(rest.subarray(0, end))
      rest = rest.subarray(end + 1)
      const line = take(true)
      from += line.length + 1
      yield line
    }
    if (rest.length > 0) parts.push(rest)
  }
  if (parts.length > 0) yield take(false)
}
