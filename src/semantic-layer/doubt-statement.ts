import { type Interpretation, MOST_WITHOUT_A_WORD } from '../domain/interpretation.ts'
import type { MeantPhrase, PhraseMeaning } from '../domain/metrics/meant-phrase.ts'
import type { MetricReading } from '../domain/metrics/metric-reading.ts'
import type { ParseDialect } from '../domain/sql.ts'
import { isComparingWord } from '../lib/lexicon/light-words.ts'
import { sqlReferences } from '../sql/analyze/sql-scopes.ts'
import type { LayerIndex } from './compile/layer-index.ts'
import { areShared } from './interpret/finish/layer-facts.ts'
import type { PreparedLayer } from './read-metric-question.ts'

/** Odds below which nothing is shown. */
const NOTHING_SHOWN = 0.2

const lossWords: ReadonlySet<string> = new Set(
  'lose loses losing lost miss missed missing avoid avoided skip skipped waste wasted fail failed failing'.split(
    ' ',
  ),
)

/**
 * How likely a reading can be at most that leaves out words. "Did we lose customers" is no question about new ones, and a
 * list of all stores does not say which of them are underperforming.
 */
export const mostWithoutWords = (
  text: string,
  { unused, sql }: Pick<Interpretation, 'unused' | 'sql'>,
): number =>
  unused.some(
    word =>
      lossWords.has(word.toLowerCase()) ||
      tellingWords.has(word.toLowerCase()) ||
      isComparingWord(word) ||
      isAveraged(text, word),
  ) ||
  ((whichPattern.test(text) || howPattern.test(text)) && listsAll(sql))
    ? NOTHING_SHOWN
    : MOST_WITHOUT_A_WORD

/** What is asked for is told by these: orders are no late orders, and a list is not the best of it. */
const tellingWords: ReadonlySet<string> = new Set(
  'late early delayed overdue best worst top bottom good bad split breakdown distribution percentage share'.split(
    ' ',
  ),
)

/** "The average age of our tickets" is no average of anything else. */
const isAveraged = (text: string, word: string): boolean =>
  /\p{L}{3}/u.test(word) &&
  new RegExp(`\\b(?:average|mean|median|typical) ${word.replaceAll(/\W/g, '\\$&')}\\b`, 'i').test(text)

const whichPattern =
  /^\s*(?:which (?:of )?(?:our |the )?\p{L}+ (?:is|are|was|were|need|needs)|what (?:are|do|did|is|does) (?:people|we|they|our \p{L}+|\p{L}+s) \p{L}+)\b/iu

/** "How fast do we answer tickets", "how old are our customers": one figure, and no list of all. */
const howPattern = /^\s*how (?!many|much)\p{L}+ (?:are|is|do|does|did|was|were) (?:our|we|the)\b/iu

