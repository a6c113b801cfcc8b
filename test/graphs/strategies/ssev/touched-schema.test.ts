import { describe, expect, it } from 'vitest'
import { touchedSchema } from '../../../../graphs/strategies/ssev/ssev.ts'
import { widenSchema } from '../../../../src/databases/schema-linking/link-schema.ts'
import { openSqliteDatabase } from '../../open-sqlite-database.ts'

const ferries = openSqliteDatabase(
  'ferries',
  `
  create table boats (boat_id integer primary key, name text, seats integer, hull text);
  create table crossings (crossing_id integer primary key, boat_id integer references boats, pier_id integer references piers,
    passengers integer, weather text);
  create table piers (pier_id integer primary key, town text, depth integer);
  create table kiosks (kiosk_id integer primary key, rent integer);
`,
)

const touched = (...statements: readonly string[]) =>
  touchedSchema(statements, ferries(), widenSchema)?.tables

describe('the schema that statements use', () => {
  it('is the union of their tables and columns, with keys', () => {
    expect(
      touched(
        'SELECT b.name FROM boats b JOIN crossings c ON c.boat_id = b.boat_id WHERE c.passengers > 3',
        'SELECT max(seats) FROM boats',
      ),
    ).toEqual([
      { table: 'boats', keep: ['boat_id', 'name', 'seats'] },
      { table: 'crossings', keep: ['crossing_id', 'boat_id', 'passengers'] },
    ])
  })

  it('joins tables that only different statements use', () => {
    expect(touched('SELECT town FROM piers', 'SELECT name FROM boats')).toEqual([
      { table: 'boats', keep: ['boat_id', 'name'] },
      { table: 'crossings', keep: ['crossing_id', 'boat_id', 'pier_id'] },
      { table: 'piers', keep: ['pier_id', 'town'] },
    ])
  })

  it('has a table whole of which no column is named', () => {
    expect(touched('SELECT count(*) FROM kiosks')).toEqual([{ table: 'kiosks', keep: 'all' }])
  })

  it('passes over what cannot be read, and names nothing if nothing can', () => {
    expect(touched('SELECT FROM WHERE', 'SELECT rent FROM kiosks')).toEqual([
      { table: 'kiosks', keep: ['kiosk_id', 'rent'] },
    ])
    expect(touched('SELECT FROM WHERE', 'SELECT x FROM nowhere')).toBeUndefined()
  })
})
