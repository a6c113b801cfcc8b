import type { TimeSpan } from '../../../src/domain/question-context.ts'
import type { Dialect } from '../../../src/domain/sql.ts'
import type { VerifiedQuery, VerifiedSlot } from '../../../src/domain/verified-query.ts'
import { sqlSkeleton } from '../../../src/sql/analyze/sql-skeleton.ts'
import { quoteLiteral } from '../../../src/sql/render/quote.ts'
import { alignQuestions } from './align-questions.ts'
import { type QuestionLiteral, questionTokens } from './question-literals.ts'
import { fillsSlot, type LiteralToken, literalTokens, rewriteLiteral } from './rewrite-literal.ts'

/** A verified query put to a new question. */
export interface ReplayedQuery {
  readonly sql: string
  /** How far the words differ; 0 for the same. */
  readonly cost: number
  /** What was put in whose place, in the words of the two questions. */
  readonly replaced: readonly { readonly from: string; readonly to: string }[]
}

/**
 * Puts a verified query to a new question that says the same, and gives its literals the values, numbers and periods
 * that the new one names (after DAIL-SQL: masked question and skeleton match). Null when the question says anything
 * else, when two values are as likely, when a literal cannot be written for what is named, or when the skeleton would
 * not be the same.
 */
export const replayVerified = (
  verified: Pick<VerifiedQuery, 'question' | 'sql' | 'skeleton' | 'slots'>,
  asked: {
    readonly text: string
    readonly spoken: readonly QuestionLiteral[]
    readonly spans: readonly TimeSpan[]
  },
  dialect: Dialect,
): ReplayedQuery | null => {
  if (verified.skeleton === null) return null
  const aligned = alignQuestions(verified, asked)
  if (aligned === null || isUnsure(aligned.pieces, asked.spoken)) return null
  // Parsing is what costs: most queries do not come so far.
  const literals = literalTokens(verified.sql, dialect)
  if (literals === null) return null
  const { slots } = verified
  const edits: { readonly literal: LiteralToken; readonly text: string }[] = []
  for (const [index, slot] of slots.entries()) {
    const piece = aligned.pieces[index]
    if (piece === undefined) return null
    for (const literal of literals.filter(literal => fillsSlot(literal, slot))) {
      const text = rewriteLiteral(literal, slot, piece)
      if (text === null) return null
      if (text !== literal.value) edits.push({ literal, text })
    }
  }
  if (hasForeignDays(literals, slots, aligned.pieces, asked.spans)) return null
  const sql = applyEdits(verified.sql, edits, dialect)
  // As it was, but for the quotes: SQLite's "x" may be a name to the skeleton.
  const before = applyEdits(
    verified.sql,
    edits.map(({ literal }) => ({ literal, text: literal.value })),
    dialect,
  )
  if (sqlSkeleton(sql, dialect) !== sqlSkeleton(before, dialect)) return null
  return { sql, cost: aligned.cost, replaced: replacedWords(verified, asked.text, aligned.pieces) }
}

/** Another value of the same column that the same words mean as well. */
const isUnsure = (pieces: readonly QuestionLiteral[], spoken: readonly QuestionLiteral[]): boolean =>
  pieces.some(
    piece =>
      piece.kind === 'value' &&
      spoken.some(
        other =>
          other.kind === 'value' &&
          other.first === piece.first &&
          other.end === piece.end &&
          other.table === piece.table &&
          other.column === piece.column &&
          other.value !== piece.value &&
          other.score > piece.score - ALIKE,
      ),
  )

const ALIKE = 0.03

/**
 * The question names a period that the SQL has no slot for, and the SQL has days that no slot gave it: they may be
 * that period as it was when the query was saved.
 */
const hasForeignDays = (
  literals: readonly LiteralToken[],
  slots: readonly VerifiedSlot[],
  pieces: readonly QuestionLiteral[],
  spans: readonly TimeSpan[],
): boolean =>
  spans.length > pieces.filter(({ kind }) => kind === 'period').length &&
  literals.some(
    literal => /^%*\d{4}-\d{2}/.test(literal.value) && !slots.some(slot => fillsSlot(literal, slot)),
  )

const applyEdits = (
  sql: string,
  edits: readonly { readonly literal: LiteralToken; readonly text: string }[],
  dialect: Dialect,
): string =>
  [...edits]
    .sort((a, b) => b.literal.start - a.literal.start)
    .reduce((whole, { literal: { kind, start, end }, text }) => {
      const written = kind === 'text' ? quoteLiteral(text, dialect) : text
      return whole.slice(0, start) + written + whole.slice(end)
    }, sql)

const replacedWords = (
  { question, slots }: Pick<VerifiedQuery, 'question' | 'slots'>,
  text: string,
  pieces: readonly QuestionLiteral[],
): ReplayedQuery['replaced'] => {
  const tokens = questionTokens(text)
  return slots
    .map(({ at: [start, end] }, index) => {
      const piece = pieces[index]
      const to = piece ? text.slice(tokens[piece.first]?.start, tokens[piece.end - 1]?.end) : ''
      return { from: question.slice(start, end), to }
    })
    .filter(({ from, to }) => from.toLowerCase() !== to.toLowerCase())
}
