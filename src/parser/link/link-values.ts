import type { ValueMatch } from '../../domain/question-context.ts'
import { foldText } from '../../lib/fold-text.ts'
import { codeValues } from '../../lib/lexicon/value-forms.ts'
import { stemWord } from '../../lib/stem-word.ts'
import { functionWords } from '../lexicon.ts'
import { type Features, weightedScore } from '../rank/model.ts'
import type { ColumnEntry } from '../schema/schema-index.ts'
import type { Token } from '../tokenize.ts'
import type { LinkContext, LinkedSpanOf, TableMention } from './linked-span.ts'

const LONGEST_VALUE = 6

const MATCHES_PER_SPAN = 12

const VALUES_PER_SPAN = 6

const FEW_VALUES = 6

/** Spans that name a value of the database: the same text apart from case, accents and endings, or a part of it. */
export const linkValues = (
  context: LinkContext,
  text: string,
  mentions: readonly TableMention[],
): readonly LinkedSpanOf<'value'>[] => {
  const { tokens, schema, findValues, weights } = context
  const columnOf = new Map(
    schema.columns.map(column => [`${column.table.table.name} ${column.column.name}`, column]),
  )
  const items: LinkedSpanOf<'value'>[] = []
  for (let start = 0; start < tokens.length; start++) {
    for (let end = start + 1; end <= Math.min(tokens.length, start + LONGEST_VALUE); end++) {
      if (!mayBeValue(tokens, start, end)) continue
      const keyword = keywordOf(tokens, start, end, text)
      const found: LinkedSpanOf<'value'>[] = []
      const add = (
        column: ColumnEntry,
        value: string | number | boolean,
        likeness: Likeness,
        byTerm: boolean,
      ) => {
        if (found.some(item => item.column === column && item.value === value)) return
        const features = valueFeatures(context, [start, end], column, likeness, mentions)
        const score = weightedScore(features, weights)
        found.push({ kind: 'value', column, value, start, end, features, score, byTerm })
      }
      for (const match of findValues(keyword, { limit: MATCHES_PER_SPAN })) {
        const column = columnOf.get(`${match.table} ${match.column}`)
        if (!column) continue
        // A value of the team's glossary need not resemble the word.
        const byTerm = match.term !== undefined
        const likeness = byTerm ? 'same' : likenessOf(keyword, match.value)
        if (likeness) add(column, asStored(match, column), likeness, byTerm)
      }
      if (end === start + 1)
        for (const [column, value] of codes(context, tokens[start])) add(column, value, 'code', false)
      items.push(...found.sort((a, b) => b.score - a.score).slice(0, VALUES_PER_SPAN))
    }
  }
  return items
}

/** A term may stand for a number or a yes; everything else in the index is text. */
const asStored = ({ term, value }: ValueMatch, { column }: ColumnEntry): string | number | boolean => {
  if (term === undefined) return value
  if (column.kind === 'boolean' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  return column.kind === 'integer' || column.kind === 'number' ? Number(value) : value
}

type Likeness = 'same' | 'folded' | 'stemmed' | 'part' | 'code'

/** A value's span begins and ends with a content word, unless it is quoted or capitalized. */
const mayBeValue = (tokens: readonly Token[], start: number, end: number): boolean => {
  const first = tokens[start]
  const last = tokens[end - 1]
  if (!first || !last) return false
  if (first.kind === 'quoted' || last.kind === 'quoted') return end === start + 1
  if (first.kind === 'mark' || last.kind === 'mark') return false
  if (first.kind === 'number' && end === start + 1) return false
  const weak = (token: Token): boolean => functionWords.has(token.folded) && !isCapital(token)
  return !weak(first) && !(weak(last) && end > start + 1)
}

const isCapital = (token: Token): boolean => /^\p{Lu}/u.test(token.text)

const keywordOf = (tokens: readonly Token[], start: number, end: number, text: string): string => {
  const first = tokens[start]
  const last = tokens[end - 1]
  if (!first || !last) return ''
  return end === start + 1 ? first.text : text.slice(first.at[0], last.at[1])
}

const likenessOf = (keyword: string, value: string): Likeness | null => {
  if (keyword === value) return 'same'
  const a = foldText(keyword).trim()
  const b = foldText(value).trim()
  if (a === b) return 'folded'
  const stemsA = stemsOf(a)
  const stemsB = stemsOf(b)
  if (stemsA.join(' ') === stemsB.join(' ')) return 'stemmed'
  if (a.replaceAll(' ', '') === b.replaceAll(' ', '')) return 'stemmed'
  const inside = ` ${stemsB.join(' ')} `.includes(` ${stemsA.join(' ')} `)
  return inside && stemsA.length > 0 && stemsB.length <= stemsA.length + 3 ? 'part' : null
}

const stemsOf = (folded: string): readonly string[] => (folded.match(/[\p{L}\p{N}]+/gu) ?? []).map(stemWord)

/** Columns with few values, one of which is a common abbreviation of the word. */
const codes = (
  { schema }: LinkContext,
  token: Token | undefined,
): readonly (readonly [ColumnEntry, string | number | boolean])[] => {
  const forms = token && (codeValues.get(token.folded) ?? codeValues.get(token.stem))
  if (!forms) return []
  return schema.columns.flatMap(column => {
    const profile = column.column.profile
    if (!profile || profile.distinctCount > FEW_VALUES) return []
    const values = profile.mostFrequent.map(entry => entry.value)
    const value = values.find(one => typeof one === 'string' && forms.includes(one.toLowerCase()))
    return typeof value === 'string' && value.length <= 6 ? [[column, value] as const] : []
  })
}

const valueFeatures = (
  context: LinkContext,
  [start, end]: readonly [number, number],
  column: ColumnEntry,
  likeness: Likeness,
  mentions: readonly TableMention[],
): Features => {
  const tokens = context.tokens.slice(start, end)
  const first = tokens[0]
  const quoted = first?.kind === 'quoted'
  const capital = !quoted && start > 0 && tokens.every(token => isCapital(token) || token.kind === 'number')
  const namesSchema = tokens.every((_, index) =>
    [...(context.matches[start + index]?.values() ?? [])].some(match => match.how === 'same'),
  )
  return [
    [`val.${likeness}`, 1],
    ['val.tokens', end - start - 1],
    ['val.quoted', quoted ? 1 : 0],
    ['val.capital', capital ? 1 : 0],
    ['val.plain', quoted || capital ? 0 : 1],
    ['val.namesSchema', namesSchema ? 1 : 0],
    ['val.tableNamed', mentions[column.table.id]?.strength ?? 0],
    ['val.inName', column.traits.name ? 1 : 0],
    ['val.inKey', column.traits.key ? 1 : 0],
  ]
}
