import { type Features, weightedScore } from '../rank/model.ts'
import type { TableEntry } from '../schema/schema-index.ts'
import type { LinkContext, LinkedSpan, LinkedSpanOf, TableMention } from './linked-span.ts'
import { isContentSpan, LONGEST_NAME_SPAN, matchSpan, type NameMatch } from './match-names.ts'

const TABLES_PER_SPAN = 4

const MIN_MATCH_STRENGTH = 0.3

/** Spans that name a table, completely or in part. */
export const linkTables = (context: LinkContext): readonly LinkedSpanOf<'table'>[] => {
  const { tokens, matches, schema, weights } = context
  const items: LinkedSpanOf<'table'>[] = []
  for (let start = 0; start < tokens.length; start++) {
    if (!isContentSpan(tokens[start])) continue
    for (let end = start + 1; end <= Math.min(tokens.length, start + LONGEST_NAME_SPAN); end++) {
      const found: LinkedSpanOf<'table'>[] = []
      for (const table of tablesNear(context, start)) {
        const match = matchSpan(tokens, matches, [start, end], table.words, [])
        if (!match || match.loose > 0 || match.strength * match.coverage < MIN_MATCH_STRENGTH) continue
        const features = tableFeatures(match)
        found.push({
          kind: 'table',
          table,
          calledBy: false,
          start,
          end,
          features,
          score: weightedScore(features, weights),
        })
      }
      items.push(...found.sort((a, b) => b.score - a.score).slice(0, TABLES_PER_SPAN))
    }
  }
  return items

  function tablesNear({ matches }: LinkContext, at: number): ReadonlySet<TableEntry> {
    return new Set([...(matches[at]?.keys() ?? [])].flatMap(stem => schema.tablesByStem.get(stem) ?? []))
  }
}

const tableFeatures = (match: NameMatch): Features => {
  const exact = match.coverage === 1 && match.related === 0 && match.similar === 0
  return [
    ['tab', 1],
    ['tab.exact', exact ? 1 : 0],
    ['tab.missed', 1 - match.coverage],
    ['tab.tokens', match.matched - 1],
    ['tab.related', match.related],
    ['tab.similar', match.similar],
  ]
}

/** The first words of a table's comment are another name for it ("People who work here"). */
const OPENING_WORDS = 3

/** Spans that match the first words of a table's comment. */
export const linkTableComments = ({
  tokens,
  schema,
  weights,
}: LinkContext): readonly LinkedSpanOf<'table'>[] =>
  tokens.flatMap((token, start) => {
    if (!isContentSpan(token) || token.kind !== 'word') return []
    return schema.tables.flatMap(table => {
      const opens = table.commentStems.slice(0, OPENING_WORDS).includes(token.stem)
      if (!opens || table.words.some(word => word.stems.includes(token.stem))) return []
      const features = [['tab.comment', 1]] as const
      const score = weightedScore(features, weights)
      return [{ kind: 'table', table, calledBy: false, start, end: start + 1, features, score } as const]
    })
  })

/** "Full name": stands for the first and last name of every table that has both. */
export const linkFullNames = (
  { tokens, schema, weights }: LinkContext,
  mentions: readonly TableMention[],
): readonly LinkedSpanOf<'table'>[] =>
  tokens.flatMap((token, start) => {
    if (token.folded !== 'full' || tokens[start + 1]?.stem !== 'name') return []
    return schema.tables.flatMap(table => {
      if (table.display.length < 2) return []
      const features = [
        ['tab.fullName', 1],
        ['tab.fullNameNamed', mentions[table.id]?.strength ?? 0],
      ] as const
      const score = weightedScore(features, weights)
      return [{ kind: 'table', table, calledBy: true, start, end: start + 2, features, score } as const]
    })
  })

/** How strongly the question names each table, by the table's id. */
export const tableMentions = (
  items: readonly LinkedSpanOf<'table'>[],
  tables: readonly TableEntry[],
): readonly TableMention[] =>
  tables.map(table => {
    const own = items.filter(item => item.table === table)
    return {
      strength: own.reduce((best, item) => Math.max(best, linkStrength(item)), 0),
      at: own.filter(item => linkStrength(item) > 0.6).map(item => item.start),
    }
  })

const linkStrength = (item: LinkedSpan): number => {
  const value = (name: string): number => item.features.find(feature => feature[0] === name)?.[1] ?? 0
  return (1 - value('tab.missed')) * (value('tab.related') + value('tab.similar') > 0 ? 0.6 : 1)
}
