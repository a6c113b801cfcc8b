import type { DraftPathName } from '../../../src/core/candidate.ts'
import type { Draft, DraftInput } from '../../../src/core/draft.ts'
import type { ExampleQuery, FindExampleQueries } from '../../../src/core/example-query.ts'
import type { RenderSchema } from '../../../src/core/linked-schema.ts'
import type { AskForSql } from '../../../src/core/model.ts'
import type { ModelUsage } from '../../../src/core/usage.ts'
import { describeTeamKnowledge } from './describe-evidence.ts'
import { describeExamples } from './describe-examples.ts'
import { describeTime } from './describe-time.ts'
import { describeValues } from './describe-values.ts'
import { dialectNotes } from './dialects/dialect-notes.ts'

/** CHASE-SQL takes seven of each of its three paths; beyond about twenty nothing is gained (section 4.3). */
export const SAMPLES_PER_PATH = 7

/** What a path that asks a model needs: `model` is the drafter to ask; without `findAnsweredExamples` prompts show none. */
export interface ModelPathDeps {
  readonly askForSql: AskForSql
  readonly renderSchema: RenderSchema
  readonly findExamples?: FindExampleQueries
  readonly model: string
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

/** Asks a model for one draft: none when it finds that the schema cannot answer. Throws what `askForSql` throws. */
export const draftWithModel = async (
  input: DraftInput,
  { name, prompt, prior, examples = [] }: PathTraits,
  deps: ModelPathDeps,
): Promise<{ readonly drafts: readonly Draft[]; readonly usage: ModelUsage }> => {
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
      values: describeValues(input.matches),
      time: describeTime(input.understanding),
      examples: describeExamples([...checked, ...examples]),
      question: input.understanding.text,
    },
    model: deps.model,
    ...callOptions(input),
  })
  const draft = {
    sql: value.sql,
    // Of whoever wrote it: a fallback is another witness than the model that could not be reached.
    lineage: `${name}/${model}`,
    prior,
    decisions: [],
    assumptions: value.assumptions,
    unused: null,
  }
  return { drafts: value.sql === '' ? [] : [draft], usage }
}

/** What is known of the database, in the order and the rendering of this sample. */
export const schemaVariables = (
  { understanding, database, linked, matches, sample }: DraftInput,
  renderSchema: RenderSchema,
): { readonly dialect: string; readonly schema: string; readonly evidence: string } => ({
  dialect: dialectNotes[database.dialect],
  schema: renderSchema(database.catalog, linked, { seed: sample, matches }),
  evidence: describeTeamKnowledge(database.knowledge, { question: understanding.text, linked }),
})

/** Whose budget pays, and what stops the call. */
export const callOptions = ({
  questionId,
  signal,
}: Pick<DraftInput, 'questionId' | 'signal'>): { questionId?: string; signal?: AbortSignal } => ({
  ...(questionId === undefined ? {} : { questionId }),
  ...(signal ? { signal } : {}),
})
