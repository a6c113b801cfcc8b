import type { AskForExamples, DraftInput, DraftPath, ExampleQuery } from '../../../src/domain/candidate.ts'
import type { Catalog } from '../../../src/domain/catalog.ts'
import type { Database } from '../../../src/domain/database.ts'
import { ModelError } from '../../../src/domain/errors.ts'
import { addModelUsage, type ModelUsage, noModelUsage } from '../../../src/domain/operations/usage.ts'
import type { LinkedSchema, LinkSchema, RenderSchema } from '../../../src/domain/question-context.ts'
import type { GuardedSql } from '../../../src/domain/sql.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import { shuffle } from '../../../src/lib/random.ts'
import { stemWord } from '../../../src/lib/stem-word.ts'
import {
  callOptions,
  draftWithModel,
  type ModelPathDeps,
  SAMPLES_PER_PATH,
  schemaVariables,
} from './model-paths.ts'

/** CHASE-SQL (table 4) reports 68.0 % on BIRD for this path with its fixer; a model we do not know gets a little less. */
const PRIOR = 0.62

/** How many examples are made of each kind, and how many of those that run are shown to a draft. */
export interface ExampleCounts {
  /** Of common SQL features, over the whole schema. */
  readonly features: number
  /** Of the columns that the question is linked to. */
  readonly focused: number
  /** Each sample is shown others, in another order. */
  readonly shown: number
}

/** What the settings say by default. */
export const defaultExampleCounts: ExampleCounts = { features: 5, focused: 4, shown: 6 }

/** Makes examples for one question and keeps those whose SQL runs. Throws `ModelError`. */
type MakeExamples = (
  input: DraftInput,
) => Promise<{ readonly examples: readonly ExampleQuery[]; readonly usage: ModelUsage }>

/**
 * Online synthetic examples (CHASE-SQL 3.3, Algorithm 2): one call makes examples for this very question, a second one
 * drafts with them. One draft a sample. Throws `ModelError`, whose usage has both calls.
 */
export const makeSyntheticExamplesPath = (
  deps: ModelPathDeps & { readonly makeExamples: MakeExamples; readonly shown?: number },
): DraftPath => ({
  name: 'online-synthetic',
  cost: 'model',
  samples: SAMPLES_PER_PATH,
  sharedCalls: 1,
  draft: async input => {
    const made = await deps.makeExamples(input)
    const examples = shuffle(made.examples, input.sample).slice(0, deps.shown ?? defaultExampleCounts.shown)
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

/** What running the examples of one question may cost. */
interface RunBudget {
  /** An example that takes longer, in milliseconds, is a poor one. */
  readonly each: number
  /** However many were made, running them may take no longer than this. */
  readonly all: number
  /** One that would read more rows, by the estimate of the database, is not run and not shown. */
  readonly rows: number
}

const defaultRunBudget: RunBudget = { each: 2_000, all: 6_000, rows: 1_000_000 }

/** Whether it runs is all that is asked: one row tells. */
const smallResult = { maxRows: 1, maxBytes: 100_000 } as const

/**
 * Makes examples with a model (CHASE-SQL 3.3, Algorithm 2): some of common SQL features over the whole schema that is
 * shown, some of the columns linked most closely to the question, mixed. Only those that the guard lets through and
 * that run at little cost are kept: an example that fails would teach its mistake. One that asks what the question asks
 * would be the model's first guess in the clothes of a fact, and is dropped.
 */
export const makeMakeExamples =
  (deps: {
    readonly askForExamples: AskForExamples
    readonly linkSchema: LinkSchema
    readonly renderSchema: RenderSchema
    readonly counts?: Pick<ExampleCounts, 'features' | 'focused'>
    readonly runBudget?: RunBudget
  }): MakeExamples =>
  async input => {
    const counts = deps.counts ?? defaultExampleCounts
    if (counts.features + counts.focused === 0) return { examples: [], usage: noModelUsage }
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
        'features-count': String(counts.features),
        'focused-count': String(counts.focused),
      },
      ...callOptions(input),
    })
    const isOther = makeIsOtherQuestion(understanding.text)
    const made = mix(
      value.features.filter(isOther).slice(0, counts.features),
      value.focused.filter(isOther).slice(0, counts.focused),
    )
    return { examples: await keepExamplesThatRun(made, input, deps.runBudget), usage }
  }

/** Questions that share this much of their words ask the same: twice the words they share, over all they have. */
const NEARLY_THE_SAME = 0.9

/** Whether an example asks something else than the question that is to be answered. */
const makeIsOtherQuestion = (asked: string): ((example: ExampleQuery) => boolean) => {
  const own = wordsOf(asked)
  return ({ question }) => {
    const words = wordsOf(question)
    const shared = [...words].filter(word => own.has(word)).length
    return 2 * shared < NEARLY_THE_SAME * (words.size + own.size)
  }
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set((foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(stemWord))

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
  budget = defaultRunBudget,
): Promise<readonly ExampleQuery[]> => {
  const whole = AbortSignal.timeout(budget.all)
  const kept: ExampleQuery[] = []
  for (const example of examples) {
    if (whole.aborted) break
    const verdict = database.guard(example.sql)
    if (verdict.verdict === 'refuse') continue
    const limit = AbortSignal.any([whole, AbortSignal.timeout(budget.each), ...(signal ? [signal] : [])])
    const runs = await runsCheaply(verdict.guarded, database, { signal: limit, budget }).catch(() => false)
    signal?.throwIfAborted()
    if (runs) kept.push(example)
  }
  return kept
}

/** Whether a statement is cheap by the estimate, if there is one, and runs. Rejects if it does not. */
const runsCheaply = async (
  guarded: GuardedSql,
  { estimate, run }: Pick<Database, 'estimate' | 'run'>,
  { signal, budget }: { readonly signal: AbortSignal; readonly budget: RunBudget },
): Promise<boolean> => {
  const rows = (await estimate?.(guarded, { signal }))?.rows ?? null
  if (rows !== null && rows > budget.rows) return false
  await run(guarded, { signal, atMost: { ...smallResult, timeoutMs: budget.each } })
  return true
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
