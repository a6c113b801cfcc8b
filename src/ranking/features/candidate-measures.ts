import type { Catalog } from '../../domain/catalog.ts'
import type { MeantPhrase } from '../../domain/metrics/meant-phrase.ts'
import type { ResultTable } from '../../domain/result.ts'
import type { SqlLiteral, SqlReferences } from '../../sql/analyze/sql-scopes.ts'
import type { SqlShape } from '../../sql/analyze/sql-shape.ts'
import type { Cue } from '../question-match/question-cues.ts'
import { joinMeasures } from './join-measures.ts'
import { layerMeasures } from './layer-measures.ts'

const flag = (yes: boolean): number => (yes ? 1 : 0)

const rowsOf = ({ table }: CandidateFacts): number => table.rows.length

const isOneNumber = ({ table }: CandidateFacts): boolean =>
  table.rows.length === 1 && table.columns.length === 1

const repeats = ({ table, distinctRows }: CandidateFacts): boolean => distinctRows < table.rows.length

/** What execution says. Such evidence carries most of what a selector gains over plain votes. */
const resultMeasures: readonly CandidateMeasure[] = [
  {
    // A question seldom asks for nothing.
    name: 'result-empty',
    reason: 'its result is empty',
    measure: facts => flag(rowsOf(facts) === 0),
  },
  {
    // "Which have none" may well find nothing: the pull against emptiness must be able to give way.
    name: 'result-empty-negation',
    reason: 'its result is empty, and the question asks what is missing',
    measure: facts => flag(rowsOf(facts) === 0 && facts.cues.has('negation')),
  },
  {
    name: 'result-zero',
    reason: 'it counts or adds up nothing',
    measure: ({ table }) =>
      flag(
        table.rows.length === 1 &&
          (table.rows[0] ?? []).every(cell => cell === null || cell === 0 || cell === 0n || cell === '0'),
      ),
  },
  { name: 'result-null-share', reason: 'much of its result is NULL', measure: ({ nullShare }) => nullShare },
  {
    name: 'result-all-null',
    reason: 'its result has nothing but NULL',
    measure: facts => flag(rowsOf(facts) > 0 && facts.nullShare === 1),
  },
  { name: 'result-one-row', reason: 'its result is one row', measure: facts => flag(rowsOf(facts) === 1) },
  { name: 'result-log-rows', reason: 'its result is long', measure: facts => Math.log1p(rowsOf(facts)) },
  { name: 'result-columns', reason: 'its result is wide', measure: ({ table }) => table.columns.length },
  {
    name: 'result-repeats',
    reason: 'its result repeats rows',
    measure: facts => flag(repeats(facts)),
  },
  {
    name: 'result-repeat-share',
    reason: 'much of its result is repetition',
    measure: facts => (rowsOf(facts) === 0 ? 0 : 1 - facts.distinctRows / rowsOf(facts)),
  },
  {
    name: 'result-repeats-distinct',
    reason: 'its result repeats rows, and the question asks for distinct ones',
    measure: facts => flag(repeats(facts) && facts.cues.has('distinct')),
  },
  {
    name: 'result-number-asked',
    reason: 'it is one number, as a question for a count wants',
    measure: facts => flag(facts.cues.has('count') && !facts.cues.has('each') && isOneNumber(facts)),
  },
  {
    name: 'result-number-missed',
    reason: 'the question wants one count, and it gives something else',
    measure: facts => flag(facts.cues.has('count') && !facts.cues.has('each') && !isOneNumber(facts)),
  },
  {
    name: 'result-one-for-each',
    reason: 'the question asks for each of something, and it gives one row',
    measure: facts => flag(facts.cues.has('each') && rowsOf(facts) === 1),
  },
  {
    name: 'result-one-superlative',
    reason: 'the question asks for the most or least of something, and it gives one row',
    measure: facts => flag(facts.cues.has('superlative') && rowsOf(facts) === 1),
  },
]

const toNumber = (yes: boolean): number => (yes ? 1 : 0)

/** A measure of the statement's shape; 0 for one that cannot be parsed. */
const ofShape = (
  name: string,
  reason: string,
  measure: (shape: SqlShape, facts: CandidateFacts) => number,
): CandidateMeasure => ({
  name,
  reason,
  measure: facts => (facts.shape === null ? 0 : measure(facts.shape, facts)),
})

const comparisons = ({ comparisons }: SqlShape, ...names: (keyof SqlShape['comparisons'])[]): number =>
  names.reduce((sum, name) => sum + (comparisons[name] ?? 0), 0)

const aggregates = ({ items }: SqlShape): number => items.filter(({ aggregate }) => aggregate !== null).length

