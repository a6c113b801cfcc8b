import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Caller } from '../domain/operations/caller.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import { makeMcpServer } from './server.ts'
import type { McpUseCases } from './use-cases.ts'

/** Serves MCP to the program that started this process, until that program closes the input or the signal fires. */
export const serveMcpStdio = async (deps: {
  readonly useCases: McpUseCases
  readonly caller: Caller
  readonly input: Readable
  readonly output: Writable
  readonly log: Log
  readonly signal: AbortSignal
}): Promise<void> => {
  const { input, signal } = deps
  const server = makeMcpServer(deps)
  const ended = Promise.race([
    once(input, 'end', { signal }),
    once(input, 'close', { signal }),
    once(deps.output, 'error', { signal }),
  ])
  await server.connect(new StdioServerTransport(input, deps.output))
  try {
    await ended
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await server.close()
  }
}
