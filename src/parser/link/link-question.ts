import { isNumberAsName } from '../../lib/lexicon/numbered-nouns.ts'
import { stemWord } from '../../lib/stem-word.ts'
import { cuePhrases } from '../lexicon.ts'
import { type Features, weightedScore } from '../rank/model.ts'
import { linkColumns } from './link-columns.ts'
import { linkFullNames, linkTableComments, linkTables, tableMentions } from './link-tables.ts'
import { linkValues } from './link-values.ts'
import type { LinkContext, LinkedSpan, LinkedSpanOf, TableMention } from './linked-span.ts'
import { matchStems } from './match-names.ts'

/** Everything that spans of a question may mean, by the token they start at. */
export interface Lattice {
  readonly startingAt: readonly (readonly LinkedSpan[])[]
  readonly mentions: readonly TableMention[]
}

/** Links every span of a question to tables, columns, values, literals and cues. */
export const linkQuestion = (context: LinkContext, text: string): Lattice => {
  const tables = linkTables(context)
  const mentions = tableMentions(tables, context.schema.tables)
  const items = dropWeakCommentMatches([
    ...linkCues(context),
    ...tables,
    ...linkTableComments(context),
    ...linkFullNames(context, mentions),
    ...linkColumns(context, mentions),
    ...linkValues(context, text, mentions),
    ...linkLiterals(context),
    ...linkAbsences(context, mentions),
  ])
  const startingAt: LinkedSpan[][] = context.tokens.map(() => [])
  for (const item of items) startingAt[item.start]?.push(item)
  return { startingAt, mentions }
}

/**
 * Drops columns with a span somewhere in their comment if the same span names a table, a column or a value: comments
 * mention much ("null when the order was cancelled") that they are not about. A comment that begins with several
 * words of the question stays, since it is as good as a name. Words of a glossary term mean what the glossary says,
 * so comments do not match within them ("1 urgent, 2 high" in "urgent tickets").
 */
const dropWeakCommentMatches = (items: readonly LinkedSpan[]): readonly LinkedSpan[] => {
  const named = new Set(items.filter(isNaming).map(spanOf))
  const terms = items.filter(item => item.kind === 'value' && item.byTerm)
  return items.filter(
    item =>
      !isComment(item) ||
      (!terms.some(term => isWithin(item, term)) && (opensWithWords(item) || !named.has(spanOf(item)))),
  )
}

const isWithin = (inner: LinkedSpan, outer: LinkedSpan): boolean =>
  outer.start <= inner.start && inner.end <= outer.end

const spanOf = (item: LinkedSpan): string => `${item.start} ${item.end}`

const hasFeature = (item: LinkedSpan, name: string): boolean =>
  item.features.some(feature => feature[0] === name && feature[1] > 0)

/** A name of which at most this share is not mentioned. */
const SMALL_REMAINDER = 0.35

const missingShare = (item: LinkedSpan, name: string): boolean =>
  (item.features.find(feature => feature[0] === name)?.[1] ?? 0) <= SMALL_REMAINDER

const isComment = (item: LinkedSpan): boolean => item.kind === 'column' && hasFeature(item, 'col.comment')

const opensWithWords = (item: LinkedSpan): boolean =>
  hasFeature(item, 'col.commentOpens') && item.end - item.start > 1

const isNaming = (item: LinkedSpan): boolean => {
  switch (item.kind) {
    case 'table':
      return (
        hasFeature(item, 'tab') &&
        !hasFeature(item, 'tab.related') &&
        !hasFeature(item, 'tab.similar') &&
        missingShare(item, 'tab.missed')
      )
    case 'column':
      return (
        hasFeature(item, 'col') &&
        !hasFeature(item, 'col.related') &&
        !hasFeature(item, 'col.similar') &&
        missingShare(item, 'col.missed')
      )
    case 'value':
      return !hasFeature(item, 'val.part')
    default:
      return false
  }
}

/** Numbers, quoted texts and periods. The search decides which column they belong to. */
const linkLiterals = ({ tokens, spans, weights }: LinkContext): readonly LinkedSpan[] => {
  const scored = (features: Features) => ({ features, score: weightedScore(features, weights) })
  const items: LinkedSpan[] = []
  for (const [start, token] of tokens.entries()) {
    const end = start + 1
    if (token.number !== null) {
      const written = token.kind === 'word' ? 'num.word' : 'num'
      items.push({
        kind: 'number',
        number: token.number,
        text: token.text,
        start,
        end,
        ...scored([[written, 1]]),
      })
    }
    if (token.kind === 'quoted' || (/^\p{Lu}/u.test(token.text) && start > 0) || /^[a-z]$/.test(token.text)) {
      const name = token.kind === 'quoted' ? 'text.quoted' : 'text.capital'
      items.push({ kind: 'text', text: token.text, start, end, ...scored([[name, 1]]) })
    }
  }
  for (const span of spans) {
    const start = tokens.findIndex(token => token.at[1] > span.at[0])
    const after = tokens.findIndex(token => token.at[0] >= span.at[1])
    const end = after === -1 ? tokens.length : after
    if (start === -1 || end <= start) continue
    const bare = /^(the year )?\d{4}$/.test(span.phrase)
    items.push({ kind: 'period', span, start, end, ...scored([[bare ? 'period.year' : 'period', 1]]) })
  }
  return items
}

/** Spans that say something about the shape of the query, by the cues of the lexicon. */
const linkCues = ({ tokens, weights }: LinkContext): readonly LinkedSpanOf<'cue'>[] =>
  tokens.flatMap((token, start) => {
    if (token.kind === 'quoted' || token.kind === 'number') return []
    return (cuePhrases.get(token.folded) ?? []).flatMap(({ words, cue }) => {
      const end = start + words.length
      if (words.some((word, index) => tokens[start + index]?.folded !== word)) return []
      if (isNumberAsName(tokens[start - 1]?.folded, words)) return []
      const features = [
        [`cue.${cue.kind}`, 1],
        ['cue.tokens', words.length - 1],
      ] as const
      return [{ kind: 'cue', cue, start, end, features, score: weightedScore(features, weights) } as const]
    })
  })

const SHORTEST_REST = 4

/** "Unpaid": a column that may be null and whose name has the rest of the word (`paid_on`). */
const linkAbsences = (
  { tokens, schema, weights }: LinkContext,
  mentions: readonly TableMention[],
): readonly LinkedSpanOf<'absence'>[] =>
  tokens.flatMap((token, start) => {
    const rest = token.folded.match(/^(?:un|non|in)(\p{L}+)$/u)?.[1] ?? ''
    if (rest.length < SHORTEST_REST) return []
    const stems = matchStems(stemWord(rest), schema.stems).filter(match => match.how !== 'related')
    const columns = stems.flatMap(match => schema.columnsByStem.get(match.stem) ?? [])
    return [...new Set(columns)].flatMap(column => {
      if (!column.column.nullable || column.traits.key) return []
      const features = [
        ['absence', 1],
        ['absence.moment', column.traits.moment ? 1 : 0],
        ['absence.tableNamed', mentions[column.table.id]?.strength ?? 0],
      ] as const
      const score = weightedScore(features, weights)
      return [{ kind: 'absence', column, start, end: start + 1, features, score } as const]
    })
  })
