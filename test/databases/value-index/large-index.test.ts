import { describe, expect, it } from 'vitest'
import { buildIndexData } from '../../../src/databases/value-index/build-value-index.ts'
import { refreshIndexData } from '../../../src/databases/value-index/refresh-value-index.ts'
import { openValueIndex } from '../../../src/databases/value-index/value-index.ts'

/** An index that takes 1,000 texts for many, so that common trigrams are told apart by a fourth letter. */

const streets = ['Harbor', 'Church', 'Station', 'Market', 'Garden', 'School', 'Bridge', 'Castle']

const places = ['Oslo', 'Lisbon', 'Bergen', 'Porto', 'Bilbao', 'Malmo', 'Ghent', 'Turku', 'Cork', 'Bath']

const addresses = Array.from(
  { length: 3000 },
  (_, at) => `${streets[at % 8]} Street ${Math.floor(at / 8)}, ${places[at % 10]}`,
)

const entries = [
  { table: 'shops', column: 'address', values: addresses },
  { table: 'shops', column: 'city', values: places },
  { table: 'offices', column: 'city', values: places.slice(0, 3) },
]

const large = buildIndexData(entries, { manyTexts: 1000 })

const foundIn = (data: typeof large, keyword: string) => openValueIndex(data).find(keyword)

describe('an index of many texts', () => {
  it('has common trigrams, and a small one has none', () => {
    expect(large.common.length).toBeGreaterThan(20)
    expect(buildIndexData(entries).common).toHaveLength(0)
  })

  it.each([
    ['lisbon', 'Lisbon'],
    ['church street 40 lisbon', 'Church Street 40, Lisbon'],
    ['Chruch Street 40 Lisbon', 'Church Street 40, Lisbon'],
    ['the Garden Stret 163 Cork shop', 'Garden Street 163, Cork'],
  ])('%s finds %s first', (keyword, value) => {
    expect(foundIn(large, keyword)[0]?.value).toBe(value)
  })

  it('finds a misspelled name in the column that holds nothing else', () => {
    const found = openValueIndex(large).find('lisbom', { perColumn: 1 })
    expect(found.map(({ table, value }) => [table, value])).toContainEqual(['offices', 'Lisbon'])
  })

  it('knows every column of a text', () => {
    expect(foundIn(large, 'Bergen').slice(0, 2)).toMatchObject([
      { table: 'offices', column: 'city', value: 'Bergen', score: 1 },
      { table: 'shops', column: 'city', value: 'Bergen', score: 1 },
    ])
  })

  it('stays itself when some of it changes', () => {
    const refreshed = refreshIndexData(large, {
      keeps: () => true,
      changed: [{ table: 'offices', column: 'city', values: ['Bergen', 'Aarhus'] }],
    })
    expect(refreshed.common).toEqual(large.common)
    expect(foundIn(refreshed, 'Arhus')[0]?.value).toBe('Aarhus')
    expect(foundIn(refreshed, 'chruch street 40').map(({ value }) => value)).toEqual(
      foundIn(large, 'chruch street 40').map(({ value }) => value),
    )
    expect(foundIn(refreshed, 'Oslo').filter(({ score }) => score === 1)).toMatchObject([{ table: 'shops' }])
  })
})
