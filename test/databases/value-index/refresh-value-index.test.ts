import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  buildIndexData,
  buildValueIndex,
  type ColumnValues,
} from '../../../src/databases/value-index/build-value-index.ts'
import { columnValues, refreshIndexData } from '../../../src/databases/value-index/refresh-value-index.ts'
import { openValueIndex } from '../../../src/databases/value-index/value-index.ts'

const syllables = ['ka', 'lo', 'mi', 'ner', 'ost', 'pra', 'ü', 'St', '7', '42', ' ', '-', 'x']

const text = fc
  .array(fc.constantFrom(...syllables), { minLength: 1, maxLength: 5 })
  .map(parts => parts.join(''))

const values = fc.uniqueArray(text, { maxLength: 12 })

const state = fc.record({ a: values, b: values, c: values, d: values }, { requiredKeys: [] })

const entriesOf = (columns: Readonly<Record<string, readonly string[]>>): ColumnValues[] =>
  Object.entries(columns).map(([column, list]) => ({ table: 't', column, values: list }))

const keep = () => true

describe('an index that was brought up to date', () => {
  it('finds what a newly built one finds, however often and however much has changed', () => {
    fc.assert(
      fc.property(fc.array(state, { minLength: 2, maxLength: 5 }), fc.array(text), (states, keywords) => {
        let data = buildIndexData(entriesOf(states[0]!))
        let before: Readonly<Record<string, readonly string[]>> = states[0]!
        for (const after of states.slice(1)) {
          const isSame = (column: string) => before[column]?.join('\n') === after[column as 'a']?.join('\n')
          data = refreshIndexData(data, {
            keeps: ({ column }) => column in after,
            changed: entriesOf(after).filter(({ column }) => !isSame(column)),
          })
          before = after
        }
        const refreshed = openValueIndex(data)
        const built = buildValueIndex(entriesOf(before))
        expect(refreshed.size).toBe(built.size)
        for (const keyword of [...keywords, ...Object.values(before).flat()]) {
          const options = { limit: 1000, perColumn: 100 }
          expect(refreshed.find(keyword)).toEqual(built.find(keyword))
          expect(refreshed.find(keyword, options)).toEqual(built.find(keyword, options))
        }
      }),
      { numRuns: 40 },
    )
  })

  it('compares the same texts in whatever order they came', () => {
    const after = { b: ['42ü ', '42'], c: ['ka42'] }
    const data = refreshIndexData(buildIndexData(entriesOf({ c: ['42'] })), {
      keeps: keep,
      changed: entriesOf(after),
    })
    expect(openValueIndex(data).find('mi 42')).toEqual(buildValueIndex(entriesOf(after)).find('mi 42'))
  })

  it('goes on beyond one block, keeps full blocks as they are, and the old index too', () => {
    const many = Array.from({ length: 66_000 }, (_, n) => `item ${n.toString(36)} ${(n * 7919).toString(36)}`)
    const old = buildValueIndex([
      { table: 't', column: 'many', values: many },
      { table: 't', column: 'few', values: ['Anchor', 'Beacon'] },
    ])
    const added = Array.from({ length: 66_000 }, (_, n) => `thing ${(n * 104_729).toString(36)}`)
    const data = refreshIndexData(old.data, {
      keeps: keep,
      changed: [
        { table: 't', column: 'few', values: ['Beacon', 'Compass', many[7]!] },
        { table: 't', column: 'new', values: added },
      ],
    })
    expect(data.blocks).toHaveLength(3)
    expect(data.blocks[0]).toBe(old.data.blocks[0])
    const { find, size } = openValueIndex(data)
    expect(size).toBe(132_002)
    for (const value of [many[0], many[65_999], added[0], added[65_999], 'Compass', 'Beacon'])
      expect(find(value!)[0]).toMatchObject({ value, score: 1 })
    expect(
      find(many[7]!)
        .map(({ column }) => column)
        .slice(0, 2),
    ).toEqual(['few', 'many'])
    expect(find('Anchor').filter(({ value }) => value === 'Anchor')).toEqual([])
    expect(old.find('Anchor')[0]).toMatchObject({ value: 'Anchor', column: 'few', score: 1 })
  })

  it('forgets the texts of columns that are gone once they are many', () => {
    const old = buildIndexData(entriesOf({ a: ['one', 'two', 'three', 'four'], b: ['five', 'six'] }))
    const some = refreshIndexData(old, { keeps: keep, changed: entriesOf({ a: ['one', 'two', 'three'] }) })
    expect(some.textEnds).toHaveLength(6)
    expect(some.gone.texts).toBe(1)
    const most = refreshIndexData(some, { keeps: ({ column }) => column === 'b', changed: [] })
    expect(most.textEnds).toHaveLength(2)
    expect(new TextDecoder().decode(most.textBytes)).toBe('fivesix')
  })
})

describe('a column that is forgotten', () => {
  it('leaves none of its texts behind', () => {
    const names = Array.from({ length: 100 }, (_, n) => `name ${n}`)
    const old = buildIndexData(entriesOf({ names, secrets: ['name 1', 'secret'] }))
    const data = refreshIndexData(old, { keeps: ({ column }) => column === 'names', changed: [] })
    expect(new TextDecoder().decode(data.textBytes)).toBe(names.join(''))
    expect(data.columns).toEqual([{ table: 't', column: 'names' }])
  })
})

describe('the values of an index', () => {
  it('come back column by column', () => {
    const entries = entriesOf({ a: ['one', 'two'], b: ['two', 'Zoë'], c: [] })
    expect(columnValues(buildIndexData(entries))).toEqual(entries)
    expect(columnValues(buildIndexData(entries), ({ column }) => column === 'b')).toEqual([entries[1]])
  })
})
