import type { Catalog, Table } from '../../domain/catalog.ts'
import { nameTables } from '../../domain/catalog.ts'
import type { Dimension, ModelJoin, SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import { indexSchema } from '../../parser/schema/index-schema.ts'
import type { ColumnEntry, TableEntry } from '../../parser/schema/schema-index.ts'
import { columnLabel, columnWords, identifierOf, labelOf, pluralOf, tableWords } from './names.ts'
import { isCalendar, rateTimeColumn } from './time-dimension.ts'
import { unitOf } from './units.ts'

/** Values of a column that are kept as the values of its dimension. */
const MOST_VALUES = 60

/** One model for each table, with its dimensions, joins and date. */
export const proposeModels = (catalog: Catalog): readonly SemanticModel[] => {
  const schema = indexSchema(catalog)
  const names = uniqueModelNames(catalog.tables)
  const tableNames = nameTables(catalog)
  const modelOfTable = new Map(
    catalog.tables.map(table => [tableNames.get(table) ?? table.name, names.get(table)!]),
  )
  const calendarDates = new Map(
    catalog.tables.flatMap((table, at) => {
      const date = isCalendar(tableWords(table.name))
        ? schema.tables[at]!.columns.find(
            ({ traits, column }) => traits.moment && /date|day/i.test(column.name),
          )
        : undefined
      return date ? [[names.get(table)!, date.column.name] as const] : []
    }),
  )
  const drafts = catalog.tables.map((table, at): SemanticModel => {
    const entry = schema.tables[at]!
    const own = tableWords(table.name)
    const joins = joinsOf(table, catalog, { tableNames, modelOfTable })
    const dimensions = [
      ...entry.columns.map(column => dimensionOf(column, entry)),
      ...calendarDimensions(joins, calendarDates),
    ]
    return {
      name: names.get(table)!,
      label: labelOf(own),
      plural: pluralOf(own),
      synonyms: table.synonyms ?? [],
      description: table.comment,
      table: { schema: table.schema, name: table.name },
      primaryKey: table.primaryKey,
      nameDimensions: nameDimensionsOf(entry, own),
      timeDimension: ownTimeDimension(entry, own, joins, calendarDates),
      dimensions,
      joins,
      status: 'proposed',
    }
  })
  const byName = new Map(drafts.map(model => [model.name, model]))
  return drafts.map(model =>
    model.timeDimension === null ? { ...model, timeDimension: borrowedTimeDimension(model, byName) } : model,
  )
}

const uniqueModelNames = (tables: readonly Table[]): ReadonlyMap<Table, string> => {
  const taken = new Set<string>()
  return new Map(
    tables.map(table => {
      const short = identifierOf(tableWords(table.name)) || table.name
      const long = table.schema === null ? table.name : `${table.schema}_${table.name}`
      let name = taken.has(short) ? long : short
      for (let number = 2; taken.has(name); number++) name = `${long}_${number}`
      taken.add(name)
      return [table, name] as const
    }),
  )
}

const dimensionOf = ({ column, traits, words }: ColumnEntry, table: TableEntry): Dimension => {
  const values = column.profile?.mostFrequent ?? []
  const distinct = column.profile?.distinctCount ?? Number.POSITIVE_INFINITY
  const known = values
    .map(({ value }) => value)
    .filter(value => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
  const isNumber = traits.numeric && traits.flag === null
  const isId = /(?:^|_)(?:id|key|uuid|guid)$|[a-z](?:Id|Key|ID)$/.test(column.name)
  return {
    name: column.name,
    label: columnLabel(column.name),
    synonyms: column.synonyms ?? [],
    description: column.comment,
    type: traits.moment
      ? column.kind === 'timestamp' ||
        (column.kind === 'text' && values.some(({ value }) => typeof value === 'string' && value.length > 10))
        ? 'timestamp'
        : 'date'
      : traits.flag !== null
        ? 'boolean'
        : isNumber
          ? 'number'
          : 'categorical',
    expression: { kind: 'column', column: column.name },
    values: !column.masked && distinct <= MOST_VALUES && known.length > 0 ? known : null,
    unit: unitOf(column),
    isKey:
      traits.foreign ||
      isId ||
      (traits.key &&
        (traits.numeric || words.length === 0) &&
        !table.display.some(one => one.column === column)),
  }
}

/** Joins to a calendar are dates of the row itself. */
const calendarDimensions = (
  joins: readonly ModelJoin[],
  calendarDates: ReadonlyMap<string, string>,
): readonly Dimension[] =>
  joins.flatMap(join => {
    const date = calendarDates.get(join.to)
    if (date === undefined) return []
    return [
      {
        name: join.name,
        label: columnLabel(join.name),
        synonyms: [],
        description: null,
        type: 'date' as const,
        expression: { kind: 'sql' as const, text: `${join.name}.${date}` },
        values: null,
        unit: null,
        isKey: false,
      },
    ]
  })

/** The type of a visit is no name of a visit. */
const sharedByMany = /(?:type|kind|status|category|class|level|method|source|reason|priority)$/i

/** Names that tell a person which row it is; the key if no column is one. */
const nameDimensionsOf = (
  { display, primaryKey, columns, words }: TableEntry,
  own: readonly string[],
): readonly string[] => {
  const names = display.filter(
    ({ traits, column }) =>
      traits.name ||
      (own.some(word => columnWords(column.name).includes(word)) && !sharedByMany.test(column.name)) ||
      /(?:title|subject|headline|number|code|label|sku|email)$/i.test(column.name) ||
      words.length === 0,
  )
  const numbered = columns.find(
    ({ column, traits }) =>
      traits.text && !traits.foreign && /(?:_number|Number|_no|_code|Code)$/.test(column.name),
  )
  const found =
    names.length > 0 ? names : numbered ? [numbered] : primaryKey.length > 0 ? primaryKey : display
  return found.map(({ column }) => column.name)
}

/** The date of a table's rows, if one of its columns or calendar keys fits. */
const ownTimeDimension = (
  { columns, table }: TableEntry,
  own: readonly string[],
  joins: readonly ModelJoin[],
  calendarDates: ReadonlyMap<string, string>,
): string | null => {
  const rated = [
    ...columns
      .filter(({ traits, column }) => traits.moment && !column.masked && column.kind !== 'time')
      .map(({ column }) => ({ name: column.name, score: rateTimeColumn(column.name, column, own) })),
    ...joins
      .filter(({ to }) => calendarDates.has(to))
      .map(join => {
        const column = columns.find(one => one.column.name === join.columns[0]?.from)?.column
        return {
          name: join.name,
          score: rateTimeColumn(join.name, column ?? { nullable: true, comment: null }, own),
        }
      }),
  ].toSorted((a, b) => b.score - a.score)
  const [best] = rated
  return best && (best.score > -2 || isCalendar(tableWords(table.name))) ? best.name : null
}

const joinsOf = (
  table: Table,
  { foreignKeys }: Catalog,
  {
    tableNames,
    modelOfTable,
  }: { readonly tableNames: ReadonlyMap<Table, string>; readonly modelOfTable: ReadonlyMap<string, string> },
): readonly ModelJoin[] => {
  const taken = new Set<string>()
  return foreignKeys
    .filter(key => key.from.table === (tableNames.get(table) ?? table.name))
    .flatMap((key): readonly ModelJoin[] => {
      const to = modelOfTable.get(key.to.table)
      if (to === undefined || key.from.columns.length !== key.to.columns.length) return []
      const role = columnWords(key.from.columns.at(-1) ?? '')
      const short = role.filter(
        (word, at) => !(at === role.length - 1 && ['id', 'key', 'code', 'no', 'number', 'fk'].includes(word)),
      )
      let name = identifierOf(short) || to
      for (let number = 2; taken.has(name); number++) name = `${identifierOf(short) || to}_${number}`
      taken.add(name)
      return [
        {
          name,
          to,
          columns: key.from.columns.map((from, at) => ({ from, to: key.to.columns[at] ?? from })),
        },
      ]
    })
}

/** The date of what a row is a part of: an order line is of the day of its order; a fact is of a day of the calendar. */
const borrowedTimeDimension = (
  model: SemanticModel,
  models: ReadonlyMap<string, SemanticModel>,
): string | null => {
  const own = model.name.split('_')
  const rated = model.joins.flatMap(join => {
    const target = models.get(join.to)
    if (!target?.timeDimension || target.timeDimension.includes('.')) return []
    if (isCalendar(tableWords(target.table.name))) return []
    const shared = target.name.split('_').some(word => own.includes(word))
    const inKey =
      join.columns.some(({ from }) => model.primaryKey.includes(from)) && model.primaryKey.length > 1
    if (!shared && !inKey) return []
    const score = shared ? 2 : 1
    return [{ path: `${join.name}.${target.timeDimension}`, score }]
  })
  return rated.toSorted((a, b) => b.score - a.score)[0]?.path ?? null
}
