import { type Catalog, type Column, nameTables } from '../../../src/domain/catalog.ts'
import type { LinkedSchema, RenderSchema } from '../../../src/domain/question-context.ts'

/**
 * A schema with what is known of its data (section 3.3.3): descriptions, example values and ranges, joins, and for each
 * column how many values differ and how many are missing. Nothing of it depends on the question.
 */
export const renderEnriched = (catalog: Catalog, linked: LinkedSchema, render: RenderSchema): string => {
  const statistics = describeStatistics(catalog, linked)
  return [
    render(catalog, linked),
    ...(statistics.length === 0 ? [] : ['## Statistics', statistics.join('\n')]),
  ].join('\n\n')
}

/** A schema of names, types and keys alone, as it is without metadata. */
export const renderBare = (catalog: Catalog, linked: LinkedSchema, render: RenderSchema): string => {
  const tables = catalog.tables.map(table => ({
    ...table,
    comment: null,
    rowCount: null,
    columns: table.columns.map(column => ({ ...column, comment: null, profile: null })),
  }))
  return render({ ...catalog, tables }, linked)
}

const describeStatistics = (catalog: Catalog, linked: LinkedSchema): readonly string[] => {
  const kept = new Map(linked.tables.map(({ table, keep }) => [table, keep]))
  return [...nameTables(catalog)].flatMap(([table, name]) => {
    const keep = kept.get(name)
    if (keep === undefined) return []
    const columns = table.columns.filter(column => keep === 'all' || keep.includes(column.name))
    const facts = columns.flatMap(describeCounts)
    return facts.length === 0 ? [] : [`- ${name}: ${facts.join('; ')}`]
  })
}

const describeCounts = ({ name, profile }: Column): readonly string[] => {
  if (profile === null) return []
  const missing = profile.nullShare === 0 ? '' : `, ${formatShare(profile.nullShare)} NULL`
  return [`${name} ${profile.distinctCount} distinct${missing}`]
}

const formatShare = (share: number): string => (share < 0.01 ? 'under 1 %' : `${Math.round(share * 100)} %`)
