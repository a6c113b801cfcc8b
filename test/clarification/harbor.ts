import { findClarification } from '../../src/clarification/find-clarification.ts'
import type { Candidate, ExecutionGroup } from '../../src/domain/candidate.ts'
import type { Catalog } from '../../src/domain/catalog.ts'
import type { ScoredClarification } from '../../src/domain/clarification.ts'
import type { ResultHead } from '../../src/domain/result.ts'
import { makeCandidate, ranWith } from '../helpers/make-candidate.ts'
import { makeColumn } from '../helpers/make-column.ts'
import { makeTable } from '../helpers/make-table.ts'

const table = (name: string, ...columns: readonly string[]) =>
  makeTable(
    name,
    columns.map(column => makeColumn(column)),
  )

export const harbor: Catalog = {
  dialect: 'sqlite',
  tables: [
    table('Boats', 'id', 'name', 'home_port', 'build_port', 'length_m', 'owner_id'),
    table('Owners', 'id', 'name', 'city', 'county'),
    table('Repairs', 'boat_id', 'cost', 'day'),
  ],
  foreignKeys: [],
  fingerprint: 'harbour',
}

/** A result that some statements give, how likely it is, and what it looks like. */
export interface Result {
  readonly sql: readonly string[]
  readonly score: number
  readonly rows?: number
  readonly head?: ResultHead
  /** Equal where results are equal but for repeated rows. */
  readonly columnsKey?: string
}

/** Candidates, groups and heads of a question in which each result is one group, best first. */
export const contest = (
  results: readonly Result[],
): {
  readonly groups: readonly ExecutionGroup[]
  readonly candidates: readonly Candidate[]
  readonly heads: ReadonlyMap<string, ResultHead>
} => ({
  groups: results.map(({ sql, score }, at) => ({
    key: `g${at}`,
    candidateIds: sql.map((_, nth) => `c${at}.${nth}`),
    representativeId: `c${at}.0`,
    score,
  })),
  candidates: results.flatMap(({ sql, rows = 2, columnsKey }, at) =>
    sql.map((text, nth) => {
      const run = ranWith(`g${at}`, rows)
      return makeCandidate({
        id: `c${at}.${nth}`,
        path: 'query-plan',
        sql: text,
        run: run.status === 'ran' && columnsKey !== undefined ? { ...run, columnsKey } : run,
      })
    }),
  ),
  heads: new Map(results.flatMap(({ head }, at) => (head ? [[`result-of-g${at}`, head] as const] : []))),
})

export const askAbout = (question: string, ...results: readonly Result[]): ScoredClarification | null =>
  findClarification({ question, catalog: harbor, ...contest(results) })

/** The question with its options as a person reads them. */
export const read = (found: ScoredClarification | null): readonly string[] =>
  found === null
    ? []
    : [
        found.clarification.question,
        ...found.clarification.options.map(({ label, hint }) => (hint === '' ? label : `${label}: ${hint}`)),
      ]
