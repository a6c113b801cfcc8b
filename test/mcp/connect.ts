import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  type CallToolResult,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js'
import { environmentOf } from '../helpers/cli/cli-environment.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { until } from '../helpers/wait.ts'
import type { ShopFolder } from './open-shop.ts'

/** How a client replies to a question back. */
export type Elicited = (asked: {
  readonly message: string
  readonly labels: readonly string[]
}) => ElicitResult | Promise<ElicitResult>

/** The official SDK's client, connected. Without `elicited` it cannot ask its person anything. */
export interface TestClient extends AsyncDisposable {
  readonly client: Client
  /** Calls a tool; the text of all its lines, and its data. */
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<ToolReply>
}

interface ToolReply {
  readonly text: string
  readonly isError: boolean
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is what the tests look at.
  readonly data: any
}

/** A process that loads its sources starts slowly on a busy machine; no test is about speed. */
const PATIENT = { timeout: 150_000 } as const

/** Connects a client over a transport. */
export const connectClient = async (transport: Transport, elicited?: Elicited): Promise<TestClient> => {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: elicited ? { elicitation: {} } : {} },
  )
  if (elicited)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      const choice = 'requestedSchema' in params ? params.requestedSchema.properties.choice : undefined
      const labels = choice && 'enum' in choice ? choice.enum : []
      return elicited({ message: params.message, labels })
    })
  await client.connect(transport, PATIENT)
  return {
    client,
    call: async (name, args = {}) => {
      const result = (await client.callTool({ name, arguments: args }, undefined, PATIENT)) as CallToolResult
      const text = result.content.map(one => (one.type === 'text' ? one.text : '')).join('\n')
      return { text, isError: result.isError === true, data: result.structuredContent }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

const cli = join(import.meta.dirname, '../../src/cli.ts')

/** A transport to `querent mcp` as a process of its own, as an editor starts it. */
export const spawnMcp = (shop: ShopFolder, args: readonly string[] = []): StdioClientTransport =>
  new StdioClientTransport({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', cli, 'mcp', ...args],
    cwd: shop.folder,
    env: { PATH: process.env.PATH ?? '', TZ: 'UTC', ...(environmentOf(shop) as Record<string, string>) },
    stderr: 'inherit',
  })

/** A running `querent mcp --http`. */
export interface HttpMcp extends AsyncDisposable {
  readonly url: URL
  readonly transport: (token?: string) => StreamableHTTPClientTransport
}

/** Runs `querent mcp --http` on a free port. */
export const startHttpMcp = async (shop: ShopFolder): Promise<HttpMcp> => {
  const stop = new AbortController()
  let listening = ''
  const running = runCli(['mcp', '--http', '--port', '0'], {
    ...shop,
    signal: stop.signal,
    onErr: text => {
      listening += text
    },
  })
  const url = await Promise.race([
    until(() => /http:\S+/.exec(listening)?.[0], { waitingFor: 'the address of the server' }),
    running.then(({ err }) => Promise.reject(new Error(`it ended: ${err}`))),
  ])
  return {
    url: new URL(url),
    transport: token =>
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } },
      }),
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      const { status, err } = await running
      if (status !== 0) throw new Error(`it ended with ${status}: ${err}`)
    },
  }
}
