import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'

/** A request as it arrived. */
export interface Arrived {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

/** What an endpoint sends back. A text is sent as it is. */
export interface Sent {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A request that was answered, and with which status. */
export interface Served extends Arrived {
  readonly status: number
}

/** A double of an endpoint on this machine. It remembers what it was sent, and how many requests it served at one time. */
export const startEndpoint = async (answer: (request: Arrived) => Sent) => {
  const served: Served[] = []
  let open = 0
  let mostOpen = 0
  const server = createServer(async (request, response) => {
    open += 1
    mostOpen = Math.max(mostOpen, open)
    const url = new URL(request.url ?? '/', 'http://localhost')
    const raw = await text(request)
    const body = raw === '' ? {} : (JSON.parse(raw) as Record<string, unknown>)
    const arrived = { path: url.pathname, query: url.searchParams, headers: request.headers, body }
    const sent = answer(arrived)
    served.push({ ...arrived, status: sent.status })
    // A real model takes a while, so requests that are sent together are served together.
    for (let turn = 0; turn < 50; turn++) await setImmediate()
    open -= 1
    response.writeHead(sent.status, { 'content-type': 'application/json', ...sent.headers })
    response.end(typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    served: (): readonly Served[] => served,
    statuses: (): readonly number[] => served.map(({ status }) => status),
    mostOpen: (): number => mostOpen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The key that every double wants. */
export const rightKey = 'sk-a-key-nobody-may-see'

/** The reply to the prompt that the suite asks with. */
export const judgement = JSON.stringify({ difference: 'none', reason: 'They agree.', winner: 'first' })

/** What a model writes that is not held to a schema. */
export const inProse = `They agree.\n\n\`\`\`json\n${judgement}\n\`\`\``

/** A chat completion as OpenAI's API sends it; `usage` adds to the counts. */
export const completion = (model: unknown, content: string, usage: object = {}): Sent => ({
  status: 200,
  body: {
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 0, model },
    choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, ...usage },
  },
})

/** An error in OpenAI's shape. */
export const openAiError = (
  status: number,
  message: string,
  {
    type = 'invalid_request_error',
    param = null,
    code = null,
  }: Partial<Record<'type' | 'param' | 'code', string | null>> = {},
): Sent => ({ status, body: { error: { message, type, param, code } } })

/** The key of `authorization: Bearer`; empty without one. */
export const bearerOf = ({ headers }: Arrived): string =>
  /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''

const messages = z
  .array(
    z.strictObject({
      role: z.enum(['system', 'developer', 'user', 'assistant']),
      content: z.union([z.string(), z.array(z.looseObject({ type: z.literal('text'), text: z.string() }))]),
    }),
  )
  .min(1)

/** Whether messages are those of chat completions. */
export const areMessages = (value: unknown): boolean => messages.safeParse(value).success

/** Whether any message has a mark for the prompt cache. */
export const hasCacheMark = ({ body }: Arrived): boolean => JSON.stringify(body).includes('"cache_control"')

/** What strict mode demands of a schema: closed objects whose properties are all required, at every level. */
export const isStrictSchema = (schema: unknown): boolean => {
  if (Array.isArray(schema)) return schema.every(isStrictSchema)
  if (typeof schema !== 'object' || schema === null) return true
  const { type, properties, required = [], additionalProperties } = schema as Record<string, unknown>
  if (type === 'object') {
    const names = Object.keys(properties ?? {})
    if (additionalProperties !== false || names.some(name => !(required as string[]).includes(name)))
      return false
  }
  return Object.values(schema).every(isStrictSchema)
}
