import type { ResultTable } from '../../../core/result.ts'

/**
 * A plan as lines of text. Both servers give one row for each table read, with columns that differ; MySQL can be set to
 * give a tree in a single one.
 */
export const renderPlan = ({ columns, rows }: ResultTable): string =>
  rows
    .map(row =>
      columns.length === 1
        ? String(row[0])
        : columns
            .map(({ name }, index) => ({ name, cell: row[index] }))
            .filter(({ cell }) => cell !== null && cell !== '')
            .map(({ name, cell }) => `${name}=${String(cell)}`)
            .join(' '),
    )
    .join('\n')
