import Table from 'cli-table3'
import type { VerifiedQuery } from '../../core/verified-query.ts'
import type { StoredVerifiedQuery } from '../../core/verified-recheck.ts'

/** A verified query as JSON. */
export const verifiedToJson = (query: VerifiedQuery) => ({
  id: query.id,
  database: query.database,
  question: query.question,
  maskedQuestion: query.maskedQuestion,
  sql: query.sql,
  skeleton: query.skeleton,
  replaceable: query.slots.map(({ kind, at: [start, end] }) => ({
    kind,
    said: query.question.slice(start, end),
  })),
  status: query.status,
  savedBy: query.savedBy,
  savedAt: query.savedAt.toISOString(),
  decidedBy: query.decidedBy,
  decidedAt: query.decidedAt?.toISOString() ?? null,
})

/** The same, with what became of it since. */
export const verifiedRunToJson = (query: StoredVerifiedQuery) => ({
  ...verifiedToJson(query),
  lastRun: query.lastRun && { ...query.lastRun, at: query.lastRun.at.toISOString() },
  dueAt: query.dueAt?.toISOString() ?? null,
  staleSince: query.staleness?.since.toISOString() ?? null,
  staleReasons: query.staleness?.reasons ?? [],
})

/** As a table, and why those are stale that are. */
export const verifiedTable = (queries: readonly StoredVerifiedQuery[]): string => {
  const table = new Table({
    style: { head: [], border: [], compact: true },
    head: ['id', 'status', 'database', 'question', 'last run', 'by'],
    colWidths: [10, 10, 18, 50, 24, 14],
    wordWrap: true,
  })
  for (const query of queries) {
    const { id, status, database, question, savedBy } = query
    table.push([id.slice(0, 8), status, database, question, describeRun(query), savedBy ?? ''])
  }
  const why = queries.flatMap(({ id, staleness }) =>
    staleness === null ? [] : [`${id.slice(0, 8)} is stale: ${staleness.reasons.join('; ')}.`],
  )
  if (why.length > 0)
    why.push('`verified accept` uses one again once it runs, `verified remove` takes it out.')
  return [table.toString(), ...why].join('\n')
}

/** The day, and what it gave; times are in UTC, as in `--json`. */
const describeRun = ({ lastRun }: StoredVerifiedQuery): string => {
  if (lastRun === null) return 'not yet'
  const day = lastRun.at.toISOString().slice(0, 10)
  switch (lastRun.status) {
    case 'ran':
      return `${day}: ${lastRun.rowCount} row${lastRun.rowCount === 1 ? '' : 's'}`
    case 'broken':
      return `${day}: failed`
    case 'too-heavy':
      return `${day}: too heavy to be run unasked, ${lastRun.reason}`
    case 'unreachable':
      return `${day}: not reached, ${lastRun.reason}`
    default: {
      const never: never = lastRun
      return never
    }
  }
}
