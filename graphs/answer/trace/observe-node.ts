import { type InSpan, type SpanFacts, withoutSpans } from '../../../src/core/span.ts'
import { type ModelUsage, noModelUsage } from '../../../src/core/usage.ts'
import type { NodeRun } from '../deps.ts'
import type { AskedQuestion, Update } from '../state.ts'

/** A node of the graph, or a branch of a fan-out: both are given the question and change the state. */
type Node<Given> = (given: Given, run: NodeRun) => Promise<Update>

/** Makes what nodes are wrapped in: how long each took and how often a model was asked goes to the trace and to a span. */
export const makeObserveNode =
  (deps: { readonly inSpan?: InSpan; readonly elapsed?: () => number }) =>
  <Given extends { readonly question: AskedQuestion }>(step: string, node: Node<Given>): Node<Given> =>
  (given, run) => {
    const { inSpan = withoutSpans, elapsed = () => performance.now() } = deps
    return inSpan(step, factsOf(given), async span => {
      const started = elapsed()
      const update = await node(given, run)
      const milliseconds = elapsed() - started
      const { modelCalls, promptTokens, completionTokens } = usageOf(update)
      span.set({ modelCalls, promptTokens, completionTokens })
      return { ...update, steps: [{ step, times: 1, milliseconds, longest: milliseconds, modelCalls }] }
    })
  }

/** Which branch it is; ids and names alone. */
const factsOf = (given: object): SpanFacts => {
  const { path, sample, candidateId } = given as Readonly<Record<string, unknown>>
  return {
    ...(typeof path === 'string' ? { path } : {}),
    ...(typeof sample === 'number' ? { sample } : {}),
    ...(typeof candidateId === 'string' ? { candidateId } : {}),
  }
}

const usageOf = (update: Update): ModelUsage => (update.usage as ModelUsage | undefined) ?? noModelUsage
