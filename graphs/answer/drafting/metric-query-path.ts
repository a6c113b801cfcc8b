import { assumptionText } from '../../../src/domain/answer-wording/assumptions.ts'
import type { DraftInput, DraftPath } from '../../../src/domain/candidate.ts'
import { ModelError } from '../../../src/domain/errors.ts'
import type { AskForMetricQuery, LinkedLayer, LinkLayer } from '../../../src/domain/metrics/metric-reading.ts'
import type { ModelReply } from '../../../src/domain/model.ts'
import { addModelUsage, noModelUsage } from '../../../src/domain/operations/usage.ts'
import { chooseHints } from '../understanding/choose-hints.ts'
import { callOptions } from './model-paths.ts'
import { describeEvidence, describeTime } from './prompt-inputs.ts'
import { describeHints } from './value-hints.ts'

/** What the path needs: `model` is the drafter to ask. */
interface MetricQueryDeps {
  readonly askForMetricQuery: AskForMetricQuery
  readonly linkLayer: LinkLayer
  readonly model: string
}

/** Definitions that people agreed on are right more often than free SQL; a model that we do not know gets little more. */
const PRIOR = 0.65

/** A reply that cannot be used is mended once. */
const TURNS = 2

/** A reply is quoted back up to this length. */
const LONGEST_QUOTED = 3_000

/**
 * Asks a model for a metric query over the semantic layer, which our compiler turns into SQL: a short prompt, and figures
 * as they were defined. Unknown names get one turn with what is nearest. It drafts nothing if the layer has nothing to say
 * about the question, if the model finds that the layer cannot express it, or if its answer cannot be used. Throws what
 * `askForMetricQuery` throws.
 */
export const makeMetricQueryPath = ({ askForMetricQuery, linkLayer, model }: MetricQueryDeps): DraftPath => ({
  name: 'metric-query',
  cost: 'model',
  samples: 1,
  isFirst: true,
  draft: async input => {
    const layer = linkLayer(input)
    if (layer === null)
      return declined('the semantic layer has nothing to say about the question', noModelUsage)
    let usage = noModelUsage
    let earlier = ''
    let problems: readonly string[] = []
    for (let turn = 0; turn < TURNS; turn++) {
      const asked = await askForMetricQuery({
        role: 'drafter',
        prompt: 'metric-query',
        variables: variablesOf(input, layer, earlier),
        model,
        ...callOptions(input),
      }).catch((error: unknown) => {
        // The turn before was paid for, too.
        throw error instanceof ModelError ? withUsage(error, usage) : error
      })
      usage = addModelUsage(usage, asked.usage)
      const { value } = asked
      if (value.missing.trim() !== '')
        return declined(`the semantic layer cannot express the question: ${value.missing}`, usage)
      const compiled = layer.compile(value)
      if (compiled.ok) {
        const { sql, assumptions, meaning } = compiled.reading
        const draft = {
          ...{ sql, meaning, prior: PRIOR, decisions: [], unused: null },
          lineage: `metric-query/${asked.model ?? model}`,
          assumptions: [...assumptions.map(assumptionText), ...value.assumptions],
        }
        return { kind: 'statements', drafts: [draft], usage }
      }
      problems = compiled.problems
      earlier = describeEarlier(value, problems)
      input.signal?.throwIfAborted()
    }
    return declined(`the metric query cannot be used: ${problems.join('. ')}`, usage)
  },
})

const declined = (reason: string, usage: ModelReply<unknown>['usage']) =>
  ({ kind: 'statements', drafts: [], declined: reason, usage }) as const

const variablesOf = (
  {
    understanding,
    database,
    linked,
    matches,
  }: Pick<DraftInput, 'understanding' | 'database' | 'linked' | 'matches'>,
  layer: LinkedLayer,
  earlier: string,
): Readonly<Record<string, string>> => ({
  layer: layer.text,
  evidence: describeEvidence(database.knowledge, { understanding, linked }),
  values: describeHints(
    layer.inDimensions(chooseHints(matches, { question: understanding.text, catalog: database.catalog })),
  ),
  time: describeTime(understanding),
  question: understanding.text,
  earlier,
})

const describeEarlier = (reply: unknown, problems: readonly string[]): string =>
  [
    `You answered: ${JSON.stringify(reply).slice(0, LONGEST_QUOTED)}`,
    ...problems.map(problem => `- ${problem}`),
  ].join('\n')

const withUsage = (
  { code, message, limit, cause, usage }: ModelError,
  before: ModelError['usage'],
): ModelError => new ModelError(code, message, { usage: addModelUsage(before, usage), limit, cause })
