import type { Catalog, Column } from '../../../../src/domain/catalog.ts'
import type { ValueMatch } from '../../../../src/domain/question-context.ts'

const text = (name: string, values: readonly string[], distinctCount = 900): Column => ({
  name,
  type: 'text',
  kind: 'text',
  nullable: true,
  comment: null,
  profile: {
    nullShare: 0,
    distinctCount,
    min: null,
    max: null,
    mostFrequent: values.map(value => ({ value, count: 2 })),
    meanLength: 8,
  },
})

const table = (name: string, columns: readonly Column[]) => ({
  ...{ schema: null, name, type: 'table' as const, comment: null, rowCount: null, primaryKey: [] },
  columns,
})

/** Ships, their harbors and their crew. */
export const harborWords: Catalog = {
  dialect: 'sqlite',
  fingerprint: 'words',
  foreignKeys: [],
  tables: [
    table('ships', [
      text('name', ['Nordlys', 'Aurora']),
      text('cargo', ['Timber', 'Grain', 'Repairs']),
      text('state', ['good', 'bad'], 2),
      text('is_chartered', ['Y', 'N'], 2),
      text('reported', ['Y', 'N'], 2),
    ]),
    table('harbors', [text('harbor', ['Port of Bergen', 'Bergen']), text('county', ['Vestland'])]),
    table('crew', [
      text('last_name', ['Haugen', 'Haugland']),
      text('gender', ['F', 'M'], 2),
      text('rating', ['1', '2']),
    ]),
  ],
}

/** A match as the index finds it: `crew.last_name` and the like as the place. */
export const matched = (keyword: string, place: string, value: string, score: number): ValueMatch => {
  const [table = '', column = ''] = place.split('.')
  return { keyword, table, column, value, score }
}
