import { useState } from 'react'
import type { SlackBlock } from '../../../src/slack/block-kit/schema.ts'

type DataTable = Extract<SlackBlock, { readonly type: 'data_table' }>

type Row = DataTable['rows'][number]

type Order = { readonly column: number; readonly direction: 'ascending' | 'descending' }

/** Slack's own number for a table that names none. */
const DEFAULT_PAGE = 5

/** A table to sort by its headings and to page through. Both are buttons, so the keyboard serves as well. */
export const DataTableBlock = ({ block }: { readonly block: DataTable }) => {
  const [header = [], ...rows] = block.rows
  const size = block.page_size ?? DEFAULT_PAGE
  const [order, setOrder] = useState<Order | null>(null)
  const [chosen, setPage] = useState(0)
  const pages = Math.ceil(rows.length / size)
  // A table that changes may have fewer pages than before.
  const page = Math.min(chosen, pages - 1)
  const first = page * size
  const sorted = order === null ? rows : sortRows(rows, order)
  const shown = sorted.slice(first, first + size)
  const rowHeader = block.row_header_column_index ?? 0
  const align = header.map((_, i) => (rows.some(row => row[i]?.type === 'raw_number') ? 'right' : 'left'))

  const sortBy = (column: number): void => {
    setOrder(nextOrder(order, column))
    setPage(0)
  }

  return (
    <div className="data-table">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="table-box" tabIndex={0} aria-label={block.caption}>
        <table>
          <caption>{block.caption}</caption>
          <thead>
            <tr>
              {header.map((cell, i) => (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns have no identity but their place
                  key={i}
                  scope="col"
                  data-align={align[i]}
                  aria-sort={order?.column === i ? order.direction : 'none'}
                >
                  <button type="button" className="sort" onClick={() => sortBy(i)}>
                    {cell.text}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: neither have rows
              <tr key={first + i}>
                {row.map((cell, j) =>
                  j === rowHeader ? (
                    // biome-ignore lint/suspicious/noArrayIndexKey: see above
                    <th key={j} scope="row" data-align={align[j]}>
                      {cell.text}
                    </th>
                  ) : (
                    // biome-ignore lint/suspicious/noArrayIndexKey: see above
                    <td key={j} data-align={align[j]}>
                      {cell.text}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {pages > 1 && (
        <nav className="pages" aria-label={`Pages of ${block.caption}`}>
          <PageButton label="Previous page" sign="‹" to={page - 1} last={pages - 1} onPage={setPage} />
          <span role="status">
            {first + 1}–{first + shown.length} of {rows.length}
          </span>
          <PageButton label="Next page" sign="›" to={page + 1} last={pages - 1} onPage={setPage} />
        </nav>
      )}
    </div>
  )
}

/** At either end it stays in reach, so that the focus is not lost. */
const PageButton = (props: {
  readonly label: string
  readonly sign: string
  readonly to: number
  readonly last: number
  onPage(page: number): void
}) => {
  const leadsNowhere = props.to < 0 || props.to > props.last
  return (
    <button
      type="button"
      className="button"
      aria-label={props.label}
      aria-disabled={leadsNowhere}
      onClick={() => {
        if (!leadsNowhere) props.onPage(props.to)
      }}
    >
      {props.sign}
    </button>
  )
}

/** Up, down, and then as it was. */
const nextOrder = (order: Order | null, column: number): Order | null => {
  if (order?.column !== column) return { column, direction: 'ascending' }
  return order.direction === 'ascending' ? { column, direction: 'descending' } : null
}

/** As numbers if a column has nothing but numbers, else by its text, as Slack does. */
const sortRows = (rows: readonly Row[], { column, direction }: Order): readonly Row[] => {
  const areNumbers = rows.every(row => row[column]?.type === 'raw_number')
  const compare = (a: Row, b: Row): number =>
    areNumbers
      ? numberIn(a, column) - numberIn(b, column)
      : (a[column]?.text ?? '').localeCompare(b[column]?.text ?? '')
  return rows.toSorted((a, b) => (direction === 'ascending' ? compare(a, b) : compare(b, a)))
}

const numberIn = (row: Row, column: number): number => {
  const cell = row[column]
  return cell?.type === 'raw_number' ? cell.value : 0
}
