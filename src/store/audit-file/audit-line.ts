import { z } from 'zod'
import type { ParseDialect } from '../../core/dialect.ts'
import {
  type StatementKind,
  type StatementRecord,
  statementOrigins,
  statementVerdicts,
} from '../../core/statement-audit.ts'
import { truncateStatement } from '../cut-statement.ts'
import type { EndedStatement } from '../repositories/audit-log.ts'
import { StoredErrorClass } from '../stored/candidate.ts'
import { literalUnion } from '../stored/literals.ts'

/** How a statement ended. `at` is when it began: the line stands in the file of the same day. */
export interface EndLine extends EndedStatement {
  readonly at: Date
}

/** A line of the file: that a statement was begun (or refused), or how it ended. */
export type AuditLine =
  | { readonly line: 'begun'; readonly record: StatementRecord }
  | { readonly line: 'ended'; readonly end: EndLine }

/** Every line begins so, and within a text quotes are escaped: where else it stands a line was cut off before. */
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

/** The line of a statement that begins, or is refused. */
export const toBegunLine = ({ id, at, sql, ...record }: StatementRecord): string =>
  JSON.stringify({ id, at, ...record, sql: truncateStatement(sql) })

/** The line of how it ended. */
export const toEndedLine = ({ id, at, verdict, errorClass, rows, bytes, milliseconds }: EndLine): string =>
  JSON.stringify({ id, at, verdict, errorClass, rows, bytes, milliseconds })

/** Reads a line. Null for one that was cut off; of one that another stands behind it reads the other. */
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
