import { type Catalog, nameTables } from '../../../src/domain/catalog.ts'
import type { LinkedSchema } from '../../../src/domain/question-context.ts'
import type { AgentReplyOf } from '../../../src/domain/strategies/strategy.ts'

/** A ledger is shown to the other agents up to this length, in characters. */
const LONGEST_LEDGER = 6_000

/** The task ledger (section 3.3.8) as the other agents read it: one part of the plan after the other, empty ones left out. */
export const describeTaskLedger = (ledger: AgentReplyOf<'agent-nlq-ledger'>): string => {
  const subquestions = ledger.subquestions.map(
    ({ question, needs }, at) =>
      `${at + 1}. ${question}${needs.length === 0 ? '' : ` (after ${needs.join(', ')})`}`,
  )
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['Tables', ledger.tables],
    ['Joins', ledger.joins],
    ['Filters', ledger.filters],
    ['Group by', ledger.groupBy],
    ['Metrics', ledger.metrics],
    ['Rules', ledger.rules],
  ]
  return [
    'Sub-questions:',
    ...subquestions,
    ...parts.flatMap(([name, items]) =>
      items.length === 0 ? [] : [`${name}:`, ...items.map(item => `- ${item}`)],
    ),
  ]
    .join('\n')
    .slice(0, LONGEST_LEDGER)
}

/** What the fast loop works by where no ledger is made: what a planner would have read besides the schema. */
export const ledgerWithoutPlan = (known: {
  readonly evidence: string
  readonly values: string
  readonly time: string
}): string =>
  ['No plan was made.', `Rules:\n${known.evidence}`, `Values:\n${known.values}`, `Time:\n${known.time}`]
    .join('\n\n')
    .slice(0, LONGEST_LEDGER)

/** The tables that a ledger names; the schema as it is if it names none that exists. */
export const schemaOfLedger = (
  named: readonly string[],
  catalog: Pick<Catalog, 'tables'>,
  whole: LinkedSchema,
): LinkedSchema => {
  const wanted = new Set(named.map(plainName))
  const names = [...nameTables(catalog)].flatMap(([{ schema, name }, known]) =>
    wanted.has(plainName(known)) || wanted.has(plainName(`${schema}.${name}`)) ? [known] : [],
  )
  if (names.length === 0) return whole
  const shown = new Map(whole.tables.map(table => [table.table, table]))
  return { tables: names.map(table => shown.get(table) ?? { table, keep: 'all' }) }
}

const plainName = (name: string): string => name.replaceAll(/["`[\]]/g, '').toLowerCase()
