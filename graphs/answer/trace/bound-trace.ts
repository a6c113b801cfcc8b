import type { Candidate } from '../../../src/core/candidate.ts'
import type { Trace } from '../../../src/core/trace.ts'

/** Most of each; a run has seldom a tenth of it. What decides comes first in every list but that of the candidates. */
const MOST = {
  keywords: 40,
  values: 40,
  tables: 60,
  columns: 60,
  candidates: 80,
  groups: 40,
  comparisons: 120,
  waves: 60,
  failures: 40,
}

/** Most characters of a statement and of a message. Longer ones are cut; the candidates are kept whole elsewhere. */
const SQL_LENGTH = 4_000
const MESSAGE_LENGTH = 500

/** Most bytes of a trace as JSON. With twenty-one replayed drafts it takes 25 kB in the median, 32 at most (40 questions). */
const MOST_BYTES = 200_000

/** What is given up, one after the other, until a trace is small enough. */
const savings: readonly (readonly [name: string, save: (trace: Trace) => Trace])[] = [
  ['repairs', trace => ({ ...trace, candidates: trace.candidates.map(one => ({ ...one, repairs: [] })) })],
  ['first rows', trace => ({ ...trace, groups: trace.groups.map(group => ({ ...group, head: null })) })],
  ['values', trace => ({ ...trace, values: [] })],
  ['schema', trace => ({ ...trace, schema: [] })],
  ['statements', trace => ({ ...trace, candidates: trace.candidates.map(shorten(200)) })],
  ['candidates', trace => ({ ...trace, candidates: trace.candidates.slice(0, 20) })],
]

/** Cuts a trace to its bounds, and says what was cut. */
export const boundTrace = (whole: Trace): Trace => {
  let trace = withoutExcess(whole)
  for (const [name, save] of savings) {
    if (Buffer.byteLength(JSON.stringify(trace)) <= MOST_BYTES) break
    trace = { ...save(trace), leftOut: [...trace.leftOut, name] }
  }
  return trace
}

const withoutExcess = (trace: Trace): Trace => {
  const leftOut: string[] = [...trace.leftOut]
  const first = <T>(name: string, list: readonly T[], most: number): readonly T[] => {
    if (list.length > most) leftOut.push(`${list.length - most} ${name}`)
    return list.slice(0, most)
  }
  return {
    ...trace,
    question: trace.question.slice(0, SQL_LENGTH),
    keywords: first('keywords', trace.keywords, MOST.keywords),
    values: first('values', trace.values, MOST.values),
    schema: first('tables', trace.schema, MOST.tables).map(({ table, keep }) => ({
      table,
      keep: keep === 'all' ? keep : first(`columns of ${table}`, keep, MOST.columns),
    })),
    waves: first('decisions to draft', trace.waves, MOST.waves),
    candidates: first('candidates', trace.candidates, MOST.candidates).map(shorten(SQL_LENGTH)),
    groups: first('groups', trace.groups, MOST.groups),
    comparisons: first('comparisons', trace.comparisons, MOST.comparisons),
    failures: first('failures', trace.failures, MOST.failures),
    leftOut,
  }
}

const shorten =
  (longest: number) =>
  (candidate: Candidate): Candidate => ({
    ...candidate,
    sql: cut(candidate.sql, longest),
    repairs: candidate.repairs.map(repair => ({
      ...repair,
      sql: cut(repair.sql, longest),
      message: cut(repair.message, MESSAGE_LENGTH),
    })),
    run:
      candidate.run?.status === 'failed'
        ? { ...candidate.run, message: cut(candidate.run.message, MESSAGE_LENGTH) }
        : candidate.run,
  })

const cut = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest - 1)}…` : text
