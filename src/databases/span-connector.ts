import type { Connector } from '../core/connector.ts'
import type { InSpan } from '../core/span.ts'

/** The same connector, with each statement in a span: which database, how many rows; neither its text nor its values. */
export const spanConnector = (connector: Connector, database: string, inSpan: InSpan): Connector => {
  const facts = { database, dialect: connector.dialect }
  return {
    ...connector,
    run: (sql, options) =>
      inSpan('run-statement', facts, async span => {
        const table = await connector.run(sql, options)
        span.set({ rows: table.rows.length, truncated: table.truncated ?? 'no' })
        return table
      }),
    explain: (sql, options) => inSpan('explain-statement', facts, () => connector.explain(sql, options)),
  }
}
