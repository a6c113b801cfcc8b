import type { QuestionContext } from '../../../src/core/brief.ts'
import type { Candidate } from '../../../src/core/candidate.ts'
import { parseDatabaseRef } from '../../../src/core/database-view.ts'
import type { ExecutionGroup } from '../../../src/core/execution-group.ts'
import type { ResultHead } from '../../../src/core/result-head.ts'
import type { Trace, TracedGroup } from '../../../src/core/trace.ts'
import { formatCell } from '../../../src/lib/format-cell.ts'
import type { AnswerDeps } from '../deps.ts'
import type { State } from '../state.ts'
import { boundTrace } from './bound-trace.ts'

/** Rows, columns and characters of a cell that are kept of a group's result: enough to tell two groups apart. */
const HEAD_ROWS = 3
const HEAD_COLUMNS = 8
const CELL_LENGTH = 40

/** Gathers the trace of a run from where it stands: its state, its workbench and the heads of its results. */
export const collectTrace = async (
  state: State,
  deps: Pick<AnswerDeps, 'workbench' | 'loadHeads'>,
): Promise<Trace> => {
  const { question, groups } = state
  const candidates = await deps.workbench.loadCandidates(question.id)
  const brief = state.kind === null ? null : await loadBriefIfThere(question.id, deps)
  const results = resultsOf(groups, candidates)
  const heads = deps.loadHeads
    ? await deps.loadHeads([...results.values()], HEAD_ROWS)
    : new Map<string, ResultHead>()
  return boundTrace({
    questionId: question.id,
    question: question.text,
    database: parseDatabaseRef(question.database).database,
    understanding: brief && pickUnderstanding(brief),
    keywords: brief?.keywords ?? [],
    values: brief?.matches ?? [],
    schema: brief?.linked.tables ?? [],
    waves: state.waves,
    candidates: candidates.map(withoutObservation),
    groups: groups.map(group => withHead(group, heads.get(results.get(group.key) ?? ''))),
    comparisons: state.comparisons,
    reply: state.reply,
    outcome: state.outcome,
    failures: state.failures,
    steps: state.steps,
    usage: state.usage,
    leftOut: [],
  })
}

/** What the selector measured is its own; its reasons are with the groups. */
const withoutObservation = (candidate: Candidate): Candidate => {
  const { run } = candidate
  if (run?.status !== 'ran') return candidate
  const { observation: _, ...evidence } = run.evidence
  return { ...candidate, run: { ...run, evidence } }
}

/** A question that was refused for its length was never read: it has no brief. */
const loadBriefIfThere = (
  questionId: string,
  { workbench }: Pick<AnswerDeps, 'workbench'>,
): Promise<QuestionContext | null> => workbench.loadContext(questionId).catch(() => null)

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
