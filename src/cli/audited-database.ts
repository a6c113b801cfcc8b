import { sampleCompany } from '../compose/databases/make-databases.ts'
import type { Config } from '../config/config.ts'
import { QuerentError } from '../core/errors.ts'
import type { StatementRecord } from '../core/statement-audit.ts'

/**
 * Rejects where a name is neither a database of querent.yml nor one that a statement was run on: nothing found for it would
 * read as if nothing was run. One that querent.yml has no longer still has its statements. The log is read only for a name
 * that is not configured, and in whole.
 */
export const resolveAuditedDatabase = async (
  name: string,
  known: {
    readonly config: Pick<Config, 'databases'>
    readonly inStore: () => Promise<readonly string[]>
    readonly inFiles: () => AsyncIterable<Pick<StatementRecord, 'database'>>
  },
): Promise<void> => {
  const names = new Set(Object.keys(known.config.databases))
  if (names.has(name) || name === sampleCompany) return
  for (const one of await known.inStore()) names.add(one)
  for await (const { database } of known.inFiles()) names.add(database)
  if (names.has(name)) return
  const listed = names.size === 0 ? 'There are none.' : `There are: ${[...names].sort().join(', ')}.`
  throw new QuerentError(
    'unknown-database',
    `--database: neither querent.yml nor the audit log knows “${name}”. ${listed}`,
  )
}
