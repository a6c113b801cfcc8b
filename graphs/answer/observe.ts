import { type InSpan, type SpanFacts, withoutSpans } from '../../src/domain/operations/telemetry.ts'
import { type ModelUsage, noModelUsage } from '../../src/domain/operations/usage.ts'
import type { NodeRun } from './deps.ts'
import type { Update } from './state.ts'

/** A node of the graph, or a branch of a fan-out: both are given the question and change the state. */
type Node<Given> = (given: Given, run: NodeRun) => Promise<Update>

/**
 * Gives each node a span, and adds to its update how long it took and how often a model was called, for the trace.
 * Nothing else happens here: what a node does is in its own file. LangGraph's callbacks could time a node as well, but
 * a span has to be open while the node runs, so that spans of model calls and statements are its children.
 */
export const observeNodes = <Nodes extends Readonly<Record<string, Node<never>>>>(
  deps: { readonly inSpan?: InSpan; readonly elapsed?: () => number },
  nodes: Nodes,
): Nodes =>
  Object.fromEntries(
    Object.entries(nodes).map(([step, node]) => [step, observe(step, node, deps)]),
  ) as unknown as Nodes

const observe = (
  step: string,
  node: Node<never>,
  {
    inSpan = withoutSpans,
    elapsed = () => performance.now(),
  }: { readonly inSpan?: InSpan; readonly elapsed?: () => number },
): Node<never> => {
  return (given, run) =>
    inSpan(step, factsOf(given), async span => {
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
