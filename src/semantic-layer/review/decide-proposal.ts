import { stringify } from 'yaml'
import type {
  DecideProposal,
  FindProposal,
  LayerDecision,
  LayerProposal,
  ProposalKey,
  ProposalWords,
} from '../../domain/metrics/layer-decision.ts'
import type { Metric, Segment, SemanticLayer } from '../../domain/metrics/semantic-layer.ts'
import type { Dialect } from '../../domain/sql.ts'
import { phraseKey } from '../build/phrases.ts'
import { tableNameOf } from '../build/read-decisions.ts'
import { identifier, metricFields, segmentFields } from '../files/write-layer-file.ts'
import { describeMetric, describeSegment } from './describe-item.ts'
import { listProposals } from './layer-document.ts'

type ProposedItem =
  | { readonly kind: 'metric'; readonly item: Metric }
  | { readonly kind: 'segment'; readonly item: Segment }

const proposedItems = (layer: SemanticLayer): readonly ProposedItem[] =>
  listProposals(layer).flatMap(one => (one.kind === 'model' ? [] : [one]))

/**
 * The proposed metrics and segments of a layer, those that change answers most first. How many rows a table has is asked
 * for by the table's name, so that comes last.
 */
export const proposalsOf = (layer: SemanticLayer, database: string): readonly LayerProposal[] => {
  const isPlainCount = ({ item }: ProposedItem): boolean =>
    'aggregation' in item &&
    item.aggregation === 'count' &&
    item.expression === null &&
    item.filters.length === 0
  return proposedItems(layer)
    .toSorted((a, b) => Number(isPlainCount(a)) - Number(isPlainCount(b)))
    .map(one => ({
      ...{ database, kind: one.kind, name: one.item.name },
      ...{ label: one.item.label, synonyms: one.item.synonyms },
      meaning: one.kind === 'metric' ? describeMetric(one.item, layer) : describeSegment(one.item, layer),
    }))
}

/** The layer of a database as it is at this moment. */
type ReadLayer = (database: string) => Promise<{ readonly layer: SemanticLayer; readonly dialect: Dialect }>

export const makeFindProposal =
  ({ readLayer }: { readonly readLayer: ReadLayer }): FindProposal =>
  async ({ database, kind, name }) => {
    const { layer } = await readLayer(database)
    return proposalsOf(layer, database).find(one => one.kind === kind && one.name === name) ?? null
  }

/** Stores what an admin decided, and has the layer built again. */
export const makeDecideProposal =
  (deps: {
    readonly readLayer: ReadLayer
    readonly insert: (decision: LayerDecision) => Promise<void>
    /** Forgets the layer of a database, so that the next question builds it with the decision. */
    readonly invalidate: (database: string) => void
    readonly newId: () => string
    readonly now: () => Date
  }): DecideProposal =>
  async ({ decision, by, ...key }) => {
    const { layer, dialect } = await deps.readLayer(key.database)
    const found = proposedItems(layer).find(one => one.kind === key.kind && one.item.name === key.name)
    if (found === undefined) return { status: 'gone' }
    const words = wordsOf(decision.status === 'accepted' ? decision.words : undefined, found.item)
    if (decision.status === 'accepted' && isTaken(words.label, found, layer))
      return { status: 'taken', label: words.label }
    await deps.insert({
      ...key,
      id: deps.newId(),
      status: decision.status,
      definition: definitionText(found, words, dialect),
      tables: tablesOf(found, layer),
      decidedBy: by,
      decidedAt: deps.now(),
    })
    deps.invalidate(key.database)
    return { status: 'decided', label: words.label }
  }

/**
 * Takes the last decision about a metric or segment back: the one before it counts again, and without one, what was
 * accepted is used no more. As every decision it is stored, and can be taken back. Null if there is nothing to go back to.
 */
export const makeRollBackDecision =
  (deps: {
    /** All decisions about a database, the oldest first. */
    readonly listAll: (database: string) => Promise<readonly LayerDecision[]>
    readonly insert: (decision: LayerDecision) => Promise<void>
    readonly newId: () => string
    readonly now: () => Date
  }) =>
  async ({
    by,
    ...key
  }: ProposalKey & { readonly by: string | null }): Promise<Pick<LayerDecision, 'status'> | null> => {
    const all = await deps.listAll(key.database)
    const own = all.filter(({ kind, name }) => kind === key.kind && name === key.name)
    const [last, before] = own.toReversed()
    if (last === undefined || (before === undefined && last.status === 'rejected')) return null
    const restored: LayerDecision = before ?? { ...last, status: 'rejected' }
    await deps.insert({ ...restored, id: deps.newId(), decidedBy: by, decidedAt: deps.now() })
    return { status: restored.status }
  }

const wordsOf = (given: ProposalWords | undefined, item: Metric | Segment): ProposalWords => ({
  label: given?.label ?? item.label,
  synonyms: given?.synonyms ?? item.synonyms,
})

/** Whether something else of the same rows, or a metric over others, has the label already. */
const isTaken = (label: string, of: ProposedItem, layer: SemanticLayer): boolean => {
  const wanted = phraseKey(label)
  const others: readonly (Metric | Segment)[] = of.kind === 'metric' ? layer.metrics : layer.segments
  return others.some(one => one.name !== of.item.name && phraseKey(one.label) === wanted)
}

const definitionText = (of: ProposedItem, words: ProposalWords, dialect: Dialect): string => {
  const { name, description } = of.item
  const naming = {
    name: identifier(name),
    ...('model' in of.item && { model: identifier(of.item.model) }),
    label: words.label,
    ...(words.synonyms.length > 0 && { synonyms: words.synonyms }),
    ...(description !== null && { description }),
  }
  return stringify(
    of.kind === 'metric'
      ? { metrics: [{ ...naming, ...metricFields(of.item, dialect) }] }
      : { segments: [{ ...naming, ...segmentFields(of.item) }] },
    { lineWidth: 0 },
  )
}

/** The tables of the models that an item names. */
const tablesOf = (of: ProposedItem, { models }: SemanticLayer): Readonly<Record<string, string>> => {
  const named = new Set([
    ...('model' in of.item ? [of.item.model] : []),
    ...(of.kind === 'segment'
      ? of.item.conditions.flatMap(one => (one.kind === 'related' ? [one.model] : []))
      : []),
  ])
  return Object.fromEntries(
    models.filter(({ name }) => named.has(name)).map(model => [identifier(model.name), tableNameOf(model)]),
  )
}
