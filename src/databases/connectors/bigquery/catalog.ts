import type { Catalog, Column, ForeignKey, Table } from '../../../domain/catalog.ts'
import { SqlError } from '../../../domain/errors.ts'
import { mapInParallel } from '../../../lib/concurrency.ts'
import { fingerprintCatalog } from '../catalog.ts'
import { cancelledError } from '../read-only-transaction.ts'
import type { BigqueryAddress, BigqueryDataset } from './address.ts'
import type { Ask } from './session.ts'
import { type BigqueryField, kindOfField, typeOfField } from './values.ts'

interface TableReference {
  readonly projectId: string
  readonly datasetId: string
  readonly tableId: string
}

interface TableResource {
  readonly tableReference: TableReference
  readonly type: string
  readonly description?: string
  readonly numRows?: string
  readonly schema?: { readonly fields?: readonly BigqueryField[] }
  readonly view?: { readonly query?: string }
  readonly materializedView?: { readonly query?: string }
  readonly timePartitioning?: { readonly field?: string; readonly requirePartitionFilter?: boolean }
  readonly rangePartitioning?: { readonly field?: string }
  readonly requirePartitionFilter?: boolean
  readonly clustering?: { readonly fields?: readonly string[] }
  readonly tableConstraints?: {
    readonly primaryKey?: { readonly columns?: readonly string[] }
    readonly foreignKeys?: readonly {
      readonly referencedTable: TableReference
      readonly columnReferences: readonly {
        readonly referencingColumn: string
        readonly referencedColumn: string
      }[]
    }[]
  }
}

/** A table to describe, and how many tables for a day each it stands for. */
interface Listed {
  readonly reference: TableReference
  readonly days: number
}

/** Tables that are described: each takes a request, which reads metadata alone and is not billed. */
const mostDescribed = 5_000

const describedAtOnce = 8

