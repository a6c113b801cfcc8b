import { distance } from 'fastest-levenshtein'
import { type Catalog, nameTables } from '../../domain/catalog.ts'
import type { Knowledge, KnowledgeLocation, KnowledgeProblem } from '../../domain/knowledge.ts'

/** The part of a team's knowledge that fits a database, and the problems with the rest. */
interface CheckedKnowledge {
  readonly knowledge: Knowledge
  readonly problems: readonly KnowledgeProblem[]
}

/**
 * Checks knowledge against a catalog: every table and column that it names must exist. Anything else is left out
 * and reported with the nearest name. In `sql`, every `table.column` outside quotes counts as a name.
 */
export const checkKnowledge = (knowledge: Knowledge, catalog: Catalog): CheckedKnowledge => {
  const names = nameTables(catalog)
  const tables = new Map(
    catalog.tables.map(table => [
      names.get(table) ?? table.name,
      new Set(table.columns.map(column => column.name)),
    ]),
  )
  const problems: KnowledgeProblem[] = []

  const hasTable = (table: string, at: KnowledgeLocation): boolean => {
    if (tables.has(table)) return true
    problems.push({ at, message: `there is no table ${table}${nearest(table, [...tables.keys()])}` })
    return false
  }
  const hasColumn = (table: string, column: string, at: KnowledgeLocation): boolean => {
    if (!hasTable(table, at)) return false
    const columns = tables.get(table) ?? new Set()
    if (columns.has(column)) return true
    problems.push({
      at,
      message: `the table ${table} has no column ${column}${nearest(column, [...columns])}`,
    })
    return false
  }
  const hasAll = (references: readonly string[], at: KnowledgeLocation): boolean =>
    references
      .map(reference => {
        const [, table = '', column = ''] = /^(.*)\.([^.]+)$/.exec(reference) ?? []
        if (table !== '') return hasColumn(table, column, at)
        problems.push({ at, message: `write a column as table.column; ${reference} is not` })
        return false
      })
      .every(Boolean)

  const checked: Knowledge = {
    terms: knowledge.terms.filter(term =>
      hasAll([...columnsInSql(term.sql ?? ''), ...term.columns], term.at),
    ),
    rules: knowledge.rules,
    descriptions: knowledge.descriptions.filter(({ table, column, at }) =>
      column === null ? hasTable(table, at) : hasColumn(table, column, at),
    ),
    joins: knowledge.joins.filter(({ from, to, at }) =>
      [from, to]
        .flatMap(side => side.columns.map(column => hasColumn(side.table, column, at)))
        .every(Boolean),
    ),
  }
  return { knowledge: checked, problems }
}

/** Every `table.column` of an expression, outside of quoted texts; functions with a schema do not count. */
export const columnsInSql = (sql: string): readonly string[] => [
  ...new Set(
    [...sql.replace(/'(?:[^']|'')*'/g, "''").matchAll(/[a-z_]\w*(?:\.[a-z_]\w*)+(?!\w|\s*\()/gi)].map(
      ([reference]) => reference,
    ),
  ),
]

const nearest = (name: string, known: readonly string[]): string => {
  const [best] = known
    .map(one => ({ one, edits: distance(one.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  return best && best.edits <= Math.max(2, name.length / 3) ? `; did you mean ${best.one}?` : ''
}
