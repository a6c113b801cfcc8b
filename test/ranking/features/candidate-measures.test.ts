import { describe, expect, it } from 'vitest'
import type { Catalog } from '../../../src/domain/catalog.ts'
import type { MeantPhrase, PhraseMeaning } from '../../../src/domain/metrics/meant-phrase.ts'
import type { Cell, ResultTable } from '../../../src/domain/result.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import { type CandidateFacts, candidateMeasures } from '../../../src/ranking/features/candidate-measures.ts'
import { sketchResult } from '../../../src/ranking/features/observe-candidate.ts'
import { questionCues } from '../../../src/ranking/question-match/question-cues.ts'
import { sqlLiterals, sqlReferences } from '../../../src/sql/analyze/sql-scopes.ts'
import { sqlShape } from '../../../src/sql/analyze/sql-shape.ts'
import { nursery } from '../shape-prior/nursery.ts'

/** The nursery, and a table that no key connects with it. */
const catalogOf = (dialect: 'sqlite' | 'postgres'): Catalog => ({
  ...nursery,
  dialect,
  tables: [...nursery.tables, { ...nursery.tables[0]!, name: 'weather' }],
})

interface Case {
  readonly sql?: string
  readonly question?: string
  /** Rows of the result; its width is that of the first row, or `columns`. */
  readonly rows?: readonly (readonly Cell[])[]
  readonly columns?: number
  readonly meant?: readonly MeantPhrase[]
}

const tableOf = ({ rows = [[1]], columns = rows[0]?.length ?? 1 }: Case): ResultTable => ({
  columns: Array.from({ length: columns }, (_, at) => ({ name: `c${at}`, kind: 'unknown' })),
  rows,
  truncated: null,
  milliseconds: 1,
})

const factsOf = (one: Case, catalog: Catalog): CandidateFacts => {
  const { sql = 'select name from plant', question = 'plants' } = one
  const table = tableOf(one)
  const { distinctRows, nullShare } = sketchResult(table)
  return {
    cues: questionCues(foldText(question)),
    shape: sqlShape(sql, catalog.dialect),
    references: sqlReferences(sql, catalog.dialect),
    ...{ table, distinctRows, nullShare, catalog },
    literals: sqlLiterals(sql, catalog.dialect) ?? [],
    meant: one.meant ?? [],
  }
}

const joined = 'from grower g join plant p on p.grower_id = g.grower_id'

/** A phrase with its meanings, such as Lund in `grower.city`. */
const phrase = (
  kind: PhraseMeaning['kind'],
  places: readonly string[],
  { value = null, isAccepted = false, quality = 1 }: Partial<PhraseMeaning & MeantPhrase> = {},
): MeantPhrase => ({
  text: 'as written',
  quality,
  meanings: places.map(place => {
    const [table = '', ...columns] = place.split('.')
    return { kind, table, columns, value, isAccepted }
  }),
})

const lund = phrase('value', ['grower.city'], { value: 'Lund' })

/** A team's own word for what is tall and dear. */
const stately = phrase('segment', ['plant.height.price'], { isAccepted: true })

/** For every measure what it is of cases where it speaks, and a case of which it has nothing to say. */
const cases: Readonly<
  Record<string, { readonly speaks: readonly (readonly [number, Case])[]; readonly silent: readonly Case[] }>