const listsAll = (sql: string): boolean => !/\(|\b(?:DISTINCT|WHERE|LIMIT|GROUP BY|JOIN)\b/i.test(sql)

/** What a statement of the parser is held against. */
interface DoubtContext {
  readonly text: string
  readonly measured: readonly MetricReading[]
  /** What the question's words mean, where the layer reads all of them; else none. */
  readonly phrases: readonly MeantPhrase[]
  readonly dialect: ParseDialect
  readonly prepared: Pick<PreparedLayer, 'layer' | 'index'>
}

/** Whether a statement that the parser made of tables and columns cannot be meant, going by the semantic layer. */
export const isDoubtful = (
  sql: string,
  { text, measured, phrases, dialect, prepared: { layer, index } }: DoubtContext,
): boolean =>
  missesNamed(sql, { phrases, measured, dialect }) ||
  givesAllToEach(sql, index) ||
  isTotalOfWhich(text, sql) ||
  (howPattern.test(text) && listsAll(sql)) ||
  isOneOfSeveral(text, sql) ||
  missesRank(sql, measured) ||
  ranksSingleRows(sql, index) ||
  asksForValue(text, sql) ||
  missesDefinition(sql, { text, measured, layer })

/** Words that surely mean a figure or a column: below this they may as well mean something else. */
const SURELY_MEANT = 0.95

/**
 * "Average discount per order" is no mean of anything else, and the price of a tent no other number, where the layer reads
 * every word and knows the discount, or reads the price itself.
 */
const missesNamed = (
  sql: string,
  { phrases, measured: [best], dialect }: Pick<DoubtContext, 'phrases' | 'measured' | 'dialect'>,
): boolean => {
  const named = phrases.filter(
    ({ quality, meanings }) =>
      quality >= SURELY_MEANT &&
      (meanings[0]?.kind === 'metric' || meanings[0]?.kind === 'dimension') &&
      meanings.every(({ columns }) => columns.length > 0),
  )
  if (named.length === 0) return false
  const columnsOf = (statement: string): ReadonlySet<string> | null => {
    const references = sqlReferences(statement, dialect)
    return references && new Set(references.columns.map(({ column }) => column.toLowerCase()))
  }
  const read = columnsOf(sql)
  const readByLayer = best && columnsOf(best.sql)
  const isRead = ({ columns }: PhraseMeaning, by: ReadonlySet<string> | null | undefined): boolean =>
    columns.every(column => by?.has(column.toLowerCase()))
  return (
    read !== null &&
    named.some(
      ({ meanings }) =>
        meanings.every(meaning => !isRead(meaning, read)) &&
        (meanings[0]?.kind === 'metric' || meanings.some(meaning => isRead(meaning, readByLayer))),
    )
  )
}

/** Whether it groups by people the rows that they share, such as orders of a store by its employees. */
const givesAllToEach = (sql: string, index: LayerIndex): boolean => {
  const [, from] = /\sFROM\s+(?:[`"]?\w+[`"]?\.)*[`"]?(\w+)/i.exec(sql) ?? []
  const [, by] = /\sGROUP BY\s+(?:[`"]?\w+[`"]?\.)*?[`"]?(\w+)[`"]?\.[`"]?\w+[`"]?(?:\s|,|$)/i.exec(sql) ?? []
  const modelOf = (table: string | undefined) =>
    [...index.models.values()].find(one => one.table.name === table)?.model
  const [base, person] = [modelOf(from), modelOf(by)]
  return base !== undefined && person !== undefined && areShared(base, person, { index })
}

/** "Which products need reordering" is answered by no total. */
const isTotalOfWhich = (text: string, sql: string): boolean =>
  /^\s*which\b/i.test(text) &&
  /^\s*SELECT (?:SUM|AVG|COUNT)\([^()]*\)(?: AS \S+)? FROM (?!.*\bGROUP BY\b)/is.test(sql)

/** "Which products have the worst reviews" asks for several, and for none by a single row of another table. */
const isOneOfSeveral = (text: string, sql: string): boolean =>
  /^\s*which (?:of our |of the )?\p{L}+[^s\W]s (?:have|are|had|were)\b/iu.test(text) &&
  /\bJOIN\b(?!.*\bGROUP BY\b).*\bLIMIT 1\s*$/is.test(sql)

/** "Which employees have been with us the longest" is no list of all of them, where the layer ranks and reads every word. */
const missesRank = (sql: string, [best]: readonly MetricReading[]): boolean =>
  best !== undefined &&
  best.unused.length === 0 &&
  best.meaning.query.limit !== null &&
  best.meaning.query.order.length > 0 &&
  listsAll(sql) &&
  !/\bORDER BY\b/i.test(sql)

/** "Which suppliers do we buy the most from": nobody ranks rows by how many of each there are, which is one. */
const ranksSingleRows = (sql: string, index: LayerIndex): boolean => {
  const [, table, by = ''] =
    /\sFROM\s+(?:[`"]?\w+[`"]?\.)*[`"]?(\w+)[`"]?(?:\s+WHERE\s.*)?\s+GROUP BY\s+(.+?)\s+ORDER BY\s+COUNT\(\*\)/is.exec(
      sql,
    ) ?? []
  const model = [...index.models.values()].find(one => one.table.name === table)?.model
  const names = new Set(model?.nameDimensions.map(name => name.toLowerCase()))
  const said = by.split(',').map(
    one =>
      one
        .replaceAll(/[`"\s]/g, '')
        .split('.')
        .at(-1)
        ?.toLowerCase() ?? '',
  )
  return !/\bJOIN\b/i.test(sql) && names.size > 0 && said.every(name => names.has(name))
}

/** "Which features are used the most": none of them is the value "missing features" of something else. */
const asksForValue = (text: string, sql: string): boolean => {
  const noun = /^\s*(?:which|what) (\p{Ll}{3,}s)\b/u.exec(text)?.[1]
  return noun !== undefined && new RegExp(`'(?:[^']+ ${noun}|${noun} [^']+)'`, 'i').test(sql)
}

/** Behind the best, in points of their scores. */
const CLEARLY_WORSE = 0.5

/** "Average order value" is the metric of that name, and a mean of all orders where the layer reads it so at second best. */
const missesDefinition = (
  sql: string,
  {
    text,
    measured: [best, ...others],
    layer,
  }: {
    readonly text: string
    readonly measured: readonly MetricReading[]
    readonly layer: PreparedLayer['layer']
  },
): boolean => {
  const names = best?.meaning.query.metrics.flatMap(use => (use.kind === 'named' ? [use.metric] : [])) ?? []
  const isNamed = layer.metrics.some(
    ({ name, status, label }) =>
      status === 'accepted' &&
      names.includes(name) &&
      label.includes(' ') &&
      text.toLowerCase().includes(label.toLowerCase()),
  )
  const twin = others.find(one => bareStatement(one.sql) === bareStatement(sql))
  return best !== undefined && isNamed && twin !== undefined && best.score - twin.score > CLEARLY_WORSE
}

/**
 * A statement without the names of its columns, with the sides of each key in one order, and without its order where
 * that does not choose the rows.
 */
export const bareStatement = (sql: string): string => {
  const flat = sql
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ AS [`"\w]+/g, '')
    .replaceAll(/([`"\w]+\.[`"\w]+) = ([`"\w]+\.[`"\w]+)/g, (_, a: string, b: string) =>
      [a, b].toSorted().join(' = '),
    )
  return / limit /i.test(flat) ? flat : flat.replace(/ ORDER BY [^()]*$/, '')
}
