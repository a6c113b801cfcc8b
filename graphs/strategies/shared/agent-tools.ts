import {
  type Candidate,
  type CannotAnswer,
  candidateId,
  type ExampleQuery,
  type FindExampleQueries,
  type FindNearestQueries,
} from '../../../src/domain/candidate.ts'
import type { Database } from '../../../src/domain/database.ts'
import type { ModelRole } from '../../../src/domain/model.ts'
import { addModelUsage, type ModelUsage, noModelUsage } from '../../../src/domain/operations/usage.ts'
import type { LinkedSchema, QuestionContext, RenderSchema } from '../../../src/domain/question-context.ts'
import type { ResultTable } from '../../../src/domain/result.ts'
import type { ExpertVoting } from '../../../src/domain/selection/experts.ts'
import type {
  AgentCall,
  AgentReplyName,
  AgentReplyOf,
  AgentStrategyName,
  AskAgent,
} from '../../../src/domain/strategies/strategy.ts'
import { toInertText } from '../../../src/lib/inert-text.ts'
import { databaseDialect } from '../../../src/sql/dialects.ts'
import type { CheckingDeps, LinkingDeps, NodeRun, OpenDatabase, StoringDeps } from '../../answer/deps.ts'
import { describeEvidence, describeTime } from '../../answer/drafting/prompt-inputs.ts'
import { describeValues } from '../../answer/drafting/value-hints.ts'
import type { makeShareRuns } from '../../answer/repair/shared-runs.ts'
import { widenSchemaForRepair } from '../../answer/repair/widen-schema-for-repair.ts'
import type { AgentState, AgentUpdate, Problem } from './agent-state.ts'

/** What a published system needs of the world: what our own drafting needs, and a way to ask agents. */
export interface AgentDeps {
  readonly askAgent: AskAgent
  readonly database: OpenDatabase
  readonly linking: LinkingDeps
  readonly checking: CheckingDeps
  readonly storing: Pick<StoringDeps, 'runStore' | 'saveResult' | 'loadResult'>
  readonly renderings: {
    readonly ddl: RenderSchema
    readonly mSchema: RenderSchema
    readonly markdown: RenderSchema
  }
  /** Whether agents may see rows of results; else they see columns and counts alone. */
  readonly seesRows: boolean
  /** Models that draft, in turn; at least one. */
  readonly drafters: readonly string[]
  /** Verified questions that are like the one asked; left out if nothing can be verified. */
  readonly findExamples?: FindExampleQueries
  /** Any number of verified questions, the nearest to the one asked; left out if nothing can be verified. */
  readonly findNearest?: FindNearestQueries
  /** The vote of experts, and the record of their mistakes. */
  readonly experts: ExpertVoting
}

/** Which agent is asked: its name in the paper, the role whose model it uses, and its prompt. */
interface Asked<Reply extends AgentReplyName> {
  readonly agent: string
  readonly role: ModelRole
  readonly prompt: string
  readonly reply: Reply
  /** In place of the model of the role. */
  readonly model?: string | undefined
  readonly temperature?: number | null
}

/** A statement that an agent wrote. `agent` and `model` make its lineage. */
interface WrittenStatement {
  readonly sql: string
  readonly agent: string
  /** How often the system is right, 0 to 1. */
  readonly confidence: number
  readonly assumptions?: readonly string[]
  /** Tells apart statements of one agent, from 0. */
  readonly sample?: number
}

/** What one node of a published system works with. What it asks and writes is added to the node's update by itself. */
export interface AgentTools {
  readonly database: Database
  readonly context: QuestionContext
  /** Fires if the question is stopped. */
  readonly signal?: AbortSignal
  /** Asks an agent; the variables that every prompt about a question takes are filled in. Throws `ModelError`. */
  ask<Reply extends AgentReplyName>(
    asked: Asked<Reply>,
    variables: Readonly<Record<string, string>>,
  ): Promise<AgentReplyOf<Reply>>
  /** `dialect`, `schema`, `evidence`, `values`, `time` and `question`, as prompts take them. */
  describe(options?: {
    readonly linked?: LinkedSchema
    readonly rendering?: keyof AgentDeps['renderings']
    readonly seed?: number
  }): Readonly<Record<'dialect' | 'schema' | 'evidence' | 'values' | 'time' | 'question', string>>
  /** Verified questions that are like this one, most alike first. */
  findExamples(): Promise<readonly ExampleQuery[]>
  /** Up to so many verified questions, the nearest to this one first, however far they are. */
  findNearest(most: number): Promise<readonly ExampleQuery[]>
  /** Stores a statement and returns the id of its candidate. */
  draft(written: WrittenStatement): Promise<string>
  candidate(id: string): Promise<Candidate>
  /** All candidates of the question. */
  candidates(): Promise<readonly Candidate[]>
  /** Guards and runs a candidate's statement, and stores how it went. Null if nothing is wrong with it. */
  check(id: string): Promise<Problem | null>
  /** Replaces the statement of a candidate; what it was becomes a round of its repairs. */
  revise(id: string, sql: string, problem: Problem): Promise<void>
  /** The rows that a candidate's statement found; null if it did not run, or if they are no longer kept. */
  loadResult(id: string): Promise<ResultTable | null>
  /** A schema with what a candidate's statement may have meant by names that do not exist; the same if nothing was. */
  reopenSchema(id: string, problem: Problem, linked: LinkedSchema): Promise<LinkedSchema>
  /** Notes that an agent says the schema cannot answer. */
  declareMissing(agent: string, missing: string): void
  /** The model that answered last for an agent. */
  modelOf(agent: string): string
}

/** The tools of one node, and what they have been used for so far. */
interface OpenTools {
  readonly tools: AgentTools
  readonly used: () => AgentUpdate
}

