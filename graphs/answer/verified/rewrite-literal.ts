import type { Dialect } from '../../../src/domain/sql.ts'
import type { VerifiedSlot } from '../../../src/domain/verified-query.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import { sqlLiterals } from '../../../src/sql/analyze/sql-scopes.ts'
import { sqlTokens } from '../../../src/sql/parse/sql-tokens.ts'

/** What a slot holds, without where it stands. */
type SlotContent =
  | { readonly kind: 'value'; readonly table: string; readonly column: string; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'period'; readonly from: string | null; readonly until: string | null }

/** A text this short says too little of whose value it is when no column stands beside it. */
const SHORTEST_WITHOUT_COLUMN = 3

/** Whether a literal says what a slot holds. */
export const fillsSlot = (literal: LiteralToken, slot: VerifiedSlot | SlotContent): boolean =>
  rewriteLiteral(literal, slot, slot) !== null

/**
 * What stands in the place of a literal that says `from` once it shall say `to`: the same in another way of writing
 * (`%Bergen%`, `bergen`, the last day of a month, its year). Null when the literal does not say `from`, or `to` cannot
 * be written so: there is no year in `last month`.
 */
export const rewriteLiteral = (
  literal: LiteralToken,
  from: VerifiedSlot | SlotContent,
  to: VerifiedSlot | SlotContent,
): string | null => {
  switch (from.kind) {
    case 'value':
      return to.kind === 'value' && isValueOfSlot(literal, from)
        ? rewriteText(literal, from.value, to.value)
        : null
    case 'number':
      return to.kind === 'number' && isNumber(literal, from.value) ? String(to.value) : null
    case 'period':
      return to.kind === 'period' ? rewriteDay(literal, from, to) : null
    default: {
      const never: never = from
      return never
    }
  }
}

const isValueOfSlot = (
  { kind, value: written, columns }: LiteralToken,
  { table, column }: SlotContent & { kind: 'value' },
): boolean => {
  if (columns.length === 0) return kind === 'text' && written.length >= SHORTEST_WITHOUT_COLUMN
  return columns.some(
    other =>
      same(other.column, column) &&
      (other.table === null || same(other.table, table.split('.').at(-1) ?? '')),
  )
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** LIKE's marks on either side are kept, and so is a way of writing that is all small or all capitals. */
const rewriteText = ({ kind, value: written }: LiteralToken, from: string, to: string): string | null => {
  if (kind === 'number') return written === from && /^-?\d+(\.\d+)?$/.test(to) ? to : null
  const [, before = '', text = '', after = ''] = /^(%*)([\s\S]*?)(%*)$/.exec(written) ?? []
  const isMarked = before !== '' || after !== ''
  // Within LIKE these would be marks of their own.
  if (isMarked && /[%_\\]/.test(to)) return null
  const spell = spellings.find(spell => spell(from) === text)
  return spell ? `${before}${spell(to)}${after}` : null
}

const spellings: readonly ((text: string) => string)[] = [
  text => text,
  text => text.toLowerCase(),
  text => text.toUpperCase(),
  foldText,
]

const isNumber = ({ value }: LiteralToken, number: number): boolean =>
  /^-?\d+(\.\d+)?$/.test(value) && Number(value) === number

type Period = Pick<SlotContent & { kind: 'period' }, 'from' | 'until'>

const rewriteDay = ({ kind, value }: LiteralToken, from: Period, to: Period): string | null => {
  const [, before = '', day = '', after = ''] = /^(%*)([\d-]*\d)((?:[ T][\d:.]+Z?|-?%)?)$/.exec(value) ?? []
  for (const write of kind === 'number' ? [yearOf] : [firstDay, endDay, lastDay, monthOf, yearOf]) {
    if (day !== '' && write(from) === day) {
      const written = write(to)
      return written === null ? null : `${before}${written}${after}`
    }
  }
  return null
}

const firstDay = ({ from }: Period): string | null => from

const endDay = ({ until }: Period): string | null => until

const lastDay = ({ until }: Period): string | null => (until === null ? null : addDays(until, -1))

/** Of a period that is one calendar month. */
const monthOf = ({ from, until }: Period): string | null =>
  from !== null &&
  until !== null &&
  from.endsWith('-01') &&
  until.endsWith('-01') &&
  daysOf(from, until) <= 31
    ? from.slice(0, 7)
    : null

/** Of a period that is one calendar year. */
const yearOf = ({ from, until }: Period): string | null =>
  from?.endsWith('-01-01') && until === `${Number(from.slice(0, 4)) + 1}-01-01` ? from.slice(0, 4) : null

const DAY_MS = 86_400_000

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

const daysOf = (from: string, until: string): number => (Date.parse(until) - Date.parse(from)) / DAY_MS

/** A literal where it stands in the text of a statement, [start, end). */
export interface LiteralToken {
  readonly kind: 'text' | 'number'
  readonly value: string
  readonly start: number
  readonly end: number
  /** Names of the columns that literals of this value are compared to; a table is null if the text does not say it. */
  readonly columns: readonly { readonly table: string | null; readonly column: string }[]
}

/** The text and number literals of a statement in the order of the text; null when it cannot be parsed. */
export const literalTokens = (sql: string, dialect: Dialect): readonly LiteralToken[] | null => {
  const literals = sqlLiterals(sql, dialect)
  const cut = sqlTokens(sql, dialect)
  if (literals === null || !cut.ok) return null
  // SQLite takes "x" for a text where no column is called so.
  const quotedTexts = new Set(literals.filter(({ mayBeColumn }) => mayBeColumn).map(({ value }) => value))
  return cut.tokens.flatMap(({ kind, value, start, end }) => {
    const isText = kind === 'string' || (kind === 'quoted' && quotedTexts.has(value))
    if (!isText && kind !== 'number') return []
    const columns = literals.flatMap(literal =>
      literal.column !== null && literal.value === value ? [literal.column] : [],
    )
    return [{ kind: isText ? ('text' as const) : ('number' as const), value, start, end, columns }]
  })
}
