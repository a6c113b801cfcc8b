interface Cell {
  readonly type: string
  readonly text?: string
  readonly value?: unknown
}

type Setting = {
  readonly align?: 'left' | 'center' | 'right' | undefined
  readonly is_wrapped?: boolean | undefined
}

/** A table: its first row is the header, which stays in sight while one scrolls. */
export const TableBlock = (props: {
  readonly rows: readonly (readonly Cell[])[]
  readonly settings: readonly (Setting | null)[]
}) => {
  const [header = [], ...rows] = props.rows
  const look = (i: number) => ({
    'data-align': props.settings[i]?.align ?? 'left',
    'data-wrapped': props.settings[i]?.is_wrapped ?? false,
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-box" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map((cell, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no identity but their place
              <th key={i} scope="col" {...look(i)}>
                {wordsOf(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: neither have rows
            <tr key={i}>
              {row.map((cell, j) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <td key={j} {...look(j)}>
                  {wordsOf(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const wordsOf = (cell: Cell): string => cell.text ?? String(cell.value ?? '')
