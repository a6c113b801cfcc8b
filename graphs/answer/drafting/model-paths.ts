import type {
  Draft,
  DraftInput,
  DraftPath,
  DraftPathName,
  ExampleQuery,
  FindExampleQueries,
  PathDrafts,
} from '../../../src/domain/candidate.ts'
import type { AskForSql, DraftedAmbiguity, DraftedSql } from '../../../src/domain/model.ts'
import type { RenderSchema } from '../../../src/domain/question-context.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import { toInertText } from '../../../src/lib/inert-text.ts'
import { databaseDialect } from '../../../src/sql/dialects.ts'
import { describeEvidence, describeExamples, describeThread, describeTime } from './prompt-inputs.ts'
import { describeValues } from './value-hints.ts'

/** CHASE-SQL takes seven of each of its three paths; beyond about twenty nothing is gained (section 4.3). */
export const SAMPLES_PER_PATH = 7

/** What a path that asks a model needs: `model` is the drafter to ask; without `findAnsweredExamples` prompts show none. */
export interface ModelPathDeps {
  readonly askForSql: AskForSql
  readonly renderSchema: RenderSchema
  readonly findExamples?: FindExampleQueries
  readonly model: string
  /** In place of the model's own. */
  readonly temperature?: number
}

/** How one path differs from the others. */
interface PathTraits {
  readonly name: DraftPathName
  /** File of the prompt, which takes the same variables for every path. */
  readonly prompt: string
  readonly prior: number
  /** Examples to show beside those that people have checked, which tell more. */
  readonly examples?: readonly ExampleQuery[]
}

/** Asks a model for one draft, which may be that the schema cannot answer. Throws what `askForSql` throws. */
export const draftWithModel = async (
  input: DraftInput,
  { name, prompt, prior, examples = [] }: PathTraits,
  deps: ModelPathDeps,
): Promise<PathDrafts> => {
  const checked = (await deps.findExamples?.(input)) ?? []
  const {
    value,
    usage,
    model = deps.model,
  } = await deps.askForSql({
    role: 'drafter',
    prompt,
    variables: {
      ...schemaVariables(input, deps.renderSchema),
      ...questionVariables(input),
      examples: describeExamples([...checked, ...examples]),
    },
    model: deps.model,
    ...(deps.temperature === undefined ? {} : { temperature: deps.temperature }),
    ...callOptions(input),
  })
  // The model that answered, which may be the fallback: statements of two models are independent evidence.
  const lineage = `${name}/${model}`
  const { sql, assumptions, missing } = value
  if (sql === '') return { kind: 'cannot-answer', lineage, reason: missing ?? assumptions.join(' '), usage }
  const draft = { lineage, decisions: [], assumptions, unused: null }
  return { kind: 'statements', drafts: statementsOf(value, prior).map(one => ({ ...draft, ...one })), usage }
}

/** The statement, or that of each meaning, which share what the path is trusted with. */
const statementsOf = (
  { sql, ambiguity }: DraftedSql,
  prior: number,
): readonly Pick<Draft, 'sql' | 'prior' | 'named'>[] => {
  const named = ambiguity ? nameMeanings(ambiguity) : []
  return named.length < 2 ? [{ sql, prior }] : named.map(one => ({ ...one, prior: prior / named.length }))
}

/**
 * What is known of the database, in the order and the rendering of this sample. The schema says nothing that depends on
 * the question, so that one which is shown whole is the same for all questions and endpoints can cache it.
 */
export const schemaVariables = (
  { understanding, database, linked, sample }: DraftInput,
  renderSchema: RenderSchema,
): { readonly dialect: string; readonly schema: string; readonly evidence: string } => ({
  dialect: databaseDialect(database.dialect).promptNotes,
  schema: renderSchema(database.catalog, linked, { seed: sample }),
  evidence: describeEvidence(database.knowledge, { understanding, linked }),
})

