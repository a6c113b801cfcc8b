import type { Dimension, ModelJoin, SemanticModel, Unit } from '../../domain/metrics/semantic-layer.ts'
import { tableWords } from '../propose/names.ts'
import { isCalendar, rateTimeColumn } from '../propose/time-dimension.ts'
import {
  descriptionOf,
  dimensionLabel,
  identifier,
  modelLabels,
  synonymsOf,
  takeName,
} from './import-names.ts'
import { untranslatable } from './imported-layer.ts'

/** What a file says about a model. */
export interface ModelSource {
  readonly name: string
  readonly label?: string | null | undefined
  readonly synonyms?: readonly string[] | null | undefined
  readonly description?: string | null | undefined
  readonly table: SemanticModel['table']
  /** Columns. */
  readonly primaryKey: readonly string[]
  /** A dimension, if the file says which. */
  readonly timeDimension: string | null
  readonly dimensions: readonly Dimension[]
  readonly joins: readonly ModelJoin[]
}

/** A dimension of a file. */
export const dimensionOf = (source: {
  readonly name: string
  readonly label?: string | null | undefined
  readonly synonyms?: readonly string[] | null | undefined
  readonly description?: string | null | undefined
  readonly type: Dimension['type']
  readonly expression: Dimension['expression']
  readonly values?: Dimension['values']
  readonly unit?: Unit | null
  readonly isKey?: boolean
}): Dimension => {
  const label = dimensionLabel(source.name, descriptionOf(source.label))
  return {
    name: identifier(source.name),
    label,
    synonyms: synonymsOf(source.synonyms, label),
    description: descriptionOf(source.description),
    type: source.type,
    expression: source.expression,
    values: source.values ?? null,
    unit: source.unit ?? null,
    isKey: source.isKey ?? looksLikeKey(source.name),
  }
}

const looksLikeKey = (name: string): boolean =>
  /(?:^|_)(?:id|key|uuid|guid|sk)$|[a-z](?:Id|Key|ID)$/i.test(name)

/** A complete model: its keys have dimensions, its rows a name, and its dates one that comes first. */
export const makeModel = (source: ModelSource): SemanticModel => {
  const given = { description: descriptionOf(source.description), label: descriptionOf(source.label) }
  const { label, plural } = modelLabels(source.name, given.label)
  const taken = new Set<string>()
  const own = source.dimensions.map(dimension => ({ ...dimension, name: takeName(taken, dimension.name) }))
  const hasColumn = (column: string): boolean => own.some(dimension => isColumn(dimension, column))
  const missing = source.primaryKey
    .filter(column => !hasColumn(column))
    .map(column =>
      dimensionOf({ name: column, type: 'categorical', expression: { kind: 'column', column }, isKey: true }),
    )
    .map(dimension => ({ ...dimension, name: takeName(taken, dimension.name) }))
  const keyColumns = [
    ...source.primaryKey,
    ...source.joins.flatMap(join => join.columns.map(({ from }) => from)),
  ]
  const dimensions = [...missing, ...own].map(dimension =>
    keyColumns.some(column => isColumn(dimension, column)) && !isMoment(dimension)
      ? { ...dimension, isKey: true }
      : source.primaryKey.some(column => isColumn(dimension, column))
        ? { ...dimension, isKey: true }
        : dimension,
  )
  if (dimensions.length === 0)
    untranslatable('It has no dimension and no primary key. Add the column that identifies its rows.')
  const joinNames = new Set<string>()
  return {
    name: identifier(source.name),
    label,
    plural,
    synonyms: synonymsOf(source.synonyms, label),
    description: given.description,
    table: source.table,
    primaryKey: source.primaryKey,
    nameDimensions: nameDimensions(dimensions, source),
    timeDimension: source.timeDimension ?? likelyTimeDimension(dimensions, tableWords(source.name)),
    dimensions,
    joins: source.joins.map(join => ({ ...join, name: takeName(joinNames, join.name) })),
    status: 'accepted',
  }
}

const isColumn = ({ expression }: Dimension, column: string): boolean =>
  expression.kind === 'column' && expression.column.toLowerCase() === column.toLowerCase()

const isMoment = ({ type }: Dimension): boolean => type === 'date' || type === 'timestamp'

/** Endings of what people call a row, the best first. */
const nameEndings = ['full_name', 'name', 'title', 'label', 'display_name']

const nameDimensions = (
  dimensions: readonly Dimension[],
  { name, primaryKey }: Pick<ModelSource, 'name' | 'primaryKey'>,
): readonly string[] => {
  const text = dimensions.filter(({ type, isKey }) => type === 'categorical' && !isKey)
  const own = tableWords(name).join('_')
  const wanted = [
    ...nameEndings.slice(0, 1),
    ...nameEndings.slice(1).flatMap(word => [word, `${own}_${word}`]),
  ]
  const exact = wanted.map(word => text.find(dimension => dimension.name === word)).find(Boolean)
  if (exact) return [exact.name]
  const parts = ['first_name', 'last_name'].map(word => text.find(dimension => dimension.name === word))
  if (parts.every(part => part !== undefined)) return parts.map(part => part.name)
  // The name of what another table is about is not the name of this row.
  const prefixed = text.find(dimension =>
    nameEndings.some(word => dimension.name.endsWith(`_${own}_${word}`) || dimension.name === `${own}name`),
  )
  if (prefixed) return [prefixed.name]
  const keys = dimensions.filter(dimension => primaryKey.some(column => isColumn(dimension, column)))
  const first = dimensions.find(({ isKey }) => isKey) ?? dimensions[0]
  return keys.length > 0 ? keys.map(key => key.name) : first ? [first.name] : []
}

const likelyTimeDimension = (dimensions: readonly Dimension[], own: readonly string[]): string | null => {
  const [best] = dimensions
    .filter(isMoment)
    .map(dimension => ({
      name: dimension.name,
      score:
        rateTimeColumn(dimension.name, { nullable: false, comment: dimension.description }, own) -
        // What is calculated comes after what is stored.
        (dimension.expression.kind === 'column' ? 0 : 2) +
        // Every row has it, which nothing says of the other dates.
        (/^created(_at|_on|_date)?$/.test(dimension.name) ? 2 : 0),
    }))
    .toSorted((a, b) => b.score - a.score)
  return best && (best.score > -2 || isCalendar(own)) ? best.name : null
}
