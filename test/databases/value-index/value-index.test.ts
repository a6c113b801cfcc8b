import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildValueIndex, type ColumnValues } from '../../../src/databases/value-index/build-value-index.ts'
import { openValueIndex } from '../../../src/databases/value-index/value-index.ts'
import { packValueIndex, unpackValueIndex } from '../../../src/databases/value-index/value-index-data.ts'

const harbor: readonly ColumnValues[] = [
  {
    table: 'ports',
    column: 'city',
    values: ['Rotterdam', 'Hamburg', 'Le Havre', 'Saint-Malo', 'Málaga', 'Göteborg', 'New Haven', 'Haven'],
  },
  {
    table: 'ports',
    column: 'country',
    values: ['Netherlands', 'Germany', 'France', 'Spain', 'US', 'Sweden'],
  },
  { table: 'ships', column: 'flag', values: ['Germany', 'Spain', 'Panama', 'US', 'USA'] },
  {
    table: 'ships',
    column: 'kind',
    values: ['Container ship', 'Tanker', 'Ferry', 'Bulk carrier', 'Fishing boat'],
  },
  { table: 'ships', column: 'hull', values: ['F', 'M', 'C++', '1999', '1998', 'BX-7731-K'] },
]

const { find } = buildValueIndex(harbor)

const values = (keyword: string, limit = 10) => find(keyword, { limit }).map(match => match.value)

describe('what a keyword finds', () => {
  it('the very text scores one, in every column that holds it', () => {
    expect(find('Germany').slice(0, 2)).toEqual([
      { keyword: 'Germany', table: 'ports', column: 'country', value: 'Germany', score: 1 },
      { keyword: 'Germany', table: 'ships', column: 'flag', value: 'Germany', score: 1 },
    ])
  })

  it.each([
    ['rotterdam', 'Rotterdam'],
    ['MALAGA', 'Málaga'],
    ['goteborg', 'Göteborg'],
    ['saint malo', 'Saint-Malo'],
    ['container ships', 'Container ship'],
    ['ferries', 'Ferry'],
    ['carrier bulk', 'Bulk carrier'],
    ['Roterdam', 'Rotterdam'],
    ['Hambrug', 'Hamburg'],
    ['contaner shp', 'Container ship'],
    ['the port of Rotterdam', 'Rotterdam'],
    ['bx7731', 'BX-7731-K'],
    [' Tanker ', 'Tanker'],
  ])('%s finds %s first', (keyword, value) => {
    expect(values(keyword)[0]).toBe(value)
  })

  it('ranks the same word before texts that hold it, and those before texts spelled alike', () => {
    const found = find('haven')
    expect(found.map(match => match.value).slice(0, 2)).toEqual(['Haven', 'New Haven'])
    const scores = found.map(match => match.score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(find('Le Havre')[0]?.score).toBe(1)
    expect(find('le havre')[0]?.score).toBeLessThan(1)
  })

  it('short texts are found by themselves only', () => {
    expect(values('us')).toEqual(['US', 'US'])
    expect(values('f')).toEqual(['F'])
    expect(values('x')).toEqual([])
    expect(values('C++')).toEqual(['C++'])
    expect(values('USA')).toEqual(['USA'])
  })

  it('a number is not taken for another number', () => {
    expect(values('1999')).toEqual(['1999'])
    expect(values('1997')).toEqual([])
  })

  it('nothing comes of nothing', () => {
    expect(values('')).toEqual([])
    expect(values('  ')).toEqual([])
    expect(values('!?')).toEqual([])
    expect(values('zzzzqqqq')).toEqual([])
    expect(values('Germany', 0)).toEqual([])
    expect(buildValueIndex([]).find('anything')).toEqual([])
    expect(buildValueIndex([{ table: 't', column: 'c', values: ['', ' ', '--'] }]).find('--')).toMatchObject([
      { value: '--', score: 1 },
    ])
  })

  it('keeps to the limit, and leaves places to other columns', () => {
    const index = buildValueIndex([
      { table: 'films', column: 'title', values: Array.from({ length: 40 }, (_, n) => `Berlin story ${n}`) },
      { table: 'cities', column: 'name', values: ['Berlin East'] },
    ])
    const found = index.find('berlin', { limit: 6 })
    expect(found).toHaveLength(6)
    expect(found.filter(match => match.table === 'cities')).toHaveLength(1)
  })
})

describe('the best of every column', () => {
  const index = buildValueIndex([
    { table: 'films', column: 'title', values: Array.from({ length: 400 }, (_, n) => `Berlin story ${n}`) },
    { table: 'cities', column: 'name', values: ['Berlin East', 'Berlin West', 'Berlin'] },
    { table: 'people', column: 'surname', values: ['Berliner'] },
  ])

  it('takes so many of each, however full the others are', () => {
    const found = index.find('Berlin', { limit: 100, perColumn: 2 })
    expect(found.map(({ table, value }) => `${table} ${value}`)).toEqual([
      'cities Berlin',
      'cities Berlin East',
      'films Berlin story 0',
      'films Berlin story 1',
      'people Berliner',
    ])
    expect(index.find('Berlin', { limit: 3, perColumn: 2 })).toEqual(found.slice(0, 3))
    expect(index.find('Berlin', { perColumn: 0 })).toEqual([])
  })

  it('looks into the columns asked for alone, behind hundreds of better texts of others', () => {
    const columns = [{ table: 'people', column: 'surname' }]
    expect(index.find('Berlin story', { columns }).map(({ value }) => value)).toEqual(['Berliner'])
    expect(index.find('Berlin', { columns: [{ table: 'people', column: 'name' }] })).toEqual([])
  })
})

describe('the index', () => {
  it('finds every text by itself, whatever it is', () => {
    const texts = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(texts, list => {
        const wanted = list.filter(text => text.trim() === text && text !== '')
        const index = buildValueIndex([{ table: 't', column: 'c', values: wanted }])
        for (const text of wanted) expect(index.find(text)[0]).toMatchObject({ value: text, score: 1 })
      }),
    )
  })

  it('goes on beyond one block of texts', () => {
    const many = Array.from({ length: 70_000 }, (_, n) => `item ${n.toString(36)} ${(n * 7919).toString(36)}`)
    const index = buildValueIndex([{ table: 't', column: 'c', values: many }])
    expect(index.size).toBe(70_000)
    for (const n of [0, 65_535, 65_536, 69_999])
      expect(index.find(many[n]!)[0]).toMatchObject({ value: many[n], score: 1 })
    expect(index.find(`${many[69_000]!.slice(0, -1)}!`).map(match => match.value)).not.toEqual([])
  })

  it('is the same after it was packed and unpacked', () => {
    const many = Array.from({ length: 70_000 }, (_, n) => `item ${n.toString(36)} ${(n * 7919).toString(36)}`)
    for (const entries of [[], harbor, [{ table: 't', column: 'c', values: many }]]) {
      const { data } = buildValueIndex(entries)
      expect(unpackValueIndex(packValueIndex(data))).toEqual(data)
    }
  })

  it('is searched the same after its arrays were stored and read back', () => {
    const { data } = buildValueIndex(harbor)
    const copy = openValueIndex(structuredClone(data))
    for (const keyword of ['Germany', 'roterdam', 'haven', 'us'])
      expect(copy.find(keyword)).toEqual(find(keyword))
  })
})
