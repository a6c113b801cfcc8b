import { type Features, scoreOf } from '../rank/features.ts'
import type { ColumnEntry } from '../schema/schema-index.ts'
import type { ItemOf } from './item.ts'
import type { LinkContext, TableMention } from './link-context.ts'
import { isContent, LONGEST_NAME_SPAN, matchSpan, type NameMatch } from './span-matches.ts'

const COLUMNS_PER_SPAN = 8
const WEAKEST = 0.2

/** Spans that name a column, wholly or in part, by its name or by words of its comment. */
export const linkColumns = (
  context: LinkContext,
  mentions: readonly TableMention[],
): readonly ItemOf<'column'>[] => {
  const { tokens, weights } = context
  const items: ItemOf<'column'>[] = []
  for (let start = 0; start < tokens.length; start++) {
    for (let end = start + 1; end <= Math.min(tokens.length, start + LONGEST_NAME_SPAN); end++) {
      const found: ItemOf<'column'>[] = []
      for (const [column, match] of columnsOn(context, start, end)) {
        const features = columnFeatures(match, column, mentions[column.table.id], end)
        found.push({ kind: 'column', column, start, end, features, score: scoreOf(features, weights) })
      }
      items.push(...found.sort((a, b) => b.score - a.score).slice(0, COLUMNS_PER_SPAN))
    }
  }
  return items
}

type Match = NameMatch & { readonly inComment: boolean }

const columnsOn = (
  context: LinkContext,
  start: number,
  end: number,
): readonly (readonly [ColumnEntry, Match])[] => {
  const { tokens, matches, schema } = context
  const content = tokens.slice(start, end).some(isContent)
  const near = new Set(
    [start, end - 1].flatMap(at =>
      [...(matches[at]?.keys() ?? [])].flatMap(stem => [
        ...(schema.columnsByStem.get(stem) ?? []),
        ...(schema.tablesByStem.get(stem) ?? []).flatMap(table => table.columns),
      ]),
    ),
  )
  const found: (readonly [ColumnEntry, Match])[] = []
  for (const column of near) {
    const match = matchSpan(tokens, matches, [start, end], column.words, column.table.words)
    if (!match || match.strength * match.coverage < WEAKEST) continue
    if (!content && (match.coverage < 1 || match.related + match.similar > 0)) continue
    found.push([column, { ...match, inComment: false }])
  }
  if (end - start <= 3 && isContent(tokens[start]) && isContent(tokens[end - 1])) {
    for (const column of schema.columns) {
      if (near.has(column) || !standsIn(column.commentStems, context, start, end)) continue
      const matched = end - start
      const match = { coverage: 1, strength: 1, matched, related: 0, similar: 0, onContext: 0 }
      found.push([column, { ...match, inComment: true }])
    }
  }
  return found
}

const standsIn = (comment: readonly string[], { tokens }: LinkContext, start: number, end: number): boolean =>
  comment.length > 0 &&
  comment.some((_, at) =>
    tokens.slice(start, end).every((token, index) => comment[at + index] === token.stem),
  )

const columnFeatures = (
  match: Match,
  column: ColumnEntry,
  mention: TableMention | undefined,
  end: number,
): Features => {
  if (match.inComment) {
    return [
      ['col.comment', 1],
      ['col.tokens', match.matched - 1],
      ['col.tableNamed', mention?.strength ?? 0],
    ]
  }
  const exact = match.coverage === 1 && match.related + match.similar === 0
  const soon = mention?.at.some(at => at >= end && at <= end + 3) ?? false
  return [
    ['col', 1],
    ['col.exact', exact ? 1 : 0],
    ['col.missed', 1 - match.coverage],
    ['col.tokens', match.matched - 1],
    ['col.related', match.related],
    ['col.similar', match.similar],
    ['col.withTable', match.onContext > 0 ? 1 : 0],
    ['col.tableNamed', mention?.strength ?? 0],
    ['col.tableSoon', soon ? 1 : 0],
    ['col.foreign', column.traits.foreign ? 1 : 0],
  ]
}
