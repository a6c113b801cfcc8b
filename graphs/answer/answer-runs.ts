import { type BaseCheckpointSaver, Command } from '@langchain/langgraph'
import type {
  AnswerEvent,
  AnswerReport,
  AnswerRunOptions,
  AnswerRuns,
  Outcome,
} from '../../src/domain/answer.ts'
import type { Candidate } from '../../src/domain/candidate.ts'
import { type SpanFacts, withoutSpans } from '../../src/domain/operations/telemetry.ts'
import type { Question } from '../../src/domain/question.ts'
import type { QuestionContext, RunStore } from '../../src/domain/question-context.ts'
import type { StrategyName } from '../../src/domain/strategies/strategy.ts'
import type { Trace } from '../../src/domain/trace.ts'
import type { AnswerDeps } from './deps.ts'
import { buildAnswerGraph } from './graph.ts'
import { outcomeOf, type State } from './state.ts'
import { collectTrace } from './trace.ts'

/**
 * Where the checkpoints say that a run stands. A job that is delivered again goes on from there, and never begins
 * from the start: the reducers of one thread would add the second run to the first.
 */
type RunPosition =
  | { readonly at: 'nothing' }
  | { readonly at: 'middle' }
  | { readonly at: 'question-back'; readonly state: State }
  | { readonly at: 'end'; readonly state: State }

/**
 * Super-steps of one run at most. A round takes four. A hundred drafts take fourteen rounds, twice that if a reply
 * begins another round.
 */
const MOST_STEPS = 200

/** Runs of one strategy. */
export interface StrategyRuns extends AnswerRuns {
  /** The strategy by which a question is being answered; null if it has not started, or says none. */
  strategyOf(questionId: string): Promise<StrategyName | null>
}

/** Makes the answer graph over its dependencies; one LangGraph thread a question (design: life of one question). */
export const makeAnswerRuns = (deps: AnswerDeps, checkpointer: BaseCheckpointSaver): StrategyRuns => {
  const runStore = makeCachedRunStore(deps.storing.runStore)
  const storing = { ...deps.storing, runStore }
  const reporting = { ...storing, paths: deps.drafting.paths }
  const { inSpan = withoutSpans, spansTellQuestions } = deps.observing
  const graph = buildAnswerGraph({ ...deps, storing }, checkpointer)
  type Input = Parameters<typeof graph.stream>[0]

  const stand = async (questionId: string): Promise<RunPosition> => {
    const snapshot = await graph.getState({ configurable: { thread_id: questionId } })
    if (snapshot.createdAt === undefined) return { at: 'nothing' }
    const state = snapshot.values as State
    if (snapshot.tasks.some(task => task.interrupts.length > 0)) return { at: 'question-back', state }
    // Not `next`: checkpoints are written behind the run, and `next` leaves out tasks whose writes are stored already.
    return snapshot.tasks.length > 0 ? { at: 'middle' } : { at: 'end', state }
  }

  const run = (
    questionId: string,
    input: Input,
    options: AnswerRunOptions & { readonly facts?: SpanFacts },
  ): Promise<AnswerReport> =>
    inSpan('answer-question', { questionId, ...options.facts }, async span => {
      const close = runStore.open(questionId)
      try {
        await follow(questionId, input, options)
        // Before the cache is dropped: the report reads everything that the run wrote.
        const done = await makeReport(questionId, await stand(questionId), reporting)
        span.set(factsOfReport(done))
        return done
      } finally {
        close()
      }
    })

  const follow = async (questionId: string, input: Input, options: AnswerRunOptions): Promise<void> => {
    const events = await graph.stream(input, {
      configurable: { thread_id: questionId },
      streamMode: 'custom',
      recursionLimit: MOST_STEPS,
      ...(options.signal ? { signal: options.signal } : {}),
    })
    for await (const event of events) options.onEvent?.(event as AnswerEvent)
  }

  const trace = async (questionId: string): Promise<Trace | null> => {
    const snapshot = await graph.getState({ configurable: { thread_id: questionId } })
    return snapshot.createdAt === undefined ? null : collectTrace(snapshot.values as State, reporting)
  }

  return {
    trace,
    strategyOf: async questionId => {
      const found = await checkpointer.getTuple({ configurable: { thread_id: questionId } })
      return (found?.checkpoint.channel_values.strategy as StrategyName | undefined) ?? null
    },
    start: async (question, options = {}) => {
      const found = await stand(question.id)
      if (found.at === 'nothing') {
        const { id, database, text } = question
        const facts = { database, ...(spansTellQuestions ? { question: text } : {}) }
        return run(id, { question: asAsked(question), strategy: deps.strategy }, { ...options, facts })
      }
      return found.at === 'middle'
        ? run(question.id, null, options)
        : makeReport(question.id, found, reporting)
    },
    resume: async (questionId, reply, options = {}) => {
      const found = await stand(questionId)
      if (found.at === 'question-back') return run(questionId, new Command({ resume: reply }), options)
      return found.at === 'middle' ? run(questionId, null, options) : makeReport(questionId, found, reporting)
    },
  }
}

