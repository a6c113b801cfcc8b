import { readFileSync } from 'node:fs'
import { constants, DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sqliteFunctions } from '../../../src/databases/connectors/sqlite/functions.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { sqlReferences } from '../../../src/sql/analyze/sql-scopes.ts'

const guard = makeGuard()

const corpus = ['hostile', 'harmless'].flatMap(name =>
  readFileSync(new URL(`../../../fixtures/guard/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(line => (JSON.parse(line) as { sql: string }).sql),
)

/** What SQLite itself says a statement will do: its authorizer is asked about each action when it is prepared. */
const makeWitness = () => {
  const database = new DatabaseSync(':memory:')
  database.exec(
    `CREATE TABLE pets (id, name, kind, weight, born, owner_id, note, tag, pet_id);
     CREATE TABLE owner (id, name, city, owner_id); CREATE TABLE toys (pet_id, name); CREATE TABLE city (name);
     CREATE TABLE t (a, b, c, d, e, name); CREATE TABLE u (a, b, c, d, e); CREATE TABLE v (a); CREATE TABLE w (a);
     CREATE TABLE log (note); CREATE TABLE docs (body); CREATE TABLE orders (id, a, region, placed_on)`,
  )
  const actions: { code: number; first: string | null; second: string | null }[] = []
  database.setAuthorizer((code, first, second) => {
    actions.push({ code, first, second })
    return constants.SQLITE_OK
  })
  return (sql: string) => {
    actions.length = 0
    try {
      database.prepare(sql)
    } catch {
      // Names of tables that are not here: what was asked until then still counts.
    }
    return [...actions]
  }
}

const scraps = fc.constantFrom(
  ...[
    "'",
    '"',
    '`',
    '[',
    ']',
    '--',
    '/*',
    '*/',
    '\n',
    '\r',
    ';',
    '(',
    ')',
    ',',
    "''",
    '""',
    '$$',
    '\\',
    '#',
    '@',
    '{',
  ],
  ...[
    'sqlite_master',
    "load_extension('x')",
    "pragma_table_info('t')",
    'randomblob(1)',
    "'pets'",
    'owner',
    '\u00a0',
  ],
  ...[
    'not ',
    'like ',
    'as ',
    'in ',
    'from ',
    'select ',
    'with ',
    'union select ',
    'distinct on (a) ',
    '|| ',
    '->',
  ],
)

/** Statements of the corpus with pieces put in, taken out and taken over from one another. */
const mutant = fc
  .record({
    first: fc.constantFrom(...corpus),
    second: fc.constantFrom(...corpus),
    scrap: scraps,
    steps: fc.array(fc.tuple(fc.constantFrom('in', 'out', 'over'), fc.nat(500), fc.nat(500)), {
      maxLength: 3,
    }),
  })
  .map(({ first, second, scrap, steps }) => {
    const parts = split(first)
    const others = split(second)
    for (const [step, at, from] of steps) {
      const place = at % (parts.length + 1)
      if (step === 'in') parts.splice(place, 0, scrap)
      else if (step === 'out') parts.splice(place, 1)
      else parts.splice(place, from % 3, ...others.slice(from % others.length, (from % others.length) + 5))
    }
    return parts.join('')
  })

const split = (sql: string): string[] => sql.match(/\s+|\w+|./gsu) ?? ['']

describe('what the guard allows, and what SQLite would do', () => {
  test('are the same: plain reads of the tables that sqlReferences names, and listed functions', () => {
    const witness = makeWitness()
    const reads = new Set([
      constants.SQLITE_SELECT,
      constants.SQLITE_READ,
      constants.SQLITE_FUNCTION,
      constants.SQLITE_RECURSIVE,
    ])
    let watched = 0
    fc.assert(
      fc.property(mutant, sql => {
        if (guard(sql, 'sqlite').verdict === 'refuse') return
        const actions = witness(sql)
        watched += actions.length
        const known = new Set(sqlReferences(sql, 'sqlite')?.tables.map(table => table.name.toLowerCase()))
        for (const { code, first, second } of actions) {
          expect(reads).toContain(code)
          // Operators such as -> are functions to SQLite.
          if (code === constants.SQLITE_FUNCTION && /^\w/.test(second ?? ''))
            expect(sqliteFunctions).toContain(second)
          if (code === constants.SQLITE_READ && isTable(first)) expect(known).toContain(first?.toLowerCase())
        }
      }),
      { seed: 20261120, numRuns: 6000 },
    )
    expect(watched).toBeGreaterThan(500)
  }, 60_000)
})

/** SQLite also asks about columns of CTEs and of table-valued functions, under their names. */
const isTable = (name: string | null): boolean =>
  /^(?:pets|owner|toys|city|t|u|v|w|log|docs|orders|sqlite_\w+|pragma_\w+|dbstat)$/.test(name ?? '')
