import type { Catalog } from '../../../src/core/catalog.ts'
import type { DraftInput } from '../../../src/core/draft.ts'
import type { AskForExamples, ExampleQuery } from '../../../src/core/example-query.ts'
import type { LinkedSchema, LinkSchema, RenderSchema } from '../../../src/core/linked-schema.ts'
import { callOptions, schemaVariables } from './draft-with-model.ts'
import type { MakeExamples } from './online-synthetic.ts'

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
