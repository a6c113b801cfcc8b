import { DatabaseSync } from 'node:sqlite'
import type { Catalog } from '../../src/domain/catalog.ts'
import { seededRandom } from '../../src/evaluation/statistics.ts'
import type { Company, CompanyColumn } from './company-file.ts'

const DAY = 24 * 60 * 60 * 1000

const DAYS_BACK = 900

/** So many of a table's last rows are pointed at by nobody: "customers who never ordered" has an answer. */
const POINTED_AT_BY_NOBODY = 3

/** Writes a company's tables with rows drawn from the seed, the newest of them on `today`, as a SQLite file. */
export const makeCompany = (company: Company, file: string, today: Date, seed: number): void => {
  const random = seededRandom(seed)
  const rowsOf = new Map(company.tables.map(table => [table.name, table.rows]))
  const below = (count: number): number => Math.floor(random() * count)
  const daysBack = (): string => new Date(today.getTime() - below(DAYS_BACK) * DAY).toISOString().slice(0, 10)

  const draw = (column: CompanyColumn, row: number): string | number | null => {
    const { from = 0, to = from + 1 } = column
    if (column.key) return row
    if (column.nullable && random() < 0.25) return null
    if (column.references)
      return 1 + below(Math.max(1, (rowsOf.get(column.references) ?? 0) - POINTED_AT_BY_NOBODY))
    if (column.values) return column.values[below(column.values.length)] ?? null
    switch (column.type) {
      case 'integer':
        return from + below(to - from + 1)
      case 'numeric':
        return Math.floor((from + random() * (to - from)) * 100) / 100
      case 'date':
        return daysBack()
      case 'timestamp':
      case 'timestamptz':
        return `${daysBack()} 10:00:00`
      case 'text':
        return `${column.name} ${below(50)}`
      default: {
        const never: never = column.type
        return never
      }
    }
  }

  const database = new DatabaseSync(file)
  // Nobody needs the file after a power cut, and a commit a row waits for the disk a thousand times.
  database.exec('pragma synchronous = off; begin')
  for (const { name, columns, rows } of company.tables) {
    database.exec(`create table ${name} (${columns.map(declaration).join(', ')})`)
    const insert = database.prepare(`insert into ${name} values (${columns.map(() => '?').join(', ')})`)
    for (let row = 1; row <= rows; row++) insert.run(...columns.map(column => draw(column, row)))
  }
  database.exec('commit')
  database.close()
}

const declaration = ({ name, type, key, references }: CompanyColumn): string =>
  `${name} ${type}${key ? ' primary key' : ''}${references ? ` references ${references}` : ''}`

/** The catalog with the company's comments, which SQLite has no place for. */
export const withComments = (catalog: Catalog, company: Company): Catalog => ({
  ...catalog,
  tables: catalog.tables.map(table => {
    const written = company.tables.find(({ name }) => name === table.name)
    const comments = new Map(written?.columns.map(column => [column.name, column.comment]))
    const columns = table.columns.map(column => ({ ...column, comment: comments.get(column.name) ?? null }))
    return { ...table, comment: written?.comment ?? null, columns }
  }),
})