/** What is known of the question. */
export const questionVariables = ({
  understanding,
  matches,
  database: { catalog },
}: Pick<DraftInput, 'understanding' | 'matches'> & {
  readonly database: Pick<DraftInput['database'], 'catalog'>
}): Readonly<Record<'time' | 'values' | 'thread' | 'question', string>> => ({
  time: describeTime(understanding),
  values: describeValues(matches, { question: understanding.text, catalog }),
  thread: describeThread(understanding),
  question: understanding.text,
})

/** Whose budget pays, and what stops the call. */
export const callOptions = ({
  questionId,
  signal,
}: Pick<DraftInput, 'questionId' | 'signal'>): { questionId?: string; signal?: AbortSignal } => ({
  ...(questionId === undefined ? {} : { questionId }),
  ...(signal ? { signal } : {}),
})

/** CHASE-SQL (table 4) reports 65.5 % on BIRD for this path with its fixer; a model we do not know gets a little less. */
const QUERY_PLAN_PRIOR = 0.6

/**
 * Query plan in one call (CHASE-SQL 3.3): the model goes through what a database engine would do, in the order of an
 * EXPLAIN told in words, and then writes the statement that does it. One draft a call. Throws what `askForSql` throws.
 */
export const makeQueryPlanPath = (deps: ModelPathDeps): DraftPath => ({
  name: 'query-plan',
  cost: 'model',
  samples: SAMPLES_PER_PATH,
  draft: input =>
    draftWithModel(input, { name: 'query-plan', prompt: 'query-plan', prior: QUERY_PLAN_PRIOR }, deps),
})

/**
 * How often a draft of this path is taken to be right before it has run. CHASE-SQL (table 4) reports 65.8 % on BIRD
 * for this path with its fixer and a large model; a model we do not know gets a little less.
 */
const DIVIDE_AND_CONQUER_PRIOR = 0.6

/**
 * Divide and conquer in one call (CHASE-SQL 3.3, Algorithm 1): sub-questions with pseudo-SQL, the SQL of each, the
 * assembled statement, and the same without what is redundant. One draft a call. Throws what `askForSql` throws.
 */
export const makeDivideAndConquerPath = (deps: ModelPathDeps): DraftPath => ({
  name: 'divide-and-conquer',
  cost: 'model',
  samples: SAMPLES_PER_PATH,
  draft: input =>
    draftWithModel(
      input,
      { name: 'divide-and-conquer', prompt: 'divide-and-conquer', prior: DIVIDE_AND_CONQUER_PRIOR },
      deps,
    ),
})

/**
 * A path each of whose samples is drafted by a path of its own: another model, another rendering of the schema. They
 * all have the same name and number of samples.
 */
export const varySamples = (make: (sample: number) => DraftPath): DraftPath => ({
  ...make(0),
  draft: input => make(input.sample).draft(input),
})

/** The longest label that a person can read at a glance in a question back. */
const LONGEST_LABEL = 40

/** A longer text is the whole question, not a few words of it. */
const LONGEST_UNCLEAR = 60

/**
 * The meanings that a model sees, with the statement of each. Their labels may come to be read by a person, so they
 * are made inert; a meaning without a label of its own that can be read at a glance is left out.
 */
export const nameMeanings = ({
  unclear,
  meanings,
}: DraftedAmbiguity): readonly Required<Pick<Draft, 'sql' | 'named'>>[] => {
  const words = toInertText(unclear)
  const phrase = words !== null && words.length <= LONGEST_UNCLEAR ? words : null
  const byLabel = new Map<string, Required<Pick<Draft, 'sql' | 'named'>>>()
  for (const { label, sql } of meanings) {
    const readable = toInertText(label)?.replace(/[.!?]+$/, '') ?? ''
    const key = foldText(readable)
    if (readable === '' || readable.length > LONGEST_LABEL || byLabel.has(key)) continue
    byLabel.set(key, { sql, named: { label: readable, unclear: phrase } })
  }
  return [...byLabel.values()]
}
