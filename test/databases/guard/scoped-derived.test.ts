import { describe, expect, test } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { applyScope } from '../../../src/databases/guard/scope/apply-scope.ts'
import type { Catalog, Column, Table } from '../../../src/domain/catalog.ts'
import { makeColumn } from '../../helpers/make-column.ts'
import { fullScope } from './scope-catalog.ts'

const table = (name: string, columns: readonly (string | Column)[], rest: Partial<Table> = {}): Table => ({
  schema: null,
  name,
  type: 'table',
  comment: null,
  rowCount: null,
  columns: columns.map(column => (typeof column === 'string' ? makeColumn(column) : column)),
  primaryKey: [],
  ...rest,
})

const generated = (name: string, generatedFrom: string): Column => ({ ...makeColumn(name), generatedFrom })

/** A database of whose tables and functions some show what others hold. */
const catalog: Catalog = {
  dialect: 'duckdb',
  tables: [
    table('customers', [
      'id',
      'name',
      'email',
      'ssn',
      generated('shout', 'upper("name")'),
      generated('size', 'length(copy)'),
      generated('copy', 'lower(EMAIL)'),
      generated('masked_copy', "concat('x', ssn)"),
    ]),
    table('docs', ['title', 'secret'], { hiddenColumns: ['docs', 'rank'] }),
    table('open_docs', ['title'], { hiddenColumns: ['open_docs', 'rank'] }),
    table('words', ['term'], { definition: 'SELECT * FROM docs' }),
    table('open_words', ['term'], { definition: 'SELECT * FROM open_docs' }),
    table('unknown_words', ['term'], { definition: '' }),
    table('mails', ['m'], { type: 'view', definition: 'SELECT mail_of(id) AS m FROM customers' }),
    table('lowered', ['n'], { type: 'view', definition: 'SELECT lower(name) AS n FROM customers' }),
    table('raised', ['n'], { type: 'view', definition: 'SELECT upper(name) AS n FROM customers' }),
  ],
  functions: ['mail_of', 'Lower'],
  foreignKeys: [],
  fingerprint: 'test',
}

const { guard, introspect } = await applyScope(
  { introspect: async () => catalog, guard: makeGuard({ allowFunctions: ['mail_of'] }) },
  fullScope({ columns: { exclude: ['customers.email', 'docs.secret'], mask: ['customers.ssn'] } }),
)

describe('what shows the values of hidden columns', () => {
  test.each([
    'SELECT copy FROM customers',
    'SELECT size FROM customers',
    'SELECT masked_copy FROM customers',
    'SELECT docs FROM docs',
    'SELECT rank FROM docs',
    'SELECT term FROM words',
    'SELECT term FROM unknown_words',
    'SELECT m FROM mails',
    'SELECT n FROM lowered',
    'SELECT lower(name) FROM customers',
    'SELECT name.lower() FROM customers',
  ])('is refused: %s', sql => {
    expect(guard(sql, 'duckdb')).toMatchObject({ verdict: 'refuse' })
  })

  test.each([
    'SELECT shout FROM customers',
    'SELECT count(masked_copy) FROM customers',
    'SELECT title FROM docs',
    'SELECT * FROM open_docs',
    'SELECT rank FROM open_docs',
    'SELECT term FROM open_words',
    'SELECT n FROM raised',
    'SELECT upper(name) FROM customers',
    'SELECT mail_of(1)',
  ])('is allowed where it shows none, or where it is on the list of functions: %s', sql => {
    expect(guard(sql, 'duckdb')).toMatchObject({ verdict: 'allow' })
  })

  test('is neither in the catalog nor said of it', async () => {
    const seen = await introspect()
    expect(seen.tables.map(({ name, columns }) => [name, columns.map(column => column.name)])).toEqual([
      ['customers', ['id', 'name', 'ssn', 'shout', 'masked_copy']],
      ['docs', ['title']],
      ['open_docs', ['title']],
      ['open_words', ['term']],
      ['raised', ['n']],
    ])
    expect(JSON.stringify(seen)).not.toMatch(/mail_of|EMAIL|rank/)
  })

  test('is everything where a macro replaces an operator', async () => {
    const { guard } = await applyScope(
      { introspect: async () => ({ ...catalog, functions: ['+'] }), guard: makeGuard() },
      fullScope({ columns: { exclude: ['customers.email'] } }),
    )
    expect(guard('SELECT 1 + 1', 'duckdb')).toMatchObject({ verdict: 'refuse' })
  })
})
