import type { LinkedSpan } from './item.ts'

/**
 * Leaves out columns that hold a span only somewhere in their comment when the same span names a table, a column or
 * a value: comments mention much ("null when the order was cancelled") that they are not about. A comment that opens
 * with several words of the question stays: it is as good as a name. Words of a term of the team's glossary mean what
 * the glossary says, so no comment is heard within them ("1 urgent, 2 high" in "urgent tickets").
 */
export const dropWeakCommentMatches = (items: readonly LinkedSpan[]): readonly LinkedSpan[] => {
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

/** A name of which little is left unsaid. */
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
