import { describe, expect, it } from 'vitest'
import {
  describeCatalog,
  type LinkerTable,
} from '../../../src/databases/schema-linking/catalog-description.ts'
import { joinTables } from '../../../src/databases/schema-linking/join-tables.ts'
import { catalogOf } from './catalog-of.ts'

/** Two ways from boats to skippers: by rentals, or by harbours and clubs. */
const { byTableName } = describeCatalog(
  catalogOf(
    {
      boats: 'id name harbour_id',
      skippers: 'id name club_id',
      rentals: 'id boat_id skipper_id',
      harbours: 'id name',
      clubs: 'id harbour_id',
      islands: 'id name',
    },
    [
      'rentals.boat_id > boats.id',
      'rentals.skipper_id > skippers.id',
      'boats.harbour_id > harbours.id',
      'clubs.harbour_id > harbours.id',
      'skippers.club_id > clubs.id',
    ],
  ),
)

const known = (...names: string[]): LinkerTable[] => names.map(name => byTableName.get(name)!)

const namesOf = (names: string[], likely: (table: LinkerTable) => number = () => 0.5) =>
  joinTables(known(...names), likely)
    .tables.map(({ name }) => name)
    .sort()

describe('joinTables', () => {
  it('adds the tables on the shortest way and the keys of its joins, and no others', () => {
    expect(namesOf(['boats', 'skippers'])).toEqual(['boats', 'rentals', 'skippers'])
    const { keys } = joinTables(known('boats', 'skippers'), () => 0.5)
    expect(keys.map(({ table, column }) => `${table.name}.${column.name}`).sort()).toEqual([
      'boats.id',
      'rentals.boat_id',
      'rentals.skipper_id',
      'skippers.id',
    ])
  })

  it('goes a longer way where its tables are likely and the shorter one is not', () => {
    const likely = ({ name }: LinkerTable): number => (name === 'rentals' ? 0.001 : 1)
    expect(namesOf(['boats', 'clubs', 'skippers'], likely)).toEqual([
      'boats',
      'clubs',
      'harbours',
      'skippers',
    ])
  })

  it('leaves tables that no key leads to as they are', () => {
    expect(namesOf(['boats', 'islands', 'harbours'])).toEqual(['boats', 'harbours', 'islands'])
    expect(namesOf([])).toEqual([])
  })
})
