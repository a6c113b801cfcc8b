import { type Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml'
import { QuerentError } from '../../domain/errors.ts'
import type { Metric, Segment, SemanticLayer, SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import type { Dialect } from '../../domain/sql.ts'
import { identifier, metricFields, segmentFields } from '../files/write-layer-file.ts'

/** Something that is proposed, for a person to decide about. */
export type ReviewItem =
  | { readonly kind: 'model'; readonly item: SemanticModel }
  | { readonly kind: 'metric'; readonly item: Metric }
  | { readonly kind: 'segment'; readonly item: Segment }

/** What a person decided: to use it, perhaps under other words, or never to propose it again. */
export type ReviewDecision =
  | {
      readonly kind: 'accept'
      readonly of: ReviewItem
      readonly label: string
      readonly synonyms: readonly string[]
    }
  | { readonly kind: 'reject'; readonly of: ReviewItem }

/** What is proposed in a layer: models first, then metrics and segments. */
export const listProposals = ({ models, metrics, segments }: SemanticLayer): readonly ReviewItem[] =>
  [
    ...models.map(item => ({ kind: 'model' as const, item })),
    ...metrics.map(item => ({ kind: 'metric' as const, item })),
    ...segments.map(item => ({ kind: 'segment' as const, item })),
  ].filter(({ item }) => item.status === 'proposed')

/**
 * The text of a layer file with a decision in it. Everything else stays, comments too. `text`: the file, or null if there
 * is none. Throws `QuerentError('bad-configuration')` if it is not valid YAML.
 */
export const writeDecision = (
  text: string | null,
  decision: ReviewDecision,
  about: {
    readonly database: string
    readonly layer: SemanticLayer
    readonly dialect: Dialect
    readonly file: string
  },
): string => {
  const document = parseDocument(text ?? '')
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents)))
    throw new QuerentError(
      'bad-configuration',
      `Cannot add to ${about.file}, because it is not valid YAML. Correct it first.`,
    )
  if (document.contents === null) {
    document.commentBefore ??= document.comment ?? null
    document.comment = null
    document.contents = document.createNode({
      database: about.database,
    }) as unknown as typeof document.contents
  }
  const { of } = decision
  if (decision.kind === 'reject') {
    const key = of.kind === 'model' ? 'exclude' : 'rejected'
    const name = of.kind === 'model' ? tableOf(of.item, about.layer) : of.item.name
    listIn(document, document.contents as YAMLMap, key, true).add(document.createNode(name))
    return written(document)
  }
  const words = {
    label: decision.label,
    ...(decision.synonyms.length > 0 && { synonyms: decision.synonyms }),
  }
  switch (of.kind) {
    case 'model': {
      const model = modelIn(document, of.item, about.layer)
      const { plural, nameDimensions, timeDimension } = of.item
      const isOther = decision.label !== of.item.label
      const fields = {
        ...words,
        ...(!isOther && { plural }),
        name_dimensions: nameDimensions,
        ...(timeDimension !== null && { agg_time_dimension: timeDimension }),
      }
      for (const [key, value] of Object.entries(fields))
        if (!model.has(key)) model.set(key, document.createNode(value, { flow: true }))
      break
    }
    case 'metric': {
      const fields = { name: identifier(of.item.name), ...words, ...metricFields(of.item, about.dialect) }
      const model = about.layer.models.find(one => of.item.kind === 'simple' && one.name === of.item.model)
      const place = model ? modelIn(document, model, about.layer) : (document.contents as YAMLMap)
      listIn(document, place, 'metrics').add(document.createNode(fields, { flow: true }))
      break
    }
    case 'segment': {
      const fields = {
        name: identifier(of.item.name),
        model: identifier(of.item.model),
        ...words,
        ...segmentFields(of.item),
      }
      listIn(document, document.contents as YAMLMap, 'segments').add(
        document.createNode(fields, { flow: true }),
      )
      break
    }
    default: {
      const never: never = of
      return never
    }
  }
  return written(document)
}

const written = (document: Document): string => document.toString({ lineWidth: 0 })

const listIn = (document: Document, map: YAMLMap, key: string, flow = false): YAMLSeq => {
  const known = map.get(key, true)
  if (isSeq(known)) return known
  const list = document.createNode(known === undefined ? [] : [known], { flow })
  map.set(key, list)
  return list
}

/** The entry of a model, which is added if there is none. */
const modelIn = (document: Document, model: SemanticModel, layer: SemanticLayer): YAMLMap => {
  const models = listIn(document, document.contents as YAMLMap, 'semantic_models')
  const name = identifier(model.name)
  const known = models.items.find(item => isMap(item) && item.get('name') === name)
  if (isMap(known)) return known
  const made = document.createNode({ name, table: tableOf(model, layer) })
  models.add(made)
  return made
}

const tableOf = ({ table: { schema, name } }: SemanticModel, { models }: SemanticLayer): string =>
  schema !== null && models.filter(({ table }) => table.name === name).length > 1 ? `${schema}.${name}` : name
