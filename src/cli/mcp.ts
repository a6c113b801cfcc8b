import { serveMcpOnStdio, serveMcpOverHttp } from '../bootstrap/mcp/serve-mcp.ts'
import { QuerentError } from '../domain/errors.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandOptions } from './commands.ts'
import { mcpCopy } from './copy/operations.ts'

/** `mcp`: lets other programs ask over MCP, until they leave or the command is stopped. */
export const runMcp = async (
  { http, port: typed, database: named }: CommandOptions,
  { resources, terminal, signal }: CommandContext,
): Promise<number> => {
  const port = readPort(typed)
  if (port !== null && !http) throw new QuerentError('bad-arguments', mcpCopy.portWithoutHttp)
  const database = named ?? null
  // An unknown name is a wrong argument now, not a surprise for the first program that asks.
  if (database !== null) await resources.openDatabase(database, { signal })
  if (http)
    await serveMcpOverHttp(resources, {
      ...{ database, port, signal },
      // Standard output is for the protocol, in both ways.
      onListening: url => terminal.err.write(`${mcpCopy.listening(url)}\n`),
    })
  else await serveMcpOnStdio(resources, { database, input: terminal.input, output: terminal.out, signal })
  return 0
}

const readPort = (typed: string | undefined): number | null => {
  if (typed === undefined) return null
  const port = /^\d{1,5}$/.test(typed) ? Number(typed) : Number.NaN
  if (!(port <= 65_535)) throw new QuerentError('bad-arguments', mcpCopy.notAPort(typed))
  return port
}
