import { DatabaseSync } from 'node:sqlite'
import type { Catalog, Column, ForeignKey, Table } from '../../src/domain/catalog.ts'
import type { FindValues, ValueMatch } from '../../src/domain/question-context.ts'
import type { Cell, ValueKind } from '../../src/domain/result.ts'
import type { Dialect } from '../../src/domain/sql.ts'

/** One column of the library: name, kind, and when it matters whether it may be null and what its comment says. */
type Spec = readonly [
  name: string,
  kind: ValueKind,
  options?: { optional?: true; comment?: string; type?: string },
]

const tables: Readonly<Record<string, { comment: string | null; columns: readonly Spec[] }>> = {
  branches: {
    comment: 'Houses of the library.',
    columns: [
      ['id', 'integer'],
      ['name', 'text'],
      ['district', 'text', { comment: 'Part of the town.' }],
      ['opened_on', 'date'],
    ],
  },
  authors: {
    comment: null,
    columns: [
      ['id', 'integer'],
      ['name', 'text'],
      ['nationality', 'text'],
      ['birth_year', 'integer'],
    ],
  },
  books: {
    comment: 'Titles that we hold.',
    columns: [
      ['id', 'integer'],
      ['title', 'text'],
      ['author_id', 'integer'],
      ['genre', 'text'],
      ['pages', 'integer'],
      ['price_cents', 'integer', { comment: 'What a new copy costs, in cents.' }],
      ['published_year', 'integer', { optional: true }],
    ],
  },
  members: {
    comment: 'People with a library card.',
    columns: [
      ['id', 'integer'],
      ['first_name', 'text'],
      ['last_name', 'text'],
      ['age', 'integer'],
      ['town', 'text'],
      ['joined_on', 'date'],
      ['email', 'text', { optional: true }],
    ],
  },
  loans: {
    comment: 'One row per book lent.',
    columns: [
      ['id', 'integer'],
      ['book_id', 'integer'],
      ['member_id', 'integer'],
      ['branch_id', 'integer'],
      ['lent_at', 'timestamp', { type: 'timestamptz', comment: 'When the book left the house.' }],
      ['returned_at', 'timestamp', { type: 'timestamptz', optional: true }],
      ['pickup_town', 'text'],
      ['delivery_town', 'text'],
      ['fine_cents', 'integer', { comment: 'Fine paid, our takings, in cents.' }],
    ],
  },
}

const keys: readonly (readonly [table: string, column: string, target: string])[] = [
  ['books', 'author_id', 'authors'],
  ['loans', 'book_id', 'books'],
  ['loans', 'member_id', 'members'],
  ['loans', 'branch_id', 'branches'],
]

/** Values that can be found, by table and column. */
const values: Readonly<Record<string, readonly string[]>> = {
  'branches.name': ['Old Mill', 'Harbour House'],
  'branches.district': ['North', 'South', 'Riverside'],
  'authors.nationality': ['Irish', 'Polish', 'Kenyan'],
  'books.genre': ['crime', 'poetry', 'history'],
  'books.title': ['The Quiet Valley', 'Nine Lanterns'],
  'members.town': ['Elmford', 'Stonebridge'],
  'loans.pickup_town': ['Elmford', 'Stonebridge'],
  'loans.delivery_town': ['Elmford', 'Stonebridge'],
}

const ranges: Readonly<Record<string, readonly [Cell, Cell]>> = {
  'books.published_year': [1890, 2026],
  'authors.birth_year': [1820, 2001],
  'books.pages': [40, 1200],
  'members.age': [6, 99],
}

const profiled = (table: string, [name, kind, options = {}]: Spec): Column => {
  const known = values[`${table}.${name}`]
  const range = ranges[`${table}.${name}`]
  return {
    name,
    type: options.type ?? kind,
    kind,
    nullable: options.optional ?? false,
    comment: options.comment ?? null,
    profile:
      known || range
        ? {
            nullShare: 0,
            distinctCount: known?.length ?? 100,
            min: range?.[0] ?? null,
            max: range?.[1] ?? null,
            mostFrequent: (known ?? range ?? []).map(value => ({ value, count: 1 })),
            meanLength: 8,
          }
        : null,
  }
}

/** A small library as a catalog, written for these tests. */
export const libraryCatalog = (dialect: Dialect): Catalog => ({
  dialect,
  tables: Object.entries(tables).map(
    ([name, { comment, columns }]): Table => ({
      schema: null,
      name,
      type: 'table',
      comment,
      rowCount: 100,
      columns: columns.map(column => profiled(name, column)),
      primaryKey: ['id'],
    }),
  ),
  foreignKeys: keys.map(
    ([table, column, target]): ForeignKey => ({
      from: { table, columns: [column] },
      to: { table: target, columns: ['id'] },
      source: 'declared',
      inclusion: null,
    }),
  ),
  fingerprint: `library-${dialect}`,
})

/** Finds the values above by the same words, whatever the case. */
export const findLibraryValues: FindValues = (keyword, { limit = 10 } = {}) =>
  Object.entries(values)
    .flatMap(([place, texts]): ValueMatch[] => {
      const [table = '', column = ''] = place.split('.')
      return texts
        .filter(text => text.toLowerCase() === keyword.toLowerCase())
        .map(value => ({ keyword, table, column, value, score: 1 }))
    })
    .slice(0, limit)

/** The library as an empty SQLite database, to see whether statements are understood. The caller closes it. */
export const emptyLibrary = (): DatabaseSync => {
  const db = new DatabaseSync(':memory:')
  for (const [name, { columns }] of Object.entries(tables)) {
    db.exec(`CREATE TABLE ${name} (${columns.map(([column]) => column).join(', ')})`)
  }
  return db
}

const postgresTypes: Readonly<Partial<Record<ValueKind, string>>> = {
  integer: 'integer',
  date: 'date',
  timestamp: 'timestamptz',
}

/** The library's tables as Postgres DDL, with its keys. */
export const libraryDdl = (): string =>
  Object.entries(tables)
    .map(([name, { columns }]) => {
      const parts = columns.map(([column, kind, options]) => {
        const key = column === 'id' ? ' primary key' : options?.optional ? '' : ' not null'
        return `${column} ${postgresTypes[kind] ?? 'text'}${key}`
      })
      return `create table ${name} (${parts.join(', ')});`
    })
    .join('\n')
