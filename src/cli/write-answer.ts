import type { Writable } from 'node:stream'
import Table from 'cli-table3'
import pc from 'picocolors'
import type { Cell, ResultTable, ValueKind } from '../core/result.ts'
import { formatCell } from '../lib/format-cell.ts'
import type { AskReport } from './ask-report.ts'

const ROWS_SHOWN = 50
const CELL_WIDTH = 60

/** Writes an answer as a person reads it: headline, table, how sure, assumptions, SQL. */
export const writeAnswer = (
  out: Writable,
  report: AskReport,
  shown: { readonly headline: string; readonly table: ResultTable | null },
): void => {
  const lines: string[] = []
  switch (report.status) {
    case 'answered':
      lines.push(pc.bold(shown.headline), ...(shown.table ? tableLines(shown.table) : []), '')
      lines.push(`${pc.dim('How sure:')} ${Math.round((report.confidence ?? 0) * 100)} %`)
      lines.push(...report.assumptions.map(assumption => `${pc.dim('Assumed:')} ${assumption}`))
      lines.push(...report.alternatives.map(other => `${pc.dim('Or:')} ${other}`))
      lines.push(pc.dim('SQL:'), report.sql ?? '')
      break
    case 'needs-clarification':
      lines.push(pc.bold(report.clarification?.question ?? ''))
      lines.push(...(report.clarification?.options ?? []).map((option, i) => `  ${i + 1}. ${option}`))
      lines.push(pc.dim('Answer with --reply and the number, or with words of your own.'))
      break
    case 'refused':
    case 'failed':
      lines.push(pc.bold(report.reason ?? ''), report.nextStep ?? '')
      lines.push(...report.nearest.map(question => `  ${pc.dim('for instance')} ${question}`))
      if (report.whoToAsk !== null) lines.push(`${pc.dim('Whom to ask:')} ${report.whoToAsk}`)
      break
    default: {
      const never: never = report.status
      throw new Error(`unknown status ${String(never)}`)
    }
  }
  out.write(`${lines.join('\n')}\n`)
}

const tableLines = (table: ResultTable): string[] => {
  // One value stands in the headline already.
  if (table.rows.length === 0 || (table.rows.length === 1 && table.columns.length === 1)) return []
  const drawn = new Table({
    head: table.columns.map(column => column.name),
    style: { head: [], border: [], compact: true },
    colAligns: table.columns.map((_, i) => (isNumeric(table, i) ? 'right' : 'left')),
  })
  for (const row of table.rows.slice(0, ROWS_SHOWN))
    drawn.push(row.map((cell, i) => cellText(cell, table.columns[i]?.kind)))
  const cut = table.rows.length > ROWS_SHOWN || table.truncated !== null
  const total = `${table.rows.length.toLocaleString('en-US')}${table.truncated ? ' or more' : ''}`
  return [
    drawn.toString(),
    ...(cut ? [pc.dim(`${Math.min(ROWS_SHOWN, table.rows.length)} of ${total} rows`)] : []),
  ]
}

const isNumeric = (table: ResultTable, column: number): boolean =>
  ['integer', 'number'].includes(table.columns[column]?.kind ?? '') ||
  table.rows.some(row => typeof row[column] === 'number' || typeof row[column] === 'bigint')

const cellText = (cell: Cell, kind: ValueKind = 'unknown'): string =>
  formatCell(cell, { maxLength: CELL_WIDTH, kind })
