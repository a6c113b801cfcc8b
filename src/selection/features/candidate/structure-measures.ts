import type { SqlShape } from '../../../sql/sql-shape.ts'
import type { CandidateFacts, CandidateMeasure } from './candidate-facts.ts'

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
export const structureMeasures: readonly CandidateMeasure[] = [
  {
    name: 'sql-unread',
    reason: 'the statement is of an unusual form',
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