/** How the statement is made. None of these is a fault; systems make some of them more often where they are wrong. */
const structureMeasures: readonly CandidateMeasure[] = [
  {
    name: 'sql-unread',
    reason: 'the statement has an unusual shape',
    measure: ({ shape }) => toNumber(shape === null),
  },
  ofShape('sql-distinct', 'it drops repeated rows', shape => toNumber(shape.distinct)),
  ofShape('sql-star', 'it shows all columns', ({ items }) =>
    toNumber(items.some(({ star, aggregate }) => star && aggregate === null)),
  ),
  ofShape('sql-outer-join', 'it keeps rows without partners', shape => toNumber(shape.outerJoins > 0)),
  ofShape('sql-count-distinct', 'it counts different ones', ({ items }) =>
    toNumber(items.some(({ distinct }) => distinct)),
  ),
  ofShape('sql-limit-one', 'it keeps only the first row', ({ limit }) => toNumber(limit === 1)),
  ofShape('sql-like', 'it searches by a pattern', shape =>
    toNumber(comparisons(shape, 'like', 'not-like') > 0),
  ),
  ofShape('sql-sources', 'it reads many tables', ({ sources }) => sources),
  ofShape('sql-tables', 'it names many tables', ({ tables }) => tables.length),
  ofShape('sql-nested', 'it is nested', ({ nested }) => nested),
  ofShape('sql-union', 'it puts results together', ({ setOperation }) => toNumber(setOperation === 'union')),
  ofShape('sql-except', 'it takes one result from another', ({ setOperation }) =>
    toNumber(setOperation === 'except'),
  ),
  ofShape('sql-intersect', 'it keeps what two results share', ({ setOperation }) =>
    toNumber(setOperation === 'intersect'),
  ),
  ofShape('sql-grouped', 'it groups', ({ groupBy }) => groupBy.length),
  ofShape('sql-having', 'it sets a condition on groups', ({ having }) => toNumber(having !== null)),
  ofShape('sql-ordered', 'it orders rows', ({ orderBy }) => orderBy.length),
  ofShape('sql-aggregates', 'it shows aggregates', aggregates),
  ofShape('sql-items', 'it shows many things', ({ items }) => items.length),
  ofShape('sql-ors', 'it has alternatives', ({ ors }) => ors),
  ofShape('sql-ands', 'it has many conditions', ({ ands }) => ands),
  ofShape('sql-not-in', 'it leaves out what a list or query names', shape =>
    toNumber(comparisons(shape, 'not-in-list', 'not-in-query', 'not-exists') > 0),
  ),
  ofShape('sql-in-query', 'it looks up in a nested query', shape =>
    toNumber(comparisons(shape, 'in-query', 'exists') > 0),
  ),
  ofShape('sql-null-tested', 'it tests for NULL', shape =>
    toNumber(comparisons(shape, 'null', 'not-null') > 0),
  ),
  ofShape('sql-count-shown-of-groups', 'it shows the count that it ranks groups by', shape =>
    toNumber(
      shape.groupBy.length > 0 &&
        shape.orderBy.some(({ aggregate }) => aggregate === 'count') &&
        shape.items.some(({ aggregate }) => aggregate === 'count'),
    ),
  ),
  ofShape('sql-in-list-and', 'it takes either of two where the question says "and"', (shape, { cues }) =>
    toNumber(
      (comparisons(shape, 'in-list') > 0 || shape.ors > 0) &&
        shape.setOperation === null &&
        cues.has('both') &&
        !cues.has('distinct'),
    ),
  ),
]

/** Measures of one candidate by itself, besides those of the question match and the shape prior. */
export const candidateMeasures: readonly CandidateMeasure[] = [
  ...resultMeasures,
  ...structureMeasures,
  ...joinMeasures,
  ...layerMeasures,
]

/** What the measures of one candidate that ran are taken from; all without knowing what is right. */
export interface CandidateFacts {
  /** What the question asks for by phrases of general English. */
  readonly cues: ReadonlySet<Cue>
  /** Null where the statement cannot be parsed. */
  readonly shape: SqlShape | null
  readonly references: SqlReferences | null
  readonly table: ResultTable
  readonly distinctRows: number
  /** Share of the cells that are NULL, 0 to 1. */
  readonly nullShare: number
  readonly catalog: Catalog
  readonly literals: readonly SqlLiteral[]
  /** What the layer of the database takes the question to mean. */
  readonly meant: readonly MeantPhrase[]
}

/** One thing that is measured of a candidate. */
export interface CandidateMeasure {
  /** How it is named in models and reports; never changed, because trained files name it. */
  readonly name: string
  /** What a value above 0 says, for a person. */
  readonly reason: string
  readonly measure: (facts: CandidateFacts) => number
}
