import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { Config } from '../../config/config.ts'
import { QuerentError } from '../../domain/errors.ts'
import type { Caller } from '../../domain/operations/caller.ts'
import type { HttpCallers } from '../../mcp/http/authenticate.ts'
import { purgeDays } from '../../store/audit-file/audit-file.ts'
import { makePurgeByAge, startHourlyPurge } from '../../store/retention.ts'
import { sampleCompany } from '../databases/databases.ts'
import type { Resources } from '../resources.ts'
import { auditFolder } from '../statement-audit.ts'
import { makeMcpUseCases } from './use-cases.ts'

/** The person at the shell. */
const shell: Caller = { person: null, team: null, databases: null }

/** Serves MCP on standard input and output, with the rights of the shell, until the client leaves or the signal fires. */
export const serveMcpOnStdio = async (
  resources: Resources,
  given: {
    readonly database: string | null
    readonly input: Readable
    readonly output: Writable
    readonly signal: AbortSignal
  },
): Promise<void> => {
  const { config, log } = resources
  const { useCases, open, settle } = makeMcpUseCases(resources, {
    shellDatabases: shellDatabases(config, given.database),
    askSlack: false,
  })
  // Begun before the first call needs it; what fails is reported by that call.
  void open().catch(() => {})
  const { serveMcpStdio } = await import('../../mcp/stdio.ts')
  const { input, output, signal } = given
  await surviveStoreOutages(resources, async () => {
    await serveMcpStdio({ useCases, caller: shell, input, output, log, signal })
    await settle()
  })
}

/**
 * Serves MCP over HTTP until the signal fires. Without tokens and Slack it has the rights of the shell, and only programs
 * of this machine can reach it.
 */
export const serveMcpOverHttp = async (
  resources: Resources,
  given: {
    readonly database: string | null
    /** Instead of the configured one. */
    readonly port: number | null
    readonly signal: AbortSignal
    readonly onListening: (url: string) => void
  },
): Promise<void> => {
  const { config, log, releasers } = resources
  const { isLoopback, serveMcpHttp } = await import('../../mcp/http/serve.ts')
  const { host, port, hosts } = config.mcp
  const callers = httpCallers(config)
  if (callers.withoutToken !== null && !isLoopback(host))
    throw new QuerentError(
      'bad-configuration',
      `mcp.host is ${host}, so other machines could ask without a token. Add mcp.tokens to querent.yml, or use 127.0.0.1 (docs/mcp.md).`,
    )
  const { useCases, open, settle } = makeMcpUseCases(resources, {
    shellDatabases: shellDatabases(config, given.database),
    askSlack: config.mcp.slack || Object.values(config.mcp.tokens).some(({ team }) => team !== null),
  })
  await surviveStoreOutages(resources, async () => {
    const place = { host, port: given.port ?? port, hosts }
    const server = await serveMcpHttp({ useCases, place, callers, log, now: Date.now })
    try {
      await open()
      const { store, checkpoints } = await resources.ownStore()
      const now = (): Date => new Date()
      const purgeByAge = makePurgeByAge(store.repositories, {
        ...{ retention: config.retention, forgetThread: checkpoints.forget, now },
        purgeAuditFiles: before => purgeDays(auditFolder(config), before),
      })
      releasers.push(startHourlyPurge({ ...store.repositories, checkpoints, purgeByAge }, now, log))
      given.onListening(server.url)
      if (!given.signal.aborted) await once(given.signal, 'abort')
    } finally {
      await server.close()
      await settle()
    }
  })
}

/** What the shell may ask: the named database, or else all that are configured, the default first. */
const shellDatabases = (config: Config, named: string | null): readonly string[] =>
  named === null
    ? [...new Set([config.defaultDatabase ?? sampleCompany, ...Object.keys(config.databases)])]
    : [named]

const httpCallers = ({ mcp, slack }: Config): HttpCallers => {
  const tokens = Object.values(mcp.tokens).map(({ token, person, team, databases, claims }) => ({
    token: token.reveal(),
    caller: { person, team, databases, claims },
  }))
  return {
    tokens,
    slackSigningSecret: mcp.slack ? (slack.signingSecret?.reveal() ?? null) : null,
    withoutToken: tokens.length === 0 && !mcp.slack ? shell : null,
  }
}

/**
 * LangGraph writes checkpoints in the background; a failed one (the store was unavailable) is an unhandled rejection.
 * That question then fails, and the others continue.
 */
const surviveStoreOutages = async (
  { log }: Pick<Resources, 'log'>,
  serve: () => Promise<void>,
): Promise<void> => {
  const onUnhandled = (error: unknown): void => log.error({ error }, 'an error went unhandled')
  process.on('unhandledRejection', onUnhandled)
  try {
    await serve()
  } finally {
    process.off('unhandledRejection', onUnhandled)
  }
}
