import { describe, expect, it } from 'vitest'
import type { Catalog, ForeignKey } from '../../src/domain/catalog.ts'
import {
  connectTables,
  countJoins,
  type KeyEdge,
  keyGraphOf,
  keysBetween,
} from '../../src/domain/key-graph.ts'
import { catalogOf } from '../databases/schema-linking/catalog-of.ts'

/** Two ways from boats to skippers: by rentals, or by harbors and clubs. */
const catalog = catalogOf(
  {
    boats: 'id name harbour_id sister_id',
    skippers: 'id name club_id',
    rentals: 'id boat_id skipper_id payer_id',
    harbours: 'id name',
    clubs: 'id harbour_id',
    islands: 'id name',
    permits: 'boat_id number',
  },
  [
    'rentals.boat_id > boats.id',
    'rentals.skipper_id > skippers.id',
    'rentals.payer_id > skippers.id',
    'boats.harbour_id > harbours.id',
    'boats.sister_id > boats.id',
    'clubs.harbour_id > harbours.id',
    'skippers.club_id > clubs.id',
    'permits.boat_id > boats.id',
  ],
)

const graph = keyGraphOf(catalog)

const at = (name: string): number => catalog.tables.findIndex(table => table.name === name)

const nameAt = (table: number): string => catalog.tables[table]?.name ?? ''

const describeKey = ({ from, to }: KeyEdge, known: Catalog = catalog): string =>
  `${known.tables[from.table]?.name}.${from.columns[0]?.name} > ${known.tables[to.table]?.name}`

describe('connectTables', () => {
  const connect = (names: readonly string[], costs?: Parameters<typeof connectTables>[2]) => {
    const { roots, steps } = connectTables(graph, names.map(at), costs)
    return [...roots.map(nameAt), ...steps.map(({ from, to }) => `${nameAt(from)} + ${nameAt(to)}`)]
  }

  it('takes the path over the fewest tables', () => {
    expect(connect(['boats', 'skippers'])).toEqual(['boats', 'boats + rentals', 'rentals + skippers'])
  })

  it('joins the nearest table first, from wherever the tree is nearest', () => {
    expect(connect(['boats', 'skippers', 'harbours', 'clubs'])).toEqual([
      'boats',
      'boats + harbours',
      'harbours + clubs',
      'clubs + skippers',
    ])
  })

  it('takes a longer path when the tables of the shorter one cost more', () => {
    const extra = (table: number): number => (nameAt(table) === 'rentals' ? 5 : 0)
    expect(connect(['boats', 'skippers'], { extra })).toEqual([
      'boats',
      'boats + harbours',
      'harbours + clubs',
      'clubs + skippers',
    ])
  })

  it('takes the key that comes first in the catalog when two paths cost the same', () => {
    const square = (keys: readonly string[]): Catalog =>
      catalogOf({ a: 'id b_id c_id', b: 'id d_id', c: 'id d_id', d: 'id' }, keys)
    const between = (keys: readonly string[]): number | undefined =>
      connectTables(keyGraphOf(square(keys)), [0, 3]).steps[0]?.to
    const byB = ['a.b_id > b.id', 'b.d_id > d.id']
    const byC = ['a.c_id > c.id', 'c.d_id > d.id']
    expect(between([...byB, ...byC])).toBe(1)
    expect(between([...byC, ...byB])).toBe(2)
  })

  it('gives tables that no path leads to a tree of their own', () => {
    expect(connect(['boats', 'islands', 'harbours'])).toEqual(['boats', 'islands', 'boats + harbours'])
    expect(connect(['boats', 'skippers'], { limit: 1 })).toEqual(['boats', 'skippers'])
    expect(connect([])).toEqual([])
  })

  it('joins a table that is asked for twice once', () => {
    expect(connect(['boats', 'boats'])).toEqual(['boats'])
  })
})

describe('the key graph', () => {
  it('finds all keys between two tables, whichever way they point', () => {
    const keys = ['rentals.skipper_id > skippers', 'rentals.payer_id > skippers']
    expect(keysBetween(graph, at('rentals'), at('skippers')).map(key => describeKey(key))).toEqual(keys)
    expect(keysBetween(graph, at('skippers'), at('rentals')).map(key => describeKey(key))).toEqual(keys)
    expect(keysBetween(graph, at('boats'), at('skippers'))).toEqual([])
  })

  it('holds a key of a table to itself once', () => {
    expect(keysBetween(graph, at('boats'), at('boats')).map(key => describeKey(key))).toEqual([
      'boats.sister_id > boats',
    ])
  })

  it('knows a key that is the whole primary key as one to one', () => {
    const oneToOne = graph.edges.filter(edge => edge.oneToOne)
    expect(oneToOne.map(key => describeKey(key))).toEqual(['permits.boat_id > boats'])
  })

  it('counts the joins between tables', () => {
    const joins = countJoins(graph)
    expect([joins[at('boats')]?.[at('skippers')], joins[at('permits')]?.[at('clubs')]]).toEqual([2, 3])
    expect(joins[at('boats')]?.[at('islands')]).toBe(Number.POSITIVE_INFINITY)
  })

  it('leaves out keys of tables and columns that the catalog does not have', () => {
    const known = catalogOf({ boats: 'id name', rentals: 'id boat_id' }, [
      'rentals.boat_id > ships.id',
      'rentals.ship_id > boats.id',
      'rentals.boat_id > boats.id',
    ])
    expect(keyGraphOf(known).edges.map(key => describeKey(key, known))).toEqual(['rentals.boat_id > boats'])
  })

  it('tells tables of one name in two schemas apart', () => {
    const plain = catalogOf({ boats: 'id name', rentals: 'id boat_id' })
    const [boats, rentals] = plain.tables
    const archive = { ...boats!, schema: 'archive' }
    const key: ForeignKey = {
      from: { table: 'rentals', columns: ['boat_id'] },
      to: { table: 'archive.boats', columns: ['id'] },
      source: 'declared',
      inclusion: null,
    }
    const known = { ...plain, tables: [boats!, rentals!, archive], foreignKeys: [key] }
    expect(keyGraphOf(known).edges.map(({ from, to }) => [from.table, to.table])).toEqual([[1, 2]])
  })
})
