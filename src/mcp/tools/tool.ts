import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { NotAllowed } from '../../domain/access/access.ts'
import { QuerentError } from '../../domain/errors.ts'
import type { Caller } from '../../domain/operations/caller.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import { withoutInvisibleIn } from '../../lib/inert-text.ts'
import { errorCopy, toolCopy } from '../copy.ts'
import { inertMarkdown } from '../render.ts'
import type { McpUseCases } from '../use-cases.ts'

/** What the protocol knows of one call. */
type CallExtra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** What every tool needs. */
export interface ToolDeps {
  readonly server: McpServer
  readonly useCases: McpUseCases
  /** Who calls; null if the caller did not say. */
  readonly caller: Caller | null
  /** How long the client waits for an answer, if it says nothing of canceling; left out, until it cancels. */
  readonly patienceMs?: number
  readonly log: Log
}

/** One call of a tool. */
export interface ToolCall {
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly extra: CallExtra
}

/** The argument that all tools share. */
export const databaseArgument = z.string().min(1).max(200).optional().describe(toolCopy.database)

/** Words to search for. */
export const searchArgument = z.string().max(500).optional().describe(toolCopy.search)

/** A tool that only reads. */
export interface ReadingTool<Input extends z.ZodRawShape, Output extends z.ZodRawShape> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly output: Output
  readonly run: (args: z.output<z.ZodObject<Input>>, call: ToolCall) => Promise<CallToolResult>
}

/** Registers a tool. What it throws becomes an error that says what to do next. */
export const addTool = <Input extends z.ZodRawShape, Output extends z.ZodRawShape>(
  { server, caller, log }: ToolDeps,
  { name, title, description, input, output, run }: ReadingTool<Input, Output>,
): void => {
  const schema = z.strictObject(input)
  server.registerTool(
    name,
    {
      ...{ title, description },
      inputSchema: schema,
      outputSchema: z.object(output),
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    },
    // The SDK has checked the arguments with this schema.
    (async (args: z.output<z.ZodObject<Input>>, extra: CallExtra): Promise<CallToolResult> => {
      if (caller === null) return errorResult([errorCopy.noCaller])
      try {
        // A model of the client reads all of it, data too.
        return withoutInvisibleIn(await run(args, { caller, signal: extra.signal, extra }))
      } catch (error) {
        extra.signal.throwIfAborted()
        if (error instanceof QuerentError && error.code !== 'internal') return errorResult([error.message])
        log.error({ error, tool: name }, 'an MCP tool failed unexpectedly')
        return errorResult([errorCopy.unexpected])
      }
    }) as never,
  )
}

/** A result: text for reading, and the same as data. */
export const textResult = (
  lines: readonly string[],
  structuredContent: Readonly<Record<string, unknown>>,
): CallToolResult => ({ content: [{ type: 'text', text: lines.join('\n') }], structuredContent })

/** What went wrong and what to do next. */
export const errorResult = (lines: readonly string[]): CallToolResult => ({
  content: [{ type: 'text', text: inertMarkdown(lines.filter(line => line !== '').join('\n')) }],
  isError: true,
})

/** A caller that is not allowed to do something. */
export const notAllowedResult = ({
  reason,
  nextStep,
}: Pick<NotAllowed, 'reason' | 'nextStep'>): CallToolResult => errorResult([reason, nextStep])
