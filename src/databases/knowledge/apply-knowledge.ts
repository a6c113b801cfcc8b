import type { Catalog, DescriptionSource, ForeignKey } from '../../core/catalog.ts'
import type { Description, Knowledge } from '../../core/knowledge.ts'
import { nameTables } from '../catalog/name-tables.ts'

/**
 * The catalog with the team's words: their descriptions in place of the database's comments, generated ones where
 * there is no other, other names in front of both, and the joins that they prefer.
 */
export const applyKnowledge = (catalog: Catalog, { descriptions, joins }: Knowledge): Catalog => {
  if (descriptions.length === 0 && joins.length === 0) return catalog
  const names = nameTables(catalog)
  const byPlace = new Map<string, Description[]>()
  for (const description of descriptions) {
    const key = columnKey(description.table, description.column)
    byPlace.set(key, [...(byPlace.get(key) ?? []), description])
  }
  const tables = catalog.tables.map(table => {
    const name = names.get(table) ?? table.name
    return {
      ...describe(table, byPlace.get(columnKey(name, null)) ?? []),
      columns: table.columns.map(column => describe(column, byPlace.get(columnKey(name, column.name)) ?? [])),
    }
  })
  return { ...catalog, tables, foreignKeys: withJoins(catalog.foreignKeys, joins) }
}

const columnKey = (table: string, column: string | null): string => JSON.stringify([table, column])

interface Described {
  readonly comment: string | null
  readonly commentSource?: DescriptionSource
  readonly synonyms?: readonly string[]
}

const describe = <Thing extends Described>(thing: Thing, descriptions: readonly Description[]): Thing => {
  if (descriptions.length === 0) return thing
  const words = (source: Description['source']): string | undefined =>
    descriptions
      .filter(one => one.source === source)
      .map(({ text }) => text)
      .filter(text => text !== '')
      .join(' ') || undefined
  const own = words('knowledge')
  const comment = own ?? thing.comment ?? words('generated') ?? null
  const source = own !== undefined ? 'knowledge' : thing.comment !== null ? 'database' : 'generated'
  const synonyms = [...new Set(descriptions.flatMap(one => one.synonyms))]
  return {
    ...thing,
    comment: withSynonyms(comment, synonyms),
    commentSource: comment === null ? 'knowledge' : source,
    ...(synonyms.length > 0 && { synonyms }),
  }
}

/** Other names come first: what a comment begins with counts as much as a name does. */
const withSynonyms = (comment: string | null, synonyms: readonly string[]): string | null => {
  if (synonyms.length === 0) return comment
  return comment === null ? synonyms.join(', ') : `${synonyms.join(', ')}: ${comment}`
}

/** A preferred join takes the place of every other key between the same columns, or of a guess about its own. */
const withJoins = (keys: readonly ForeignKey[], joins: Knowledge['joins']): readonly ForeignKey[] => {
  const added = joins.map(({ from, to }): ForeignKey => ({ from, to, source: 'knowledge', inclusion: null }))
  const sides = ({ from, to }: Pick<ForeignKey, 'from' | 'to'>): string =>
    [JSON.stringify(from), JSON.stringify(to)].sort().join()
  const taken = new Set(added.map(sides))
  const referring = new Set(added.map(({ from }) => JSON.stringify(from)))
  const kept = keys.filter(
    key => !taken.has(sides(key)) && !(key.source === 'derived' && referring.has(JSON.stringify(key.from))),
  )
  return [...kept, ...added]
}
