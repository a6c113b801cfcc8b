import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

/** What the endpoint does with one request. */
export type Behaviour =
  | 'right'
  | 'busy'
  | 'broken'
  | 'hangs'
  | 'hangs up'
  | 'no JSON'
  | 'cut off'
  | 'wrong dialect'
  | 'wrong shape'

/** The parts of a request that decide what a good reply looks like. */
const Request = z.object({
  messages: z.array(z.object({ content: z.string() })).min(1),
  response_format: z.object({ json_schema: z.object({ schema: z.json() }) }),
})

/** A JSON schema, as far as replies are made from it. */
const Schema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  anyOf: z.array(z.json()).optional(),
  enum: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.json()).optional(),
})

/**
 * An OpenAI-compatible endpoint that takes its behaviours in turn, one a request. `write` gives the statement of a good
 * reply from the whole text of the prompt. Every good reply costs 100 and 10 tokens.
 */
export const startFaultyModel = async (
  behaviours: readonly [Behaviour, ...Behaviour[]],
  write: (prompt: string) => string,
) => {
  const served: Behaviour[] = []
  let waiting = 0
  const server = createServer((request, response) => {
    const behaviour = behaviours[served.length % behaviours.length] ?? behaviours[0]
    served.push(behaviour)
    waiting += 1
    response.on('close', () => {
      waiting -= 1
    })
    void serve(behaviour, request, response, write)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    served: (): readonly Behaviour[] => served,
    /** Requests that were neither answered nor given up on. */
    waiting: (): number => waiting,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const serve = async (
  behaviour: Behaviour,
  request: IncomingMessage,
  response: ServerResponse,
  write: (prompt: string) => string,
): Promise<void> => {
  const { messages, response_format } = Request.parse(JSON.parse(await text(request)))
  const { schema } = response_format.json_schema
  const right = write(messages.map(({ content }) => content).join('\n'))
  const say = (content: string, finish = 'stop'): void => {
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        ...{ id: 'c', object: 'chat.completion', created: 0, model: 'any' },
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
        usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
      }),
    )
  }
  switch (behaviour) {
    case 'right':
      return say(JSON.stringify(replyTo(schema, right)))
    case 'wrong dialect':
      return say(
        JSON.stringify(replyTo(schema, 'SELECT TOP 3 * FROM [boats] WHERE launched::date = GETDATE()')),
      )
    case 'no JSON':
      return say('Certainly! Here is what you asked for.')
    case 'cut off':
      return say('{"sql": "SELECT', 'length')
    case 'wrong shape':
      return say('{"statement": 1}')
    case 'busy':
      return void response.writeHead(429, { 'retry-after': '1' }).end('{"error": {"message": "too many"}}')
    case 'broken':
      return void response.writeHead(500).end('<html>oops</html>')
    case 'hangs up':
      return void request.socket.destroy()
    case 'hangs':
      return
    default: {
      const never: never = behaviour
      throw new Error(`unknown behaviour ${never}`)
    }
  }
}

/** The least that fits a schema, with the statement wherever one is asked for. A metric query is left to SQL. */
const replyTo = (schema: unknown, sql: string): unknown => {
  const { type, anyOf, enum: choices, properties } = Schema.parse(schema)
  if (anyOf !== undefined || Array.isArray(type)) return null
  if (type === 'object') {
    return Object.fromEntries(
      Object.entries(properties ?? {}).map(([name, part]) => [
        name,
        name === 'sql' ? sql : name === 'missing' ? 'all of it' : replyTo(part, sql),
      ]),
    )
  }
  if (type === 'array') return []
  return type === 'string' ? (choices?.[0] ?? '') : type === 'boolean' ? false : 0
}