> = {
  'result-empty': { speaks: [[1, { rows: [], columns: 2 }]], silent: [{ rows: [[null]] }] },
  'result-empty-negation': {
    speaks: [[1, { question: 'Which growers have no plants?', rows: [] }]],
    silent: [
      { question: 'Which growers have plants?', rows: [] },
      { question: 'Which growers have no plants?', rows: [['Fern']] },
    ],
  },
  'result-zero': {
    speaks: [
      [1, { rows: [[0]] }],
      [1, { rows: [[0n, null]] }],
      [1, { rows: [['0']] }],
    ],
    silent: [{ rows: [[0], [0]] }, { rows: [[0, 1]] }, { rows: [] }],
  },
  'result-null-share': {
    speaks: [
      [0.5, { rows: [[1, null]] }],
      [
        0.25,
        {
          rows: [
            [1, null],
            [2, 3],
          ],
        },
      ],
    ],
    silent: [{ rows: [['null']] }, { rows: [] }],
  },
  'result-all-null': {
    speaks: [[1, { rows: [[null], [null]] }]],
    silent: [{ rows: [[null], [1]] }, { rows: [] }],
  },
  'result-one-row': { speaks: [[1, { rows: [[5, 6]] }]], silent: [{ rows: [[5], [6]] }, { rows: [] }] },
  'result-log-rows': { speaks: [[Math.log(3), { rows: [[5], [6]] }]], silent: [{ rows: [] }] },
  'result-columns': { speaks: [[3, { rows: [], columns: 3 }]], silent: [{ rows: [], columns: 0 }] },
  'result-repeats': { speaks: [[1, { rows: [[5], [5]] }]], silent: [{ rows: [[5], [6]] }, { rows: [] }] },
  'result-repeat-share': {
    speaks: [[0.75, { rows: [[5], [5], [5], [5]] }]],
    silent: [{ rows: [[5], [6]] }, { rows: [] }],
  },
  'result-repeats-distinct': {
    speaks: [[1, { question: 'What different cities are there?', rows: [['Lund'], ['Lund']] }]],
    silent: [
      { question: 'What different cities are there?', rows: [['Lund'], ['Umea']] },
      { question: 'What cities are there?', rows: [['Lund'], ['Lund']] },
    ],
  },
  'result-number-asked': {
    speaks: [[1, { question: 'How many plants are there?', rows: [[7]] }]],
    silent: [
      { question: 'How many plants are there?', rows: [[7], [8]] },
      { question: 'How many plants does each grower have?', rows: [[7]] },
      { question: 'Which plants are there?', rows: [[7]] },
    ],
  },
  'result-number-missed': {
    speaks: [
      [1, { question: 'How many plants are there?', rows: [[7], [8]] }],
      [1, { question: 'How many plants are there?', rows: [['Fern', 7]] }],
    ],
    silent: [
      { question: 'How many plants are there?', rows: [[7]] },
      { question: 'How many plants does each grower have?', rows: [[7], [8]] },
    ],
  },
  'result-one-for-each': {
    speaks: [[1, { question: 'What does each grower charge?', rows: [[7]] }]],
    silent: [
      { question: 'What does each grower charge?', rows: [[7], [8]] },
      { question: 'What does Ada charge?', rows: [[7]] },
    ],
  },
  'result-one-superlative': {
    speaks: [[1, { question: 'Which is the tallest plant?', rows: [['Palm']] }]],
    silent: [
      { question: 'Which is the tallest plant?', rows: [['Palm'], ['Oak']] },
      { question: 'Which plant is it?', rows: [['Palm']] },
    ],
  },
  'layer-value-elsewhere': {
    speaks: [
      [1, { sql: "select name from plant where name = 'lund'", meant: [lund] }],
      [2, { sql: "select 1 from grower where grower_name in ('Lund')", meant: [lund, lund] }],
    ],
    silent: [
      { sql: "select grower_name from grower where city = 'Lund'", meant: [lund] },
      { sql: "select grower_name from grower g where g.city in ('Oslo', 'Lund')", meant: [lund] },
      { sql: 'select grower_name from grower', meant: [lund] },
      { sql: "select 1 from grower where grower_name = 'Lund'" },
    ],
  },
  'layer-value-missing': {
    speaks: [
      [1, { sql: "select grower_name from grower where city = 'Oslo'", meant: [lund] }],
      [1, { sql: 'select grower_name from grower', meant: [lund, stately] }],
    ],
    silent: [
      { sql: "select grower_name from grower where city = 'LUND'", meant: [lund] },
      { sql: "select name from plant where name = 'Lund'", meant: [lund] },
    ],
  },
  'layer-term-unread': {
    speaks: [
      [1, { sql: 'select name from plant where height > 9', meant: [stately] }],
      [1, { sql: 'select 1 from grower', meant: [stately, lund] }],
    ],
    silent: [
      { sql: 'select name from plant where height > 9 and price > 5', meant: [stately] },
      { sql: 'select * from plant', meant: [stately] },
      { sql: 'select 1 from grower', meant: [phrase('segment', ['plant.height'])] },
      { sql: 'select 1 from grower', meant: [{ ...stately, quality: 0.7 }] },
      {
        sql: 'select founded from grower',
        meant: [phrase('metric', ['plant.price', 'grower.founded'], { isAccepted: true })],
      },
    ],
  },
  'sql-unread': {
    speaks: [[1, { sql: 'select name, from plant where where' }]],
    silent: [{ sql: 'select name from plant' }],
  },
  'sql-distinct': {
    speaks: [[1, { sql: 'select distinct name from plant' }]],
    silent: [{ sql: 'select count(distinct name) from plant' }],
  },
  'sql-star': {
    speaks: [
      [1, { sql: 'select * from plant' }],
      [1, { sql: `select g.* ${joined}` }],
    ],
    silent: [{ sql: 'select count(*) from plant' }],
  },
  'sql-outer-join': {
    speaks: [
      [1, { sql: 'select grower_name from grower left join plant on plant.grower_id = grower.grower_id' }],
    ],
    silent: [{ sql: `select grower_name ${joined}` }],
  },
  'sql-count-distinct': {
    speaks: [[1, { sql: 'select count(distinct city) from grower' }]],
    silent: [{ sql: 'select distinct city from grower' }],
  },
  'sql-limit-one': {
    speaks: [[1, { sql: 'select name from plant order by height limit 1' }]],
    silent: [{ sql: 'select name from plant limit 2' }, { sql: 'select name from plant' }],
  },
  'sql-like': {
    speaks: [
      [1, { sql: "select name from plant where name like 'A%'" }],
      [1, { sql: "select name from plant where name not like 'A%'" }],
    ],
    silent: [{ sql: "select name from plant where name = 'A%'" }],
  },
  'sql-sources': { speaks: [[2, { sql: `select grower_name ${joined}` }]], silent: [{ sql: 'select 1' }] },
  'sql-tables': {
    speaks: [
      [2, { sql: `select grower_name ${joined}` }],
      [1, { sql: 'select a.name from plant a join plant b on a.height = b.height' }],
    ],
    silent: [{ sql: 'select 1' }],
  },
  'sql-nested': {
    speaks: [[1, { sql: 'select name from plant where price = (select max(price) from plant)' }]],
    silent: [{ sql: 'select name from plant union select city from grower' }],
  },
  'sql-union': {
    speaks: [[1, { sql: 'select name from plant union select city from grower' }]],
    silent: [{ sql: 'select name from plant except select city from grower' }],
  },
  'sql-except': {
    speaks: [[1, { sql: 'select name from plant except select city from grower' }]],
    silent: [{ sql: 'select name from plant union select city from grower' }],
  },
  'sql-intersect': {
    speaks: [[1, { sql: 'select name from plant intersect select city from grower' }]],
    silent: [{ sql: 'select name from plant union select city from grower' }],
  },
  'sql-grouped': {
    speaks: [[2, { sql: 'select city, founded, count(*) from grower group by city, founded' }]],
    silent: [{ sql: 'select count(*) from grower' }],
  },
  'sql-having': {
    speaks: [[1, { sql: 'select city from grower group by city having count(*) > 2' }]],
    silent: [{ sql: 'select city from grower where founded > 2 group by city' }],
  },
  'sql-ordered': {
    speaks: [[2, { sql: 'select name from plant order by price, height desc' }]],
    silent: [{ sql: 'select name from plant' }],
  },
  'sql-aggregates': {
    speaks: [[2, { sql: 'select min(price), max(price), 1 from plant' }]],
    silent: [{ sql: 'select name from plant order by price' }],
  },
  'sql-items': {
    speaks: [
      [1, { sql: 'select name from plant' }],
      [3, { sql: 'select name, price, height from plant' }],
    ],
    // Every statement shows something; one that cannot be read shows nothing that is known.
    silent: [{ sql: 'select name, from plant where where' }],
  },
  'sql-ors': {
    speaks: [[2, { sql: 'select name from plant where price = 1 or price = 2 or price = 3' }]],
    silent: [{ sql: 'select name from plant where price = 1 and height = 2' }],
  },
  'sql-ands': {
    speaks: [[1, { sql: 'select name from plant where price = 1 and height = 2' }]],
    silent: [{ sql: 'select name from plant where price = 1 or height = 2' }],
  },
  'sql-not-in': {
    speaks: [
      [1, { sql: 'select name from plant where price not in (1, 2)' }],
      [1, { sql: 'select city from grower where grower_id not in (select grower_id from plant)' }],
      [
        1,
        {
          sql: 'select city from grower g where not exists (select 1 from plant p where p.grower_id = g.grower_id)',
        },
      ],
    ],
    silent: [{ sql: 'select city from grower where grower_id in (select grower_id from plant)' }],
  },
  'sql-in-query': {
    speaks: [
      [1, { sql: 'select city from grower where grower_id in (select grower_id from plant)' }],
      [
        1,
        {
          sql: 'select city from grower g where exists (select 1 from plant p where p.grower_id = g.grower_id)',
        },
      ],
    ],
    silent: [{ sql: 'select name from plant where price in (1, 2)' }],
  },
  'sql-null-tested': {
    speaks: [
      [1, { sql: 'select name from plant where price is null' }],
      [1, { sql: 'select name from plant where price is not null' }],
    ],
    silent: [{ sql: 'select name from plant where price = 0' }],
  },
  'sql-count-shown-of-groups': {
    speaks: [[1, { sql: 'select city, count(*) from grower group by city order by count(*) desc limit 1' }]],
    silent: [
      { sql: 'select city from grower group by city order by count(*) desc limit 1' },
      { sql: 'select city, count(*) from grower group by city order by city' },
    ],
  },
  'sql-in-list-and': {
    speaks: [
      [
        1,
        {
          question: 'Which growers sell both ferns and palms?',
          sql: "select grower_id from plant where name in ('Fern', 'Palm')",
        },
      ],
      [
        1,
        {
          question: 'Which growers sell both ferns and palms?',
          sql: "select grower_id from plant where name = 'Fern' or name = 'Palm'",
        },
      ],
    ],
    silent: [
      {
        question: 'Which growers sell ferns or palms?',
        sql: "select grower_id from plant where name in ('Fern', 'Palm')",
      },
      {
        question: 'Which growers sell both ferns and palms?',
        sql: "select grower_id from plant where name = 'Fern' intersect select grower_id from plant where name = 'Palm'",
      },
    ],
  },
  'join-fan-out-aggregate': {
    speaks: [
      [1, { sql: `select avg(founded) ${joined}` }],
      [1, { sql: `select sum(g.founded) ${joined}` }],
    ],
    silent: [
      { sql: `select avg(p.price) ${joined}` },
      { sql: 'select avg(founded) from grower' },
      { sql: `select max(g.founded) ${joined}` },
    ],
  },
  'join-fan-out-list': {
    speaks: [[1, { sql: `select g.grower_name ${joined}`, rows: [['Ada'], ['Ada']] }]],
    silent: [
      { sql: `select g.grower_name ${joined}`, rows: [['Ada'], ['Bo']] },
      { sql: `select distinct g.grower_name ${joined}`, rows: [['Ada'], ['Ada']] },
      { sql: `select p.name ${joined}`, rows: [['Fern'], ['Fern']] },
      { sql: `select g.city, count(*) ${joined} group by g.city`, rows: [['Lund'], ['Lund']] },
    ],
  },
  'join-off-keys': {
    speaks: [
      [2, { sql: 'select g.city from grower g join weather w on w.city = g.city' }],
      [1, { sql: `select g.city ${joined} join weather w on w.city = g.city` }],
    ],
    silent: [{ sql: `select g.city ${joined}` }, { sql: 'select city from weather' }],
  },
  'table-unused': {
    speaks: [[1, { sql: `select p.name ${joined}` }]],
    silent: [{ sql: `select p.name, g.city ${joined}` }, { sql: 'select grower_id from plant' }],
  },
}

describe.each(['sqlite', 'postgres'] as const)('what is measured of a candidate, %s', dialect => {
  const catalog = catalogOf(dialect)

  it.each(candidateMeasures.map(({ name, measure }) => [name, measure] as const))('%s', (name, measure) => {
    const { speaks, silent } = cases[name] ?? { speaks: [], silent: [] }
    // A new measure needs a case that it speaks of and one that it does not.
    expect([speaks.length, silent.length]).not.toContain(0)
    for (const [value, one] of speaks)
      expect(measure(factsOf(one, catalog)), JSON.stringify(one.sql)).toBeCloseTo(value, 10)
    for (const one of silent) expect(measure(factsOf(one, catalog)), one.sql ?? one.question).toBe(0)
  })
})

describe('the measures of a candidate', () => {
  it('have names of their own, and are all tried here', () => {
    const names = candidateMeasures.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(Object.keys(cases).sort()).toEqual([...names].sort())
  })
})
