import { checkConnector, type TrialResult } from '../databases/check-connector.ts'
import { connect } from '../databases/connect.ts'
import { parseDatabaseReference } from '../databases/database-reference.ts'
import { makeGuard } from '../databases/guard/guard.ts'
import { QuerentError } from '../domain/errors.ts'
import { databaseDialect } from '../sql/dialects.ts'
import type { CommandContext } from './command-context.ts'
import { connectorCopy } from './copy/operations.ts'
import { writeJson } from './terminal.ts'

/**
 * `connector check ADDRESS`: proves a connector on a live database within a minute, and writes a report that can be pasted
 * into an issue: it has neither the address nor a value. Exit status 1 if a trial failed.
 */
export const runConnectorCheck = async (
  { address, json }: { readonly address?: string; readonly json?: boolean },
  { config, resources, terminal, signal }: CommandContext,
): Promise<number> => {
  if (address === undefined) throw new QuerentError('bad-arguments', connectorCopy.needsAddress)
  const text = config.databases[address]?.url.reveal() ?? address
  const reference = parseDatabaseReference(text, { baseFolder: config.workingFolder })
  const { label } = databaseDialect(reference.dialect)
  const connector = await connect(reference, { audit: resources.audit })
  try {
    const results = await checkConnector(connector.measuring, {
      guard: makeGuard(),
      signal,
      onTrial: ({ trial }) => {
        if (!json) terminal.err.write(`${connectorCopy.tried(connectorCopy.trials[trial])}\n`)
      },
    })
    if (json) writeJson(terminal.out, { engine: label, trials: results })
    else terminal.out.write(`${report(label, results)}\n`)
    return results.some(({ outcome }) => outcome === 'fails') ? 1 : 0
  } finally {
    await connector.close()
  }
}

const report = (engine: string, results: readonly TrialResult[]): string =>
  [
    connectorCopy.title(engine),
    '',
    connectorCopy.head,
    '|---|---|---|',
    ...results.map(({ trial, outcome, detail }) => {
      const words = detail.replaceAll('|', '/').slice(0, 160)
      return `| ${connectorCopy.trials[trial]} | ${connectorCopy.outcomes[outcome]} | ${words} |`
    }),
    '',
    connectorCopy.summary(
      results.filter(({ outcome }) => outcome === 'holds').length,
      results.filter(({ outcome }) => outcome === 'fails').length,
    ),
  ].join('\n')
