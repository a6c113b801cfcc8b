import type { Table } from '../../../src/domain/catalog.ts'
import type { Clock, UnderstandQuestion } from '../../../src/domain/question-context.ts'
import type { ReferencedTable, StatementSchema } from '../../../src/domain/schema-drift.ts'
import type { Dialect } from '../../../src/domain/sql.ts'
import type { BuildVerifiedTemplate, VerifiedSlot } from '../../../src/domain/verified-query.ts'
import { sqlReferences, type TableReference } from '../../../src/sql/analyze/sql-scopes.ts'
import { sqlSkeleton } from '../../../src/sql/analyze/sql-skeleton.ts'
import { extractKeywords } from '../understanding/keywords.ts'
import { flagMatches, matchKeywords } from '../understanding/value-matches.ts'
import { findQuestionLiterals, type QuestionLiteral, questionTokens } from './question-literals.ts'
import { fillsSlot, literalTokens } from './rewrite-literal.ts'
import { maskQuestion } from './similar-questions.ts'

/**
 * Reads a question and its SQL together: masked question, skeleton, which pieces of the question became which
 * literals, and which tables and columns the SQL reads. `clock` is when the question was asked: its periods are days of then.
 */
export const makeReadVerified =
  (deps: { readonly understand: UnderstandQuestion; readonly clock: Clock }): BuildVerifiedTemplate =>
  async ({ question, sql }, database, { signal } = {}) => {
    const matches = await matchKeywords(extractKeywords(question), database, {
      more: flagMatches(question, database.catalog),
      ...(signal && { signal }),
    })
    const { spans } = deps.understand(question, deps.clock)
    const spoken = findQuestionLiterals(question, { matches, spans })
    return {
      maskedQuestion: maskQuestion(question, { spoken, catalog: database.catalog }),
      skeleton: sqlSkeleton(sql, database.dialect),
      slots: findSlots(question, sql, spoken, database.dialect),
      touches: touchedTables(sql, database),
    }
  }

/**
 * Finds which pieces of a question became literals of its SQL. Cautious: a literal that two pieces may have become, and
 * a number that stands in the SQL twice, belong to nobody, so a question has to say the same there.
 */
export const findSlots = (
  question: string,
  sql: string,
  spoken: readonly QuestionLiteral[],
  dialect: Dialect,
): readonly VerifiedSlot[] => {
  const literals = literalTokens(sql, dialect)
  if (literals === null) return []
  const tokens = questionTokens(question)
  const said = spoken
    .map(piece => ({ piece, says: literals.filter(literal => fillsSlot(literal, piece)) }))
    .filter(({ piece, says }) => (piece.kind === 'number' ? says.length === 1 : says.length > 0))
  const slots: VerifiedSlot[] = []
  const taken = new Set<number>()
  for (const { piece, says } of said.sort((a, b) => byStrength(a.piece, b.piece))) {
    const places = Array.from({ length: piece.end - piece.first }, (_, offset) => piece.first + offset)
    if (places.some(place => taken.has(place))) continue
    for (const place of places) taken.add(place)
    const isShared = said.some(
      other =>
        (other.piece.first >= piece.end || other.piece.end <= piece.first) &&
        other.says.some(literal => says.includes(literal)),
    )
    const [start, end] = [tokens[piece.first]?.start, tokens[piece.end - 1]?.end]
    if (isShared || start === undefined || end === undefined) continue
    slots.push(asSlot(piece, [start, end]))
  }
  return slots.sort((a, b) => a.at[0] - b.at[0])
}

/** Periods are read best; of values, the longer one; of those, the one that is more alike. */
const byStrength = (a: QuestionLiteral, b: QuestionLiteral): number =>
  strength[a.kind] - strength[b.kind] || b.end - b.first - (a.end - a.first) || scoreOf(b) - scoreOf(a)

const strength: Readonly<Record<QuestionLiteral['kind'], number>> = { period: 0, value: 1, number: 2 }

const scoreOf = (piece: QuestionLiteral): number => (piece.kind === 'value' ? piece.score : 1)

const asSlot = (piece: QuestionLiteral, at: readonly [number, number]): VerifiedSlot => {
  switch (piece.kind) {
    case 'value':
      return { kind: 'value', at, table: piece.table, column: piece.column, value: piece.value }
    case 'number':
      return { kind: 'number', at, value: piece.value }
    case 'period':
      return { kind: 'period', at, from: piece.from, until: piece.until }
    default: {
      const never: never = piece
      return never
    }
  }
}

/**
 * The tables and columns of a catalog that a statement reads, with their types: the part of the schema that it stands
 * on. A name without a table goes to every table of the statement that has it. Null if it cannot be parsed.
 */
export const touchedTables = (
  sql: string,
  { catalog, dialect }: StatementSchema,
): readonly ReferencedTable[] | null => {
  const references = sqlReferences(sql, dialect)
  if (references === null) return null
  const read = new Set(references.tables.flatMap(reference => tablesOf(reference, catalog.tables)))
  return [...read].map(table => {
    const named = references.columns.filter(column => column.table === null || same(column.table, table.name))
    const whole = named.some(({ column }) => column === '*')
    return {
      schema: table.schema,
      name: table.name,
      whole,
      columns: table.columns
        .filter(({ name }) => whole || named.some(({ column }) => same(column, name)))
        .map(({ name, type }) => ({ name, type })),
      definition: table.definition ?? null,
    }
  })
}

/**
 * Which tables a name may mean: one in the schema that it names, else one that is found without a schema, else any. A
 * table that is found without a schema does not always say which one it is in.
 */
const tablesOf = ({ schema, name }: TableReference, tables: readonly Table[]): readonly Table[] => {
  const named = tables.filter(table => same(table.name, name))
  const inSchema = named.filter(table => schema !== null && same(table.schema ?? table.home ?? '', schema))
  if (inSchema.length > 0) return inSchema
  const unqualified = named.filter(table => table.schema === null)
  return schema !== null || unqualified.length > 0 ? unqualified : named
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
