import type { Dialect } from '../../../src/core/dialect.ts'
import type { VerifiedSlot } from '../../../src/core/verified-query.ts'
import type { QuestionLiteral } from './find-spoken.ts'
import { literalTokens } from './literal-tokens.ts'
import { questionTokens } from './question-tokens.ts'
import { fillsSlot } from './rewrite-literal.ts'

/**
 * Finds which pieces of a question became literals of its SQL. Cautious: a literal that two pieces may have become, and
 * a number that stands in the SQL twice, belong to nobody, so that whoever asks has to say the same there.
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
