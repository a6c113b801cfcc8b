import type { Candidate, ExecutionGroup } from '../../src/domain/candidate.ts'
import { parseDatabaseRef } from '../../src/domain/database.ts'
import type { QuestionContext } from '../../src/domain/question-context.ts'
import type { ResultHead } from '../../src/domain/result.ts'
import type { Trace, TracedGroup } from '../../src/domain/trace.ts'
import { formatCell } from '../../src/lib/format-cell.ts'
import type { DraftingDeps, StoringDeps } from './deps.ts'
import { findShortfalls } from './shortfalls.ts'
import { outcomeOf, questionText, type State } from './state.ts'

/** Rows, columns and characters of a cell that are kept of a group's result: enough to tell two groups apart. */
const HEAD_ROWS = 3

const HEAD_COLUMNS = 8

const CELL_LENGTH = 40

/** Collects the trace of a run so far: its state, its run store and the first rows of its results. */
export const collectTrace = async (
  state: State,
  deps: Pick<StoringDeps, 'runStore' | 'loadHeads'> & Pick<DraftingDeps, 'paths'>,
): Promise<Trace> => {
  const { question, groups } = state
  const candidates = await deps.runStore.loadCandidates(question.id)
  const context = state.kind === null ? null : await loadContextIfAny(question.id, deps)
  const results = resultsOf(groups, candidates)
  const shortfalls = findShortfalls({ ...state, candidates }, deps.paths)
  const heads = deps.loadHeads
    ? await deps.loadHeads([...results.values()], HEAD_ROWS)
    : new Map<string, ResultHead>()
  return boundTrace({
    questionId: question.id,
    question: questionText(question),
    database: parseDatabaseRef(question.database).database,
    understanding: context && pickUnderstanding(context),
    keywords: context?.keywords ?? [],
    values: context?.matches ?? [],
    schema: context?.linked.tables ?? [],
    waves: state.waves,
    candidates: candidates.map(withoutObservation),
    groups: groups.map(group => withHead(group, heads.get(results.get(group.key) ?? ''))),
    comparisons: state.comparisons,
    reply: state.reply,
    outcome: outcomeOf(state),
    cannotAnswer: state.cannotAnswer ?? [],
    failures: state.failures,
    steps: state.steps,
    strategy: state.strategy ?? null,
    calls: state.calls ?? [],
    usage: state.usage,
    leftOut: [],
    ...(shortfalls.length > 0 && { shortfalls }),
  })
}

/** What the selector measured is its own; its reasons are with the groups. */
const withoutObservation = (candidate: Candidate): Candidate => {
  const { run } = candidate
  if (run?.status !== 'ran') return candidate
  const { observation: _, ...evidence } = run.evidence
  return { ...candidate, run: { ...run, evidence } }
}

/** A question that was refused for its length was never read, so it has no question context. */
const loadContextIfAny = (
  questionId: string,
  { runStore }: Pick<StoringDeps, 'runStore'>,
): Promise<QuestionContext | null> => runStore.loadContext(questionId).catch(() => null)

const pickUnderstanding = ({ understanding }: QuestionContext): Trace['understanding'] => {
  const { text, spans, today, timeZone } = understanding
  return { text, spans, today, timeZone }
}

/** The saved result of each group: its representative's, by the key of the group. */
const resultsOf = (
  groups: readonly ExecutionGroup[],
  candidates: readonly Candidate[],
): ReadonlyMap<string, string> => {
  const runs = new Map(candidates.map(({ id, run }) => [id, run]))
  return new Map(
    groups.flatMap(({ key, representativeId }) => {
      const run = runs.get(representativeId)
      return run?.status === 'ran' ? [[key, run.resultId] as const] : []
    }),
  )
}

const withHead = (group: ExecutionGroup, head: ResultHead | undefined): TracedGroup => ({
  ...group,
  head: head === undefined ? null : asText(head),
})

const asText = ({ columns, rows }: ResultHead): TracedGroup['head'] => ({
  columns: columns.slice(0, HEAD_COLUMNS).map(({ name }) => name.slice(0, CELL_LENGTH)),
  rows: rows.map(row =>
    row
      .slice(0, HEAD_COLUMNS)
      .map((cell, i) => formatCell(cell, { maxLength: CELL_LENGTH, kind: columns[i]?.kind ?? 'unknown' })),
  ),
})

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
  cannotAnswer: 40,
  failures: 40,
  calls: 80,
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
    cannotAnswer: first('drafts without a statement', trace.cannotAnswer, MOST.cannotAnswer),
    failures: first('failures', trace.failures, MOST.failures),
    ...(trace.calls ? { calls: first('calls of agents', trace.calls, MOST.calls) } : {}),
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
