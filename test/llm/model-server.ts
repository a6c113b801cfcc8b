import { LLMock } from '@copilotkit/aimock'

/** What the endpoint does with one request, in the order of asking. */
export type Exchange =
  | {
      readonly reply: string
      readonly usage?: readonly [prompt: number, completion: number]
      readonly finish?: string
    }
  | { readonly status: number; readonly error?: Record<string, string>; readonly retryAfter?: number }
  | { readonly lateBy: number }

/** The body of a request as the endpoint saw it. */
export interface SeenRequest {
  readonly model: string
  readonly temperature?: number
  readonly max_tokens?: number
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly name: string } }
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

/**
 * An OpenAI-compatible endpoint that plays a script, one exchange a request. A request past the end of the script
 * finds no fixture and gets 404, so a test that asks too often fails.
 */
export const startModelServer = async (script: readonly Exchange[]) => {
  const mock = new LLMock({ port: 0 })
  script.forEach((exchange, sequenceIndex) => {
    const latency = 'lateBy' in exchange ? { chaos: { latencyMs: exchange.lateBy } } : {}
    mock.on({ userMessage: /./s, sequenceIndex }, responseTo(exchange), latency)
  })
  await mock.start()
  return {
    connection: { apiKey: 'a-key-nobody-may-see', baseUrl: `${mock.url}/v1` },
    seen: (): SeenRequest[] => mock.getRequests().map(entry => entry.body as unknown as SeenRequest),
    // Not awaited: a connection that was given up on stays open for seconds, and nobody will use it.
    [Symbol.asyncDispose]: async () => void mock.stop(),
  }
}

const responseTo = (exchange: Exchange) => {
  if ('lateBy' in exchange) return { content: '{"sql": "too late", "assumptions": []}' }
  if ('status' in exchange) {
    const { status, error = {}, retryAfter } = exchange
    return {
      status,
      error: { message: `scripted ${status}`, ...error },
      ...(retryAfter === undefined ? {} : { retryAfter }),
    }
  }
  const [prompt_tokens, completion_tokens] = exchange.usage ?? [100, 20]
  return {
    content: exchange.reply,
    usage: { prompt_tokens, completion_tokens },
    ...(exchange.finish ? { finishReason: exchange.finish } : {}),
  }
}
