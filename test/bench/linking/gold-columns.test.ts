import { describe, expect, it } from 'vitest'
import { goldColumns } from '../../../bench/linking/gold-columns.ts'
import { catalogOf } from '../../databases/schema-linking/catalog-of.ts'

const catalog = catalogOf({
  boats: 'id name length',
  rentals: 'id boat_id days',
})

/** What a statement reads, as `table.column` in order; tables without a column as they are. */
const read = (sql: string): readonly string[] | null => {
  const gold = goldColumns(sql, catalog)
  if (gold === null) return null
  return [...gold.tables].flatMap(table => {
    const columns = table.columns.filter(column => gold.columns.has(column))
    return columns.length === 0 ? [table.name] : columns.map(({ name }) => `${table.name}.${name}`)
  })
}

describe('the columns of a gold', () => {
  it('are those of its tables, through aliases, join keys included', () => {
    expect(read('select b.NAME from boats b join rentals as r on r.boat_id = b.id')).toEqual([
      'boats.id',
      'boats.name',
      'rentals.boat_id',
    ])
  })

  it('are none for count(*), and all for a star in the list', () => {
    expect(read('select count(*) from boats')).toEqual(['boats'])
    expect(read('select * from boats')).toEqual(['boats.id', 'boats.name', 'boats.length'])
    expect(goldColumns('select * from boats where id = 1', catalog)?.starred).toBe(2)
  })

  it('belong to the table that has them where nothing says whose they are', () => {
    expect(read('select days from boats join rentals on boat_id = boats.id')).toEqual([
      'boats.id',
      'rentals.boat_id',
      'rentals.days',
    ])
    expect(
      read('select name from boats where exists (select 1 from rentals where boat_id = length)'),
    ).toEqual(['boats.name', 'boats.length', 'rentals.boat_id'])
  })

  it('are no results of subqueries, and no texts in double quotes', () => {
    expect(read('select total from (select sum(days) as total from rentals) as t')).toEqual(['rentals.days'])
    expect(read('select id from boats where name = "Alba"')).toEqual(['boats.id', 'boats.name'])
  })

  it('cannot be told where the catalog does not have them, or the text is no statement', () => {
    expect(read('select depth from boats')).toBeNull()
    expect(read('select id from yachts')).toBeNull()
    expect(read('select from where')).toBeNull()
  })
})
