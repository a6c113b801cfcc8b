import type { Column } from '../../core/catalog.ts'
import type { Dialect } from '../../core/dialect.ts'
import { chunkStatements } from './chunk-statements.ts'
import { asText, type ColumnMeasures, measureExpressions, readMeasures } from './column-measures.ts'
import type { Ask } from './make-ask.ts'
import { countOfShape, shapeOfEnds, type TextShape } from './text-shape.ts'

/** A column, what was measured of it, and the shape of its texts where all of them have one. */
export interface MeasuredColumn {
  readonly column: Column
  readonly measures: ColumnMeasures
  readonly shape: TextShape | null
}

/** What to measure, and how to ask. */
export interface MeasureOptions {
  readonly from: string
  readonly dialect: Dialect
  readonly ask: Ask
}

/** One aggregate statement over the columns of a table (more where it has very many), and one for the texts' shapes. */
export const measureColumns = async (
  columns: readonly Column[],
  options: MeasureOptions,
): Promise<{ readonly rows: number; readonly measured: readonly MeasuredColumn[] }> => {
  const { from, dialect, ask } = options
  let rows = 0
  const measures: { readonly column: Column; readonly measures: ColumnMeasures }[] = []
  const expressions = (column: Column): string => measureExpressions(column, dialect).join(', ')
  for (const chunk of chunkStatements(columns, expressions)) {
    const [row = []] = await ask(`SELECT count(*), ${chunk.map(expressions).join(', ')} FROM ${from}`)
    rows = Number(row[0] ?? 0)
    let at = 1
    for (const column of chunk) {
      const width = measureExpressions(column, dialect).length
      measures.push({ column, measures: readMeasures(row.slice(at, at + width), column, dialect) })
      at += width
    }
  }
  const shapes = await measureShapes(measures, options)
  return { rows, measured: measures.map(one => ({ ...one, shape: shapes.get(one.column) ?? null })) }
}

const measureShapes = async (
  measures: readonly { readonly column: Column; readonly measures: ColumnMeasures }[],
  { from, dialect, ask }: MeasureOptions,
): Promise<ReadonlyMap<Column, TextShape>> => {
  const promising = measures.flatMap(({ column, measures }) => {
    const isText = measures.stored === 'texts' || (measures.stored === null && column.kind === 'text')
    const shape = isText ? shapeOfEnds(measures.min, measures.max) : null
    if (shape === null) return []
    return [
      { column, shape, texts: measures.values, sql: countOfShape(shape, asText(column, dialect), dialect) },
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
