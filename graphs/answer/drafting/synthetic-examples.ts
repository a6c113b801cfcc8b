import type { AskForExamples, DraftInput, DraftPath, ExampleQuery } from '../../../src/domain/candidate.ts'
import type { Catalog } from '../../../src/domain/catalog.ts'
import { ModelError } from '../../../src/domain/errors.ts'
import { addModelUsage, type ModelUsage, noModelUsage } from '../../../src/domain/operations/usage.ts'
import type { LinkedSchema, LinkSchema, RenderSchema } from '../../../src/domain/question-context.ts'
import { shuffle } from '../../../src/lib/random.ts'
import {
  callOptions,
  draftWithModel,
  type ModelPathDeps,
  SAMPLES_PER_PATH,
  schemaVariables,
} from './model-paths.ts'

/** CHASE-SQL (table 4) reports 68.0 % on BIRD for this path with its fixer; a model we do not know gets a little less. */
const PRIOR = 0.62

/** Of those that were made and ran, so many are shown: each sample shows others, in another order. */
const SHOWN = 6

/** Makes examples for one question and keeps those whose SQL runs. Throws `ModelError`. */
type MakeExamples = (
  input: DraftInput,
) => Promise<{ readonly examples: readonly ExampleQuery[]; readonly usage: ModelUsage }>

/**
 * Online synthetic examples (CHASE-SQL 3.3, Algorithm 2): one call makes examples for this very question, a second one
 * drafts with them. One draft a sample. Throws `ModelError`, whose usage has both calls.
 */
export const makeSyntheticExamplesPath = (
  deps: ModelPathDeps & { readonly makeExamples: MakeExamples },
): DraftPath => ({
  name: 'online-synthetic',
  cost: 'model',
  samples: SAMPLES_PER_PATH,
  sharedCalls: 1,
  draft: async input => {
    const made = await deps.makeExamples(input)
    const examples = shuffle(made.examples, input.sample).slice(0, SHOWN)
    const traits = { name: 'online-synthetic', prompt: 'online-synthetic', prior: PRIOR, examples } as const
    const drafted = await draftWithModel(input, traits, deps).catch((error: unknown) => {
      if (!(error instanceof ModelError)) throw error
      const { code, message, limit, cause } = error
      throw new ModelError(code, message, { usage: addModelUsage(made.usage, error.usage), limit, cause })
    })
    return { ...drafted, usage: addModelUsage(made.usage, drafted.usage) }
  },
})

/** Columns that the focused examples are about: what a question of one sentence needs, and a few beside it. */
const FOCUS_COLUMNS = 10

/** How long examples may run, in milliseconds. */
interface RunLimits {
  /** An example that takes longer is a poor one. */
  readonly each: number
  /** However many were made, running them may take no longer than this. */
  readonly all: number
}

const runLimits: RunLimits = { each: 3_000, all: 10_000 }

/**
 * Makes examples with a model (CHASE-SQL 3.3, Algorithm 2): some of common SQL features over the whole schema that is
 * shown, some of the columns linked most closely to the question, mixed. Only those that the guard lets through and
 * that run are kept: an example that fails would teach its mistake.
 */
export const makeMakeExamples =
  (deps: {
    readonly askForExamples: AskForExamples
    readonly linkSchema: LinkSchema
    readonly renderSchema: RenderSchema
    readonly runLimits?: RunLimits
  }): MakeExamples =>
  async input => {
    const { understanding, database, matches, signal } = input
    const focus = await deps.linkSchema({
      understanding,
      catalog: database.catalog,
      matches,
      columns: FOCUS_COLUMNS,
      ...(signal && { signal }),
    })
    const { value, usage } = await deps.askForExamples({
      role: 'planner',
      prompt: 'make-examples',
      variables: {
        ...schemaVariables(input, deps.renderSchema),
        focus: outlineFocus(focus, database.catalog),
        question: understanding.text,
      },
      ...callOptions(input),
    })
    return {
      examples: await keepExamplesThatRun(mix(value.features, value.focused), input, deps.runLimits),
      usage,
    }
  }

const outlineFocus = ({ tables }: LinkedSchema, catalog: Catalog): string =>
  tables
    .map(({ table, keep }) => {
      const columns =
        keep === 'all'
          ? (catalog.tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? ['*'])
          : keep
      return `${table}: ${columns.join(', ')}`
    })
    .join('\n')

/** One of each kind in turn, so that the few that are shown are of both; the same statement once. */
const mix = (
  features: readonly ExampleQuery[],
  focused: readonly ExampleQuery[],
): readonly ExampleQuery[] => {
  const longest = Math.max(features.length, focused.length)
  const mixed = Array.from({ length: longest }, (_, at) => [focused[at], features[at]]).flat()
  const found = mixed.filter(example => example !== undefined)
  return [...new Map(found.map(example => [example.sql, example])).values()]
}

const keepExamplesThatRun = async (
  examples: readonly ExampleQuery[],
  { database, signal }: Pick<DraftInput, 'database' | 'signal'>,
  limits = runLimits,
): Promise<readonly ExampleQuery[]> => {
  const whole = AbortSignal.timeout(limits.all)
  const kept: ExampleQuery[] = []
  for (const example of examples) {
    if (whole.aborted) break
    const verdict = database.guard(example.sql)
    if (verdict.verdict === 'refuse') continue
    const limit = AbortSignal.any([whole, AbortSignal.timeout(limits.each), ...(signal ? [signal] : [])])
    const runs = await database.run(verdict.guarded, { signal: limit }).then(
      () => true,
      () => false,
    )
    signal?.throwIfAborted()
    if (runs) kept.push(example)
  }
  return kept
}

/** Questions whose examples are remembered; the oldest make room. */
const MOST_QUESTIONS = 200

/**
 * Examples made once for a question and shared by the samples of its path, also those that are drafted at the same
 * time: seven samples cost eight calls, not fourteen. The first to ask pays, also for a failure: those who waited draft
 * without examples. What failed is made again.
 */
export const cacheExamples = (makeExamples: MakeExamples): MakeExamples => {
  const known = new Map<string, ReturnType<MakeExamples>>()
  return async input => {
    if (input.questionId === undefined) return makeExamples(input)
    // A reply in words changes the text of the question.
    const key = JSON.stringify([input.questionId, input.understanding.text])
    const made = known.get(key)
    if (made) {
      const examples = await made.then(
        ({ examples }) => examples,
        () => [],
      )
      input.signal?.throwIfAborted()
      return { examples, usage: noModelUsage }
    }
    const making = makeExamples(input)
    known.set(key, making)
    const [oldest] = known.keys()
    if (known.size > MOST_QUESTIONS && oldest !== undefined) known.delete(oldest)
    try {
      return await making
    } catch (error) {
      known.delete(key)
      throw error
    }
  }
}