/** Reads the tables of the datasets that the address names. Only metadata is asked for: none of it is billed. */
export const introspect = async (
  ask: Ask,
  address: BigqueryAddress,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Catalog> => {
  const stopIfAborted = (): void => {
    if (signal?.aborted) throw cancelledError()
  }
  stopIfAborted()
  const home = address.home === null ? await listDatasets(ask, address.project) : [address.home]
  const listed: Listed[] = []
  for (const dataset of [...home, ...address.others]) {
    stopIfAborted()
    listed.push(...newestOfDays(await listTables(ask, dataset)))
  }
  const read: { readonly at: number; readonly table: Table; readonly keys: readonly ForeignKey[] }[] = []
  await mapInParallel([...listed.slice(0, mostDescribed).entries()], describedAtOnce, async ([at, one]) => {
    stopIfAborted()
    const { projectId, datasetId, tableId } = one.reference
    const resource = await ask<TableResource>({
      project: projectId,
      path: `/datasets/${datasetId}/tables/${tableId}`,
    }).catch(skipIfGone)
    if (resource !== null && (resource.schema?.fields ?? []).length > 0)
      read.push({ at, table: toTable(resource, one.days, address), keys: keysOf(resource) })
  })
  read.sort((a, b) => a.at - b.at)
  const catalog = {
    dialect: 'bigquery',
    tables: read.map(({ table }) => table),
    foreignKeys: read.flatMap(({ keys }) => keys),
  } as const
  return { ...catalog, fingerprint: fingerprintCatalog(catalog) }
}

/** A table that was dropped since it was listed, or that these credentials may not see, costs the others nothing. */
const skipIfGone = (error: unknown): null => {
  if (error instanceof SqlError && /^(?:unknown-table|permission)$/.test(error.errorClass)) return null
  throw error
}

const listAll = async <T>(
  ask: Ask,
  request: { readonly path: string; readonly project: string },
  key: 'datasets' | 'tables',
): Promise<readonly T[]> => {
  const found: T[] = []
  for (let pageToken: string | undefined; ; ) {
    const page = await ask<
      { readonly nextPageToken?: string } & { readonly [name in typeof key]?: readonly T[] }
    >({ ...request, query: { maxResults: 1_000, ...(pageToken !== undefined && { pageToken }) } })
    found.push(...(page[key] ?? []))
    pageToken = page.nextPageToken
    if (pageToken === undefined) return found
  }
}

const listDatasets = async (ask: Ask, project: string): Promise<readonly BigqueryDataset[]> => {
  const all = await listAll<{ readonly datasetReference: { readonly datasetId: string } }>(
    ask,
    { path: '/datasets', project },
    'datasets',
  )
  return all.map(({ datasetReference }) => ({ project, dataset: datasetReference.datasetId }))
}

const listTables = async (
  ask: Ask,
  { project, dataset }: BigqueryDataset,
): Promise<readonly TableReference[]> => {
  const all = await listAll<{ readonly tableReference: TableReference }>(
    ask,
    { path: `/datasets/${dataset}/tables`, project },
    'tables',
  )
  return all.map(({ tableReference }) => tableReference)
}

/** `events_20240131` is one of a table a day. */
const dayTable = /^(.*?)((?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))$/

/** Years of a table a day would fill the schema with one table: only the newest stays, and says so. */
const newestOfDays = (references: readonly TableReference[]): readonly Listed[] => {
  const kept = new Map<string, Listed>()
  for (const reference of references) {
    const prefix = dayTable.exec(reference.tableId)?.[1]
    const key = prefix === undefined ? `=${reference.tableId}` : `*${prefix}`
    const before = kept.get(key)
    const isNewer = before === undefined || reference.tableId > before.reference.tableId
    kept.set(key, {
      reference: isNewer ? reference : before.reference,
      days: (before?.days ?? 0) + 1,
    })
  }
  return [...kept.values()]
}

/** The schema as statements write it: none for the home dataset, and its project where that is another. */
const schemaOf = (
  { projectId, datasetId }: TableReference,
  { project, home }: BigqueryAddress,
): Pick<Table, 'schema' | 'home'> => {
  if (home?.project === projectId && home.dataset === datasetId) return { schema: null, home: datasetId }
  return { schema: projectId === project ? datasetId : `${projectId}.${datasetId}` }
}

const toTable = (resource: TableResource, days: number, address: BigqueryAddress): Table => {
  const { tableReference, type, numRows, schema, tableConstraints } = resource
  const query = resource.view?.query ?? resource.materializedView?.query
  const isView = type === 'VIEW' || type === 'MATERIALIZED_VIEW'
  return {
    ...schemaOf(tableReference, address),
    name: tableReference.tableId,
    type: isView ? 'view' : 'table',
    comment: commentOf(resource, days),
    rowCount: isView || numRows === undefined || type === 'EXTERNAL' ? null : Number(numRows),
    columns: (schema?.fields ?? []).map(toColumn),
    primaryKey: tableConstraints?.primaryKey?.columns ?? [],
    ...(query !== undefined && { definition: query }),
  }
}

const toColumn = (field: BigqueryField): Column => ({
  name: field.name,
  type: typeOfField(field),
  kind: kindOfField(field),
  nullable: field.mode !== 'REQUIRED',
  comment: field.description || null,
  profile: null,
})

/** The description, and what a statement has to know to read little of the table. */
const commentOf = (
  {
    tableReference,
    description,
    timePartitioning,
    rangePartitioning,
    clustering,
    requirePartitionFilter,
  }: TableResource,
  days: number,
): string | null => {
  const partition =
    timePartitioning === undefined ? rangePartitioning?.field : (timePartitioning.field ?? '_PARTITIONTIME')
  const isRequired = requirePartitionFilter ?? timePartitioning?.requirePartitionFilter ?? false
  const facts = [
    ...(description ? [description.replace(/\.?\s*$/, '.')] : []),
    ...(days > 1
      ? [
          `The newest of ${days} tables of one day each, ${tableReference.tableId.slice(0, -8)}YYYYMMDD; the others are left out.`,
        ]
      : []),
    ...(partition === undefined
      ? []
      : [`Partitioned by ${partition}${isRequired ? '; every query must filter on it' : ''}.`]),
    ...(clustering?.fields?.length ? [`Clustered by ${clustering.fields.join(', ')}.`] : []),
  ]
  return facts.length === 0 ? null : facts.join(' ')
}

const keysOf = ({ tableReference, tableConstraints }: TableResource): readonly ForeignKey[] =>
  (tableConstraints?.foreignKeys ?? []).map(({ referencedTable, columnReferences }) => ({
    from: {
      table: tableReference.tableId,
      columns: columnReferences.map(({ referencingColumn }) => referencingColumn),
    },
    to: {
      table: referencedTable.tableId,
      columns: columnReferences.map(({ referencedColumn }) => referencedColumn),
    },
    source: 'declared',
    inclusion: null,
  }))