const factsOfReport = ({ outcome, candidates, usage, trace }: AnswerReport): SpanFacts => ({
  outcome: outcome.status,
  ...(outcome.status === 'answered' ? { confidence: outcome.confidence } : {}),
  candidates: candidates.length,
  groups: trace?.groups.length ?? 0,
  modelCalls: usage.modelCalls,
  promptTokens: usage.promptTokens,
  completionTokens: usage.completionTokens,
})

const asAsked = (question: Question): State['question'] => ({
  id: question.id,
  text: question.text,
  ...(question.evidence === undefined ? {} : { evidence: question.evidence }),
  database: question.database,
  askedAt: question.askedAt.toISOString(),
  timeZone: question.timeZone,
})

const makeReport = async (
  questionId: string,
  found: RunPosition,
  deps: Parameters<typeof collectTrace>[1],
): Promise<AnswerReport> => {
  const state = found.at === 'question-back' || found.at === 'end' ? found.state : null
  const outcome: Outcome | null | undefined =
    found.at === 'question-back' && state?.clarification
      ? { status: 'needs-clarification', clarification: state.clarification }
      : state && outcomeOf(state)
  if (!state || !outcome) throw new Error(`the run of question ${questionId} ended without an outcome`)
  const candidates = await deps.runStore.loadCandidates(questionId)
  const trace = await collectTrace({ ...state, outcome }, deps)
  return { questionId, candidates, usage: state.usage, outcome, trace }
}

/** What of one run has been read or written so far; null if nothing has. */
interface CachedRun {
  context: QuestionContext | null
  candidates: Promise<Map<string, Candidate>> | null
}

/** A run store that caches what one run reads and writes, until the run ends. */
interface CachedRunStore extends RunStore {
  /** Begins to remember for a question, from nothing; returns what ends it. */
  open(questionId: string): () => void
}

/**
 * Makes it. Everything is written through before it counts, so a crash loses nothing; but the branches of a fan-out read
 * the same context and candidates a dozen times, and most of these reads need not reach the database. A run begins
 * with an empty memory, since another process may have worked on the question before.
 */
export const makeCachedRunStore = (kept: RunStore): CachedRunStore => {
  const runs = new Map<string, CachedRun>()

  const remembered = (questionId: string, run: CachedRun): Promise<Map<string, Candidate>> => {
    run.candidates ??= kept
      .loadCandidates(questionId)
      .then(candidates => new Map(candidates.map(candidate => [candidate.id, candidate])))
      .catch((error: unknown) => {
        // The next one who asks reads again.
        run.candidates = null
        throw error
      })
    return run.candidates
  }

  return {
    open: questionId => {
      const run: CachedRun = { context: null, candidates: null }
      runs.set(questionId, run)
      return () => {
        if (runs.get(questionId) === run) runs.delete(questionId)
      }
    },
    saveContext: async (questionId, context) => {
      await kept.saveContext(questionId, context)
      const run = runs.get(questionId)
      if (run) run.context = context
    },
    loadContext: async questionId => {
      const run = runs.get(questionId)
      if (run?.context) return run.context
      const context = await kept.loadContext(questionId)
      if (run) run.context ??= context
      return context
    },
    saveCandidates: async (questionId, candidates) => {
      await kept.saveCandidates(questionId, candidates)
      const run = runs.get(questionId)
      if (!run) return
      // A reading that began before these were written may not have them, so they are put on top of it.
      const cached = await remembered(questionId, run)
      for (const candidate of candidates) cached.set(candidate.id, candidate)
    },
    loadCandidates: async questionId => {
      const run = runs.get(questionId)
      return run ? inOrder(await remembered(questionId, run)) : kept.loadCandidates(questionId)
    },
  }
}

/** By code unit, in the order of the stored run store. */
const inOrder = (candidates: ReadonlyMap<string, Candidate>): readonly Candidate[] =>
  [...candidates.values()].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
