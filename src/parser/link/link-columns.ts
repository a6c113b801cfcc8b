import { type Features, weightedScore } from '../rank/model.ts'
import type { ColumnEntry } from '../schema/schema-index.ts'
import type { LinkContext, LinkedSpanOf, TableMention } from './linked-span.ts'
import { isContentSpan, LONGEST_NAME_SPAN, matchSpan, type NameMatch } from './match-names.ts'

const COLUMNS_PER_SPAN = 8

const MIN_MATCH_STRENGTH = 0.2

/** Spans that name a column, completely or in part, by its name or by words of its comment. */
export const linkColumns = (
  context: LinkContext,
  mentions: readonly TableMention[],
): readonly LinkedSpanOf<'column'>[] => {
  const { tokens, weights } = context
  const items: LinkedSpanOf<'column'>[] = []
  const soon = tablesNamedNext(tokens.length, mentions)
  for (let start = 0; start < tokens.length; start++) {
    for (let end = start + 1; end <= Math.min(tokens.length, start + LONGEST_NAME_SPAN); end++) {
      const found: LinkedSpanOf<'column'>[] = []
      for (const [column, match] of columnsOn(context, start, end)) {
        const features = columnFeatures(match, column, mentions[column.table.id], soon[end] ?? new Set())
        found.push({ kind: 'column', column, start, end, features, score: weightedScore(features, weights) })
      }
      items.push(...found.sort((a, b) => b.score - a.score).slice(0, COLUMNS_PER_SPAN))
    }
    items.push(...linkSharedNoun(context, mentions, start))
  }
  return items
}

/** For each position, the tables that the next few tokens name: "names *of the teachers*". */
const tablesNamedNext = (length: number, mentions: readonly TableMention[]): readonly ReadonlySet<number>[] =>
  Array.from(
    { length: length + 1 },
    (_, end) =>
      new Set(
        mentions.flatMap((mention, table) =>
          mention.at.some(at => at >= end && at <= end + 3) ? [table] : [],
        ),
      ),
  )

type Match = NameMatch & { readonly inComment: boolean; readonly opens: boolean }

const columnsOn = (
  context: LinkContext,
  start: number,
  end: number,
): readonly (readonly [ColumnEntry, Match])[] => {
  const { tokens, matches, schema } = context
  const content = tokens.slice(start, end).some(isContentSpan)
  const near = new Set(
    [start, end - 1].flatMap(at =>
      [...(matches[at]?.keys() ?? [])].flatMap(stem => [
        ...(schema.columnsByStem.get(stem) ?? []),
        ...(schema.tablesByStem.get(stem) ?? []).flatMap(table => table.columns),
      ]),
    ),
  )
  const found: (readonly [ColumnEntry, Match])[] = []
  const byName = new Set<ColumnEntry>()
  for (const column of near) {
    const match = matchSpan(tokens, matches, [start, end], column.words, column.table.words)
    if (!match || match.strength * match.coverage < MIN_MATCH_STRENGTH) continue
    if (!content && (match.coverage < 1 || match.related + match.similar > 0)) continue
    byName.add(column)
    found.push([column, { ...match, inComment: false, opens: false }])
  }
  if (end - start <= 3 && isContentSpan(tokens[start]) && tokens[end - 1]?.kind === 'word') {
    for (const column of schema.columns) {
      const place = byName.has(column) ? -1 : findInComment(column.commentStems, context, start, end)
      if (place === -1 || (place > 0 && !isContentSpan(tokens[end - 1]))) continue
      const matched = end - start
      const match = { coverage: 1, strength: 1, matched, related: 0, similar: 0, loose: 0, onContext: 0 }
      found.push([column, { ...match, inComment: true, opens: place === 0 }])
    }
  }
  return found
}

/** The position in a comment where the words of the span follow each other; -1 if nowhere. */
const findInComment = (
  comment: readonly string[],
  { tokens }: LinkContext,
  start: number,
  end: number,
): number =>
  comment.findIndex((_, at) =>
    tokens.slice(start, end).every((token, index) => comment[at + index] === token.stem),
  )

const columnFeatures = (
  match: Match,
  column: ColumnEntry,
  mention: TableMention | undefined,
  tablesSoon: ReadonlySet<number>,
): Features => {
  if (match.inComment) {
    return [
      ['col.comment', 1],
      ['col.commentOpens', match.opens ? 1 : 0],
      ['col.tokens', match.matched - 1],
      ['col.tableNamed', mention?.strength ?? 0],
    ]
  }
  const exact = match.coverage === 1 && match.related + match.similar + match.loose === 0
  const soon = tablesSoon.has(column.table.id)
  return [
    ['col', 1],
    ['col.exact', exact ? 1 : 0],
    ['col.missed', 1 - match.coverage],
    ['col.tokens', match.matched - 1],
    ['col.related', match.related],
    ['col.similar', match.similar],
    ['col.loose', match.loose],
    ['col.withTable', match.onContext > 0 ? 1 : 0],
    ['col.tableNamed', mention?.strength ?? 0],
    ['col.tableSoon', soon ? 1 : 0],
    ['col.otherTableSoon', !soon && tablesSoon.size > 0 ? 1 : 0],
    ['col.foreign', column.traits.foreign ? 1 : 0],
  ]
}

/** "First and last name": the first word shares the noun of the second. */
const linkSharedNoun = (
  context: LinkContext,
  mentions: readonly TableMention[],
  start: number,
): readonly LinkedSpanOf<'column'>[] => {
  const { tokens, matches, weights, schema } = context
  const link = tokens[start + 1]?.folded
  if (link !== 'and' && link !== 'or' && link !== ',' && link !== '&') return []
  const found: LinkedSpanOf<'column'>[] = []
  for (let head = start + 3; head <= Math.min(tokens.length - 1, start + 6); head++) {
    const pair = [tokens[start], tokens[head]].flatMap(token => token ?? [])
    const pairMatches = [matches[start] ?? new Map(), matches[head] ?? new Map()]
    const near = new Set(
      [...(matches[start]?.keys() ?? [])].flatMap(stem => schema.columnsByStem.get(stem) ?? []),
    )
    for (const column of near) {
      const match = matchSpan(pair, pairMatches, [0, 2], column.words, column.table.words)
      if (
        !match ||
        match.coverage < 0.75 ||
        match.related + match.similar + match.onContext + match.loose > 0
      )
        continue
      const features: Features = [
        ...columnFeatures(
          { ...match, inComment: false, opens: false },
          column,
          mentions[column.table.id],
          new Set(),
        ),
        ['col.sharedHead', 1],
      ]
      found.push({
        kind: 'column',
        column,
        start,
        end: start + 1,
        features,
        score: weightedScore(features, weights),
      })
    }
    if (found.length > 0) break
  }
  return found.slice(0, COLUMNS_PER_SPAN)
}
