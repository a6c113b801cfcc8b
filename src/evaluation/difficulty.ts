import type { ParseDialect } from '../domain/sql.ts'
import { type SqlToken, sqlTokens } from '../sql/parse/sql-tokens.ts'

/** How hard a statement is, by how much stands in it. */
type Difficulty = 'easy' | 'medium' | 'hard' | 'extra'

/** In the order of growing difficulty, BIRD's own words included; others come after them. */
export const difficultyLevels: readonly string[] = [
  'easy',
  'simple',
  'medium',
  'moderate',
  'hard',
  'challenging',
  'extra',
]

/**
 * Difficulty as Spider grades it (Yu et al. 2018, section 4): by what its outermost SELECT has of clauses, joins and
 * alternatives (`clauses`), whether anything is nested in it or combined with it (`nested`), and of how many things
 * there is more than one (`several`). Null for text that cannot be cut into tokens, or that holds no SELECT.
 */
export const difficultyOf = (sql: string, dialect: ParseDialect): Difficulty | null => {
  const cut = sqlTokens(sql, dialect)
  if (!cut.ok) return null
  const parts = countParts(cut.tokens)
  return parts === null ? null : grade(parts)
}

interface Parts {
  readonly clauses: number
  readonly nested: number
  readonly several: number
}

const grade = ({ clauses, nested, several }: Parts): Difficulty => {
  if (nested === 0) {
    if (clauses <= 1 && several === 0) return 'easy'
    if ((clauses <= 1 && several <= 2) || (clauses <= 2 && several <= 1)) return 'medium'
    if ((clauses <= 2 && several > 2) || (clauses <= 3 && several <= 2)) return 'hard'
  }
  return nested <= 1 && clauses <= 1 && several === 0 ? 'hard' : 'extra'
}

/** Words of the outermost SELECT, each with the clause it stands in and how many brackets are open around it. */
interface PositionedWord {
  readonly word: string
  readonly clause: string
  readonly depth: number
  readonly isCall: boolean
}

const countParts = (tokens: readonly SqlToken[]): Parts | null => {
  const { words, nested } = readOutermost(tokens)
  if (!words.some(({ word }) => word === 'select')) return null
  const count = (test: (placed: PositionedWord) => boolean): number => words.filter(test).length
  const within = (...clauses: readonly string[]) => {
    const known = new Set(clauses)
    return ({ clause }: PositionedWord): boolean => known.has(clause)
  }
  const inConditions = within('where', 'having', 'from')
  const commas = (clause: string): number =>
    count(({ word, depth, clause: own }) => word === ',' && depth === 0 && own === clause)
  const has = (clause: string): number => Number(words.some(({ word }) => word === clause))
  const clauses =
    has('where') +
    has('group') +
    has('order') +
    Number(words.some(({ clause }) => clause === 'limit')) +
    count(({ word, clause }) => word === 'join' && clause === 'from') +
    commas('from') +
    count(placed => (placed.word === 'or' || likes.has(placed.word)) && inConditions(placed))
  const connectives = count(({ word, clause }) => clause === 'where' && (word === 'and' || word === 'or'))
  const betweens = count(({ word, clause }) => clause === 'where' && word === 'between')
  const several = [
    count(({ word, isCall }) => isCall && aggregates.has(word)) > 1,
    commas('select') > 0,
    connectives > betweens,
    commas('group') > 0,
  ].filter(Boolean).length
  return { clauses, nested, several }
}

const likes: ReadonlySet<string> = new Set(['like', 'ilike', 'glob', 'regexp', 'rlike'])

const aggregates: ReadonlySet<string> = new Set(['count', 'sum', 'avg', 'min', 'max'])

const combiners: ReadonlySet<string> = new Set(['union', 'intersect', 'except', 'minus'])

/** What begins a clause outside brackets, and the clause that it begins. */
const clauseStarts: ReadonlyMap<string, string> = new Map([
  ['select', 'select'],
  ['from', 'from'],
  ['where', 'where'],
  ['group', 'group'],
  ['having', 'having'],
  ['order', 'order'],
  ['limit', 'limit'],
  ['fetch', 'limit'],
  ['top', 'limit'],
])

/** What a pair of brackets holds: a SELECT of its own, the whole statement, or anything else. */
type Bracket = 'query' | 'statement' | 'other'

/** Splits off what stands in a SELECT of its own: each of these, and each set operation, is one thing nested. */
const readOutermost = (
  tokens: readonly SqlToken[],
): { readonly words: readonly PositionedWord[]; readonly nested: number } => {
  const words: PositionedWord[] = []
  const brackets: Bracket[] = []
  let nested = 0
  let clause = ''
  let isCombined = false
  for (const [index, { kind, value }] of tokens.entries()) {
    const word = kind === 'word' || kind === 'symbol' ? value : ''
    const next = tokens[index + 1]?.value
    if (word === '(') {
      const bracket = bracketAt(next, words.length === 0)
      // What is combined with the first SELECT counts as one thing, whatever is in it.
      if (bracket === 'query' && !isCombined) nested += 1
      brackets.push(bracket)
    } else if (word === ')') {
      brackets.pop()
    } else if (!brackets.includes('query')) {
      if (combiners.has(word)) {
        nested += 1
        isCombined = true
      }
      if (isCombined) continue
      const depth = brackets.filter(bracket => bracket === 'other').length
      const beginning = depth === 0 ? clauseStarts.get(word) : undefined
      if (beginning !== undefined) clause = beginning
      words.push({ word, clause, depth, isCall: next === '(' })
    }
  }
  return { words, nested }
}

const bracketAt = (next: string | undefined, isFirst: boolean): Bracket => {
  if (isFirst) return 'statement'
  return next === 'select' || next === 'with' ? 'query' : 'other'
}
