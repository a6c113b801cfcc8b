import type { CandidateFacts, CandidateMeasure } from './candidate-facts.ts'

const flag = (yes: boolean): number => (yes ? 1 : 0)
const rowsOf = ({ table }: CandidateFacts): number => table.rows.length
const isOneNumber = ({ table }: CandidateFacts): boolean =>
  table.rows.length === 1 && table.columns.length === 1
const repeats = ({ table, distinctRows }: CandidateFacts): boolean => distinctRows < table.rows.length

/** What execution says. Such evidence carries most of what a selector gains over plain votes. */
export const resultMeasures: readonly CandidateMeasure[] = [
  {
    // A question seldom asks for nothing.
    name: 'result-empty',
    reason: 'its result is empty',
    measure: facts => flag(rowsOf(facts) === 0),
  },
  {
    // "Which have none" may well find nothing: the pull against emptiness must be able to give way.
    name: 'result-empty-negation',
    reason: 'its result is empty, and the question asks for what is not there',
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
    reason: 'its result repeats rows, and the question asks for different ones',
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
