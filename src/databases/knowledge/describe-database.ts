import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Catalog, nameTables, type Table } from '../../domain/catalog.ts'
import type { Database } from '../../domain/database.ts'
import type { DescribeTable } from '../../domain/knowledge.ts'
import type { OnProgress } from '../../domain/operations/telemetry.ts'
import { addModelUsage, type ModelUsage, noModelUsage } from '../../domain/operations/usage.ts'
import { mapInParallel } from '../../lib/concurrency.ts'
import { renderMarkdown } from '../catalog/render-schema.ts'
import { type GeneratedDescription, generatedFolder, renderGeneratedDescriptions } from './knowledge-files.ts'

/** The result of describing a database. */
export interface DescribedDatabase {
  readonly file: string
  readonly tables: number
  readonly columns: number
  /** Tables whose call failed, with the error message. */
  readonly failed: readonly { readonly table: string; readonly why: string }[]
  readonly usage: ModelUsage
}

/**
 * Lets a model describe every table without a human description, and writes `generated/<database>.md` into the
 * knowledge folder. Earlier generated descriptions are replaced. Rejects if `signal` fires or not one table could be
 * described.
 */
export const describeDatabase = async (
  database: Database,
  deps: {
    readonly describe: DescribeTable
    readonly about: string
    readonly knowledgeFolder: string
    readonly onProgress: OnProgress
    readonly signal: AbortSignal
  },
): Promise<DescribedDatabase> => {
  const { describe, about, signal, onProgress } = deps
  const { catalog, name } = database
  const names = nameTables(catalog)
  const wanted = catalog.tables
    .map(table => ({ table, name: names.get(table) ?? table.name, columns: undescribed(table) }))
    .filter(({ table, columns }) => columns.length > 0 || isUndescribed(table))
  const failed: { table: string; why: string }[] = []
  let usage = noModelUsage
  let done = 0
  const described = await mapInParallel(wanted, 2, async (one): Promise<GeneratedDescription> => {
    try {
      const rendered = renderMarkdown(catalog, { tables: [{ table: one.name, keep: 'all' }] })
      const reply = await describe({ database: about, rendered, columns: one.columns }, { signal })
      usage = addModelUsage(usage, reply.usage)
      const text = isUndescribed(one.table) ? reply.value.table : null
      return { table: one.name, text, columns: reply.value.columns }
    } catch (error) {
      if (signal.aborted) throw error
      failed.push({ table: one.name, why: error instanceof Error ? error.message : String(error) })
      if (failed.length === wanted.length) throw error
      return earlier(one.table, one.name)
    } finally {
      done += 1
      onProgress({ doing: `Describing ${name}`, share: done / wanted.length })
    }
  })
  const file = join(deps.knowledgeFolder, generatedFolder, `${fileNameOf(name)}.md`)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(`${file}.draft`, renderGeneratedDescriptions(name, described))
  await rename(`${file}.draft`, file)
  return {
    file,
    tables: described.filter(({ text }) => text !== null).length,
    columns: described.reduce((sum, { columns }) => sum + columns.length, 0),
    failed,
    usage,
  }
}

/** Tables without a description, or with one from an earlier run. */
const isUndescribed = ({ comment, commentSource }: Pick<Table, 'comment' | 'commentSource'>): boolean =>
  comment === null || commentSource === 'generated'

/** An earlier description stays if it could not be replaced. */
const earlier = (table: Table, name: string): GeneratedDescription => {
  const generated = ({ comment, commentSource }: Pick<Table, 'comment' | 'commentSource'>): string | null =>
    commentSource === 'generated' ? comment : null
  return {
    table: name,
    text: generated(table),
    columns: table.columns.flatMap(column => {
      const text = generated(column)
      return text === null ? [] : [{ column: column.name, text }]
    }),
  }
}

/** Key columns need no description. */
const undescribed = (table: Catalog['tables'][number]): readonly string[] =>
  table.columns
    .filter(column => isUndescribed(column) && !table.primaryKey.includes(column.name))
    .map(({ name }) => name)

const fileNameOf = (name: string): string => name.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|-+$/g, '')