/** Opens the tools of one node. */
export const openTools = async (
  strategy: AgentStrategyName,
  deps: AgentDeps & { readonly shareRuns: ReturnType<typeof makeShareRuns> },
  { question, attempt, candidateIds }: Pick<AgentState, 'question' | 'attempt' | 'candidateIds'>,
  run: NodeRun,
): Promise<OpenTools> => {
  const { runStore } = deps.storing
  const signal = run.signal ? { signal: run.signal } : {}
  const [database, context] = await Promise.all([
    deps.database(question.database, signal),
    runStore.loadContext(question.id),
  ])
  const { understanding, matches } = context
  // In the order of asking, also when agents are asked at the same time.
  const calls: (AgentCall | null)[] = []
  const written: string[] = []
  const cannotAnswer: CannotAnswer[] = []
  const models = new Map<string, string>()
  let usage: ModelUsage = noModelUsage

  const candidate = async (id: string): Promise<Candidate> => {
    const found = (await runStore.loadCandidates(question.id)).find(one => one.id === id)
    if (found === undefined) throw new Error(`there is no candidate ${id}`)
    return found
  }
  const save = (changed: Candidate): Promise<void> => runStore.saveCandidates(question.id, [changed])

  const tools: AgentTools = {
    database,
    context,
    ...signal,
    ask: async ({ agent, role, prompt, reply, model, temperature }, variables) => {
      run.writer?.({ step: 'draft', detail: `${strategy}: ${agent}` })
      const called = { agent, prompt }
      const at = calls.push(null) - 1
      try {
        const answered = await deps.askAgent({
          role,
          prompt,
          reply,
          variables,
          questionId: question.id,
          ...(model === undefined ? {} : { model }),
          ...(temperature == null ? {} : { temperature }),
          ...signal,
        })
        const { promptTokens, completionTokens } = answered.usage
        usage = addModelUsage(usage, answered.usage)
        models.set(agent, answered.model ?? model ?? '')
        calls[at] = { ...called, model: answered.model ?? model ?? null, promptTokens, completionTokens }
        return answered.value
      } catch (error) {
        const spent = usageOf(error)
        usage = addModelUsage(usage, spent)
        const { promptTokens, completionTokens } = spent
        calls[at] = { ...called, model: null, promptTokens, completionTokens, failure: messageOf(error) }
        throw error
      }
    },
    describe: ({ linked = context.linked, rendering = 'ddl', seed } = {}) => ({
      dialect: databaseDialect(database.dialect).promptNotes,
      // Without the values of this question, so that endpoints can cache it: they have a block of their own.
      schema: deps.renderings[rendering](database.catalog, linked, seed === undefined ? {} : { seed }),
      evidence: describeEvidence(database.knowledge, { understanding, linked }),
      values: describeValues(matches, { question: understanding.text, catalog: database.catalog }),
      time: describeTime(understanding),
      question: understanding.text,
    }),
    findExamples: async () =>
      (await deps.findExamples?.({ understanding, database, matches, ...signal })) ?? [],
    findNearest: async most =>
      (await deps.findNearest?.({ understanding, database, matches, ...signal }, most)) ?? [],
    draft: async ({ sql, agent, confidence, assumptions = [], sample = 0 }) => {
      const origin = { attempt, round: 0, sample }
      const rank = [...candidateIds, ...written].filter(id => id.endsWith(`.${agent}`)).length
      const id = `${candidateId(origin, { path: strategy, rank })}.${agent}`
      await save({
        ...{ id, origin, path: strategy, rank, sql, prior: confidence, assumptions: assumptions.map(inert) },
        ...{ decisions: [], unused: null, repairs: [], run: null },
        lineage: `${strategy}/${agent}/${models.get(agent) ?? ''}`,
      })
      written.push(id)
      return id
    },
    candidate,
    candidates: () => runStore.loadCandidates(question.id),
    check: async id => {
      const written = await candidate(id)
      run.writer?.({ step: 'check', detail: `Checking ${id}` })
      const asked = { id: question.id, text: understanding.text, database: question.database }
      const checking = { ...deps.checking, ...deps.storing, database }
      const others = await runStore.loadCandidates(question.id)
      const { run: ran, problem } = await deps.shareRuns(asked, others, checking, run)(written.sql)
      await save({ ...written, run: ran })
      return problem
    },
    revise: async (id, sql, problem) => {
      const before = await candidate(id)
      const round = before.repairs.length + 1
      const repairs = [...before.repairs, { round, sql: before.sql, ...problem }]
      await save({ ...before, sql, repairs, run: null })
    },
    loadResult: async id => {
      const { run: ran } = await candidate(id)
      return ran?.status === 'ran' ? deps.storing.loadResult(ran.resultId) : null
    },
    reopenSchema: async (id, { errorClass }, linked) => {
      const { sql } = await candidate(id)
      return widenSchemaForRepair({ sql, errorClass, linked, database }, deps.linking)
    },
    declareMissing: (agent, missing) => {
      const origin = { attempt, round: 0, sample: cannotAnswer.length }
      const lineage = `${strategy}/${agent}/${models.get(agent) ?? ''}`
      cannotAnswer.push({ origin, path: strategy, lineage, reason: toInertText(missing) })
    },
    modelOf: agent => models.get(agent) ?? '',
  }
  return {
    tools,
    used: () => ({ calls: calls.filter(call => call !== null), usage, candidateIds: written, cannotAnswer }),
  }
}

const inert = (text: string): string => toInertText(text) ?? ''

const usageOf = (error: unknown): ModelUsage =>
  error !== null && typeof error === 'object' && 'usage' in error ? (error.usage as ModelUsage) : noModelUsage

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
