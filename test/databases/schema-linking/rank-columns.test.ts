import { describe, expect, it } from 'vitest'
import { describeCatalog } from '../../../src/databases/schema-linking/catalog-description.ts'
import { columnFeatureNames } from '../../../src/databases/schema-linking/column-features.ts'
import { makeRankColumns, trainedRankerWeights } from '../../../src/databases/schema-linking/rank-columns.ts'
import {
  neighbourFeatureNames,
  tableFeatureNames,
} from '../../../src/databases/schema-linking/table-features.ts'
import type { Catalog } from '../../../src/domain/catalog.ts'
import type { ValueMatch } from '../../../src/domain/question-context.ts'
import { catalogOf } from './catalog-of.ts'

const catalog = catalogOf(
  {
    keepers: 'keeper_id full_name hired_on monthly_wage phone_no',
    animals: 'animal_id keeper_id species birth_weight dob enclosure_id',
    enclosures: 'enclosure_id title area_sqm built_year',
    feedings: 'feeding_id animal_id fed_at portion_grams',
  },
  [
    'animals.keeper_id > keepers.keeper_id',
    'animals.enclosure_id > enclosures.enclosure_id',
    'feedings.animal_id > animals.animal_id',
  ],
)

const rank = makeRankColumns(trainedRankerWeights)

/** The most likely columns of a question as `table.column`. */
const best = (text: string, count: number, matches: readonly ValueMatch[] = [], of: Catalog = catalog) => {
  const description = describeCatalog(of)
  const { columns } = rank(text, description, matches)
  return [...description.columns]
    .sort((a, b) => columns[b.at]! - columns[a.at]!)
    .slice(0, count)
    .map(({ table, column }) => `${table.name}.${column.name}`)
}

describe('ranking', () => {
  it.each([
    ['What is the monthly wage of each keeper?', 'keepers.monthly_wage'],
    ['phone number of the keepers', 'keepers.phone_no'],
    ['What was the weight at birth of every animal?', 'animals.birth_weight'],
    ['Which enclosures have the largest area?', 'enclosures.area_sqm'],
    ['What does each keeper earn in salary?', 'keepers.monthly_wage'],
    ['the kind of species of the animals', 'animals.species'],
  ])('puts what "%s" asks for among the first', (text, column) => {
    expect(best(text, 4)).toContain(column)
  })

  it('brings the keys of the join between two tables that are named', () => {
    expect(best('full name of the keeper of each animal species', 4)).toEqual(
      expect.arrayContaining([
        'keepers.keeper_id',
        'animals.keeper_id',
        'keepers.full_name',
        'animals.species',
      ]),
    )
  })

  it('follows a value to its column', () => {
    const found = { keyword: 'okapi', table: 'animals', column: 'species', value: 'Okapi', score: 1 }
    expect(best('how many okapi do we have?', 1, [found])).toEqual(['animals.species'])
  })

  it('reads what the team calls a column', () => {
    const tables = catalog.tables.map(table => ({
      ...table,
      columns: table.columns.map(column =>
        column.name === 'portion_grams'
          ? { ...column, synonyms: ['ration'], comment: 'the ration of a meal' }
          : column,
      ),
    }))
    const rankOf = (of: Catalog): number =>
      best('average ration', 30, [], of).indexOf('feedings.portion_grams')
    expect(rankOf({ ...catalog, tables })).toBeLessThan(rankOf(catalog))
  })

  it('is a probability, and the same each time', () => {
    const description = describeCatalog(catalog)
    const once = rank('wages of keepers', description, [])
    expect(once).toEqual(rank('wages of keepers', describeCatalog({ ...catalog }), []))
    for (const one of [...once.columns, ...once.tables]) expect(one > 0 && one < 1).toBe(true)
  })

  it('looks at the likely tables alone where there are very many', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [`ledger_${i}`, 'entry_id amount booked_on']),
    )
    const many = catalogOf({ ...wide, keepers: 'keeper_id full_name monthly_wage' })
    expect(best('monthly wage of the keepers', 2, [], many)).toContain('keepers.monthly_wage')
  })

  it('has a weight for each feature and none for others', () => {
    expect(Object.keys(trainedRankerWeights.table)).toEqual([...tableFeatureNames])
    expect(Object.keys(trainedRankerWeights.neighbour)).toEqual(['bias', ...neighbourFeatureNames])
    expect(Object.keys(trainedRankerWeights.column)).toEqual(['bias', ...columnFeatureNames])
  })
})
