import {
  type Arrived,
  areMessages,
  bearerOf,
  completion,
  hasCacheMark,
  inProse,
  judgement,
  rightKey,
  type Sent,
  startEndpoint,
} from './start-endpoint.ts'

/** What the proxy's own file calls its models, and who makes them. */
const models: Readonly<Record<string, 'openai-reasoning' | 'openai' | 'anthropic'>> = {
  smart: 'openai-reasoning',
  'gpt-5-mini': 'openai-reasoning',
  cheap: 'openai',
  'claude-sonnet-4-5': 'anthropic',
}

const headers = { 'x-litellm-version': '1.80.0', 'x-litellm-call-id': 'c-1' }

const error = (status: number, message: string, { type = 'None', param = 'None' } = {}): Sent => ({
  status,
  headers,
  body: { error: { message, type, param, code: String(status) } },
})

const reject = ({ body }: Arrived, maker: string): Sent | null => {
  if (!areMessages(body.messages)) return error(400, 'litellm.BadRequestError: Invalid messages')
  if (maker === 'openai-reasoning' && body.temperature !== undefined && body.temperature !== 1)
    return error(
      400,
      `litellm.UnsupportedParamsError: gpt-5 models (including gpt-5-codex) don't support temperature=${body.temperature}. Only temperature=1 is supported. For gpt-5.1, temperature is supported when reasoning_effort='none'. To drop unsupported params set \`litellm.drop_params = True\`. Received Model Group=${body.model}`,
    )
  if (maker === 'openai' && body.reasoning_effort !== undefined)
    return error(
      400,
      `litellm.UnsupportedParamsError: openai does not support parameters: ['reasoning_effort'], for model=${body.model}. To drop these, set \`litellm.drop_params=True\``,
    )
  return null
}

/** Marked prompts are read from Anthropic's cache, which is reported in both shapes. */
const usageOf = (request: Arrived, maker: string): object => {
  if (maker !== 'anthropic') return {}
  const cached = hasCacheMark(request) ? 80 : 0
  return { prompt_tokens_details: { cached_tokens: cached }, cache_read_input_tokens: cached }
}

/** A double of LiteLLM's proxy. Marks for the prompt cache are passed on to Anthropic and dropped for others. */
export const startLiteLlm = () =>
  startEndpoint(request => {
    const { body, path } = request
    if (path !== '/v1/chat/completions' && path !== '/chat/completions')
      return { status: 404, body: { detail: 'Not Found' } }
    const key = bearerOf(request)
    if (key !== rightKey)
      return error(
        401,
        'Authentication Error, Invalid proxy server token passed. Unable to find token in cache',
        {
          type: 'token_not_found_in_db',
          param: 'key',
        },
      )
    const maker = models[String(body.model)]
    if (!maker)
      return error(
        400,
        `{'error': '/chat/completions: Invalid model name passed in model=${body.model}. Call \`/v1/models\` to view available models for your key.'}`,
      )
    const content = body.response_format === undefined ? inProse : judgement
    const sent = reject(request, maker) ?? completion(body.model, content, usageOf(request, maker))
    return { ...sent, headers }
  })
