import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request as it arrived. */
export type SentBody = Readonly<Record<string, unknown>>

/** What an endpoint sends instead of a reply. */
export interface Rejection {
  readonly status: number
  readonly body: unknown
}

/** An endpoint with OpenAI's chat completions. `reject` decides over each request; null lets it be answered. */
export const startChoosyEndpoint = async (content: string, reject: (sent: SentBody) => Rejection | null) => {
  const seen: SentBody[] = []
  const server = createServer(async (request, response) => {
    const sent = JSON.parse(await text(request)) as SentBody
    seen.push(sent)
    const rejection = reject(sent)
    response.setHeader('content-type', 'application/json')
    if (rejection !== null) {
      response.writeHead(rejection.status).end(JSON.stringify(rejection.body))
      return
    }
    response.end(
      JSON.stringify({
        ...{ id: 'c', object: 'chat.completion', created: 0, model: sent.model },
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      }),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    connection: { apiKey: 'a-key-nobody-may-see', baseUrl: `http://127.0.0.1:${port}/v1` },
    /** The optional fields of each request, in order. */
    fields: (): string[][] => seen.map(sent => optional.filter(name => name in sent)),
    seen: (): readonly SentBody[] => seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const optional = ['temperature', 'max_tokens', 'max_completion_tokens', 'response_format']
