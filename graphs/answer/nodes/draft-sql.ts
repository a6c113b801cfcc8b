import {
  type Candidate,
  type CannotAnswer,
  candidateId,
  type Draft,
  type DraftOrigin,
  type DraftPath,
  type PathDrafts,
} from '../../../src/domain/candidate.ts'
import type { Catalog } from '../../../src/domain/catalog.ts'
import { ModelError, QuerentError } from '../../../src/domain/errors.ts'
import { addModelUsage } from '../../../src/domain/operations/usage.ts'
import type { LinkedSchema, QuestionContext } from '../../../src/domain/question-context.ts'
import type { TracedFailure } from '../../../src/domain/trace.ts'
import { toInertText } from '../../../src/lib/inert-text.ts'
import type { DraftingDeps, LinkingDeps, NodeRun, OpenDatabase, StoringDeps } from '../deps.ts'
import { limitToNewest, newestRowsOf } from '../expensive/newest-rows.ts'
import type { DraftTask, Update } from '../state.ts'
import { withLiveValues } from '../understanding/live-values.ts'

interface DraftDeps {
  readonly database: OpenDatabase
  readonly linking: Pick<LinkingDeps, 'linkSchema'>
  readonly drafting: Pick<DraftingDeps, 'paths'>
  readonly storing: Pick<StoringDeps, 'runStore'>
}

/**
 * One branch of the fan-out: drafts along one path and stores the candidates. Never throws, except for
 * a stop: a path that fails leaves no candidates, and the other paths answer without it.
 */
export const makeDraftSql = (deps: DraftDeps) => {
  const paths = new Map(deps.drafting.paths.map(path => [path.name as string, path]))
  return async (task: DraftTask, run: NodeRun): Promise<Update> => {
    const path = paths.get(task.path)
    if (!path) return {}
    run.writer?.({ step: 'draft', detail: `Drafting: ${path.name}` })
    try {
      return await draftWithPath(path, task, run, deps)
    } catch (error) {
      run.signal?.throwIfAborted()
      run.writer?.({ step: 'draft', detail: `${path.name} failed: ${messageOf(error)}` })
      const failures = [{ path: path.name, sample: task.sample, message: messageOf(error), ...codeOf(error) }]
      // A call that failed was still paid for.
      return error instanceof ModelError ? { failures, usage: error.usage } : { failures }
    }
  }
}

const draftWithPath = async (
  path: DraftPath,
  task: DraftTask,
  run: NodeRun,
  deps: Omit<DraftDeps, 'drafting'>,
): Promise<Update> => {
  const context = await deps.storing.runStore.loadContext(task.question.id)
  const opened = await deps.database(task.question.database, run)
  const database = await withLiveValues(opened, context.understanding, run)
  const input = { database, sample: task.sample, questionId: task.question.id, ...signalOf(run) }
  let drafted = await path.draft({ ...context, ...input })
  if (drafted.kind === 'cannot-answer') {
    const linked = await widerSchema(context, database.catalog, run, deps.linking)
    if (linked !== null) {
      const again = await path.draft({ ...context, ...input, linked }).catch(keepFirst(drafted))
      drafted = { ...again, usage: addModelUsage(drafted.usage, again.usage) }
    }
  }
  const { usage } = drafted
  if (drafted.kind === 'cannot-answer') return { cannotAnswer: [asCannotAnswer(drafted, path, task)], usage }
  const { drafts } = drafted
  const newest = newestRowsOf(context.understanding, task.question, database.catalog)
  const candidates = drafts.map((draft, rank) =>
    asCandidate(limitToNewest(draft, newest, database.catalog), path, task, rank),
  )
  await deps.storing.runStore.saveCandidates(task.question.id, candidates)
  return {
    ...(drafted.declined === undefined ? {} : { failures: [declinedBy(path, task, drafted.declined)] }),
    candidateIds: candidates.map(({ id }) => id),
    drafted: candidates.map(({ id, path, origin: { attempt, round } }) => ({ id, path, attempt, round })),
    usage,
  }
}

/**
 * A model that finds nothing to answer with may have been shown too little: twice as many columns, for this draft
 * alone. Null when all of them were shown.
 */
const widerSchema = async (
  { understanding, matches, linked }: QuestionContext,
  catalog: Catalog,
  run: NodeRun,
  { linkSchema }: DraftDeps['linking'],
): Promise<LinkedSchema | null> => {
  const shown = countColumns(linked, catalog)
  if (shown === countColumns(null, catalog)) return null
  return linkSchema({ understanding, catalog, matches, columns: shown * 2, ...signalOf(run) })
}

/** If the second call fails, the reply of the first is used; both count as usage. */
const keepFirst =
  (first: PathDrafts) =>
  (error: unknown): PathDrafts => {
    if (!(error instanceof ModelError) || error.code === 'cancelled') throw error
    return { ...first, usage: error.usage }
  }

const asCannotAnswer = (
  { lineage, reason }: Extract<PathDrafts, { kind: 'cannot-answer' }>,
  { name: path }: DraftPath,
  task: DraftTask,
): CannotAnswer => ({ origin: originOf(task), path, lineage, reason: toInertText(reason) })

/** A model may have given the reason in its own words, which may be somebody else's. */
const declinedBy = ({ name }: DraftPath, { sample }: DraftTask, reason: string): TracedFailure => ({
  path: name,
  sample,
  message: toInertText(reason) ?? '',
  isDeclined: true,
})

const originOf = ({ round: attempt, wave: round, sample }: DraftTask): DraftOrigin => ({
  attempt,
  round,
  sample,
})

const asCandidate = (draft: Draft, { name: path }: DraftPath, task: DraftTask, rank: number): Candidate => {
  const origin = originOf(task)
  return { ...draft, id: candidateId(origin, { path, rank }), origin, path, rank, repairs: [], run: null }
}

const signalOf = (run: NodeRun): { signal?: AbortSignal } => (run.signal ? { signal: run.signal } : {})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const codeOf = (error: unknown): Pick<TracedFailure, 'code' | 'limit'> => ({
  ...(error instanceof QuerentError && { code: error.code }),
  ...(error instanceof ModelError && error.limit !== null && { limit: error.limit }),
})

/** How many columns of a catalog a linked schema shows; with null, how many there are. */
const countColumns = (linked: LinkedSchema | null, { tables }: Pick<Catalog, 'tables'>): number => {
  if (linked === null) return tables.reduce((sum, table) => sum + table.columns.length, 0)
  return linked.tables.reduce((sum, { table: name, keep }) => {
    if (keep !== 'all') return sum + keep.length
    const table = tables.find(table => table.name === name || `${table.schema}.${table.name}` === name)
    return sum + (table?.columns.length ?? 0)
  }, 0)
}
