import type { Item } from './item.ts'

/**
 * Leaves out columns that hold a span only somewhere in their comment when the same span names a table, a column or
 * a value: comments mention much ("null when the order was cancelled") that they are not about. A comment that opens
 * with several words of the question stays: it is as good as a name. Words of a term of the team's glossary mean what
 * the glossary says, so no comment is heard within them ("1 urgent, 2 high" in "urgent tickets").
 */
export const dropWeakComments = (items: readonly Item[]): readonly Item[] => {
  const named = new Set(items.filter(isNaming).map(spanOf))
  const terms = items.filter(item => item.kind === 'value' && item.byTerm)
  return items.filter(
    item =>
      !isComment(item) ||
      (!terms.some(term => isWithin(item, term)) && (opensWithWords(item) || !named.has(spanOf(item)))),
  )
}

const isWithin = (inner: Item, outer: Item): boolean => outer.start <= inner.start && inner.end <= outer.end

const spanOf = (item: Item): string => `${item.start} ${item.end}`

const has = (item: Item, name: string): boolean =>
  item.features.some(feature => feature[0] === name && feature[1] > 0)

/** A name of which little is left unsaid. */
const LITTLE = 0.35

const misses = (item: Item, name: string): boolean =>
  (item.features.find(feature => feature[0] === name)?.[1] ?? 0) <= LITTLE

const isComment = (item: Item): boolean => item.kind === 'column' && has(item, 'col.comment')

const opensWithWords = (item: Item): boolean => has(item, 'col.commentOpens') && item.end - item.start > 1

const isNaming = (item: Item): boolean => {
  switch (item.kind) {
    case 'table':
      return (
        has(item, 'tab') &&
        !has(item, 'tab.related') &&
        !has(item, 'tab.similar') &&
        misses(item, 'tab.missed')
      )
    case 'column':
      return (
        has(item, 'col') &&
        !has(item, 'col.related') &&
        !has(item, 'col.similar') &&
        misses(item, 'col.missed')
      )
    case 'value':
      return !has(item, 'val.part')
    default:
      return false
  }
}
