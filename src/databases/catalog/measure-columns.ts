import type { Column } from '../../core/catalog.ts'
import type { Dialect } from '../../core/dialect.ts'
import { chunkStatements } from './chunk-statements.ts'
import { asText, type ColumnStatistics, readStatistics, statisticsExpressions } from './column-measures.ts'
import type { RunInternalQuery } from './make-ask.ts'
import { shapeCountExpression, shapeOfExtremes, type TextShape } from './text-shape.ts'

/** A column, what was measured of it, and the shape of its texts where all of them have one. */
export interface ProfiledColumn {
  readonly column: Column
  readonly measures: ColumnStatistics
  readonly shape: TextShape | null
}

/** What to measure, and how to ask. */
export interface ProfileColumnsOptions {
  readonly from: string
  readonly dialect: Dialect
  readonly ask: RunInternalQuery
}

/** One aggregate statement over the columns of a table (more where it has very many), and one for the texts' shapes. */
export const profileColumns = async (
  columns: readonly Column[],
  options: ProfileColumnsOptions,
): Promise<{ readonly rows: number; readonly measured: readonly ProfiledColumn[] }> => {
  const { from, dialect, ask } = options
  let rows = 0
  const measures: { readonly column: Column; readonly measures: ColumnStatistics }[] = []
  const expressions = (column: Column): string => statisticsExpressions(column, dialect).join(', ')
  for (const chunk of chunkStatements(columns, expressions)) {
    const [row = []] = await ask(`SELECT count(*), ${chunk.map(expressions).join(', ')} FROM ${from}`)
    rows = Number(row[0] ?? 0)
    let at = 1
    for (const column of chunk) {
      const width = statisticsExpressions(column, dialect).length
      measures.push({ column, measures: readStatistics(row.slice(at, at + width), column, dialect) })
      at += width
    }
  }
  const shapes = await countTextShapes(measures, options)
  return { rows, measured: measures.map(one => ({ ...one, shape: shapes.get(one.column) ?? null })) }
}

const countTextShapes = async (
  measures: readonly { readonly column: Column; readonly measures: ColumnStatistics }[],
  { from, dialect, ask }: ProfileColumnsOptions,
): Promise<ReadonlyMap<Column, TextShape>> => {
  const promising = measures.flatMap(({ column, measures }) => {
    const isText = measures.stored === 'texts' || (measures.stored === null && column.kind === 'text')
    const shape = isText ? shapeOfExtremes(measures.min, measures.max) : null
    if (shape === null) return []
    return [
      {
        column,
        shape,
        texts: measures.values,
        sql: shapeCountExpression(shape, asText(column, dialect), dialect),
      },
    ]
  })
  const shapes = new Map<Column, TextShape>()
  for (const chunk of chunkStatements(promising, ({ sql }) => sql)) {
    const [row = []] = await ask(`SELECT ${chunk.map(({ sql }) => sql).join(', ')} FROM ${from}`)
    chunk.forEach(({ column, shape, texts }, index) => {
      if (Number(row[index] ?? 0) >= texts) shapes.set(column, shape)
    })
  }
  return shapes
}
