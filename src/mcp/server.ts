import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Caller } from '../domain/operations/caller.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import { serverCopy } from './copy.ts'
import { addAskTools } from './tools/ask.ts'
import { addSchemaTools } from './tools/schema.ts'
import { addStatementTools } from './tools/statements.ts'
import type { McpUseCases } from './use-cases.ts'

/** The version that clients are told. */
const VERSION = '0.1.0'

/** Makes the server of one connection: all its calls are of one caller, null if nobody said who it is. */
export const makeMcpServer = (deps: {
  readonly useCases: McpUseCases
  readonly caller: Caller | null
  readonly patienceMs?: number
  readonly log: Log
}): McpServer => {
  const server = new McpServer(
    { name: 'querent', title: serverCopy.title, version: VERSION },
    { instructions: serverCopy.instructions, maxToolInputElements: 2_000 },
  )
  const tools = { ...deps, server }
  addAskTools(tools)
  addStatementTools(tools)
  addSchemaTools(tools)
  return server
}
