import {
  type Arrived,
  areMessages,
  bearerOf,
  completion,
  inProse,
  isStrictSchema,
  judgement,
  openAiError,
  rightKey,
  type Sent,
  startEndpoint,
} from './start-endpoint.ts'

const reasoning = ['gpt-5-mini', 'o4-mini', 'ft-alias-of-gpt-5']
const others = ['gpt-4.1-mini', 'gpt-4-turbo']
const responsesOnly = ['gpt-5-codex', 'gpt-5-pro']

const known = [
  'model',
  'messages',
  'stream',
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'reasoning_effort',
  'response_format',
  'seed',
  'store',
]

/** How OpenAI's chat completions reject a request; null if they take it. Azure serves the same models. */
export const rejectChat = (body: Arrived['body'], isReasoning: boolean): Sent | null => {
  const unknown = Object.keys(body).find(name => !known.includes(name))
  if (unknown !== undefined) return openAiError(400, `Unrecognized request argument supplied: ${unknown}`)
  if (!areMessages(body.messages))
    return openAiError(400, "Invalid type for 'messages': expected an array of objects.", {
      param: 'messages',
    })
  if (JSON.stringify(body.messages).includes('"cache_control"'))
    return openAiError(400, "Unknown parameter: 'messages[0].content[0].cache_control'.", {
      param: 'messages[0].content[0].cache_control',
      code: 'unknown_parameter',
    })
  return (isReasoning ? rejectReasoning(body) : rejectUsual(body)) ?? rejectFormat(body)
}

const rejectReasoning = ({ max_tokens, temperature }: Arrived['body']): Sent | null => {
  if (max_tokens !== undefined)
    return openAiError(
      400,
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: 'max_tokens', code: 'unsupported_parameter' },
    )
  if (temperature !== undefined && temperature !== 1)
    return openAiError(
      400,
      `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`,
      { param: 'temperature', code: 'unsupported_value' },
    )
  return null
}

const rejectUsual = ({ reasoning_effort }: Arrived['body']): Sent | null =>
  reasoning_effort === undefined
    ? null
    : openAiError(400, 'Unrecognized request argument supplied: reasoning_effort')

const rejectFormat = ({ model, messages, response_format }: Arrived['body']): Sent | null => {
  if (response_format === undefined) return null
  const { type, json_schema: schema } = response_format as Record<string, { schema?: unknown } | string>
  if (type === 'json_schema' && model === 'gpt-4-turbo')
    return openAiError(
      400,
      "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
      { param: 'response_format' },
    )
  if (type === 'json_object' && !/json/i.test(JSON.stringify(messages)))
    return openAiError(
      400,
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      { param: 'messages' },
    )
  if (type === 'json_schema' && !isStrictSchema((schema as { schema?: unknown }).schema))
    return openAiError(
      400,
      "Invalid schema for response_format 'reply': In context=(), 'additionalProperties' is required to be supplied and to be false.",
      { param: 'response_format' },
    )
  return null
}

/** What a model of OpenAI's writes, held to JSON or not. */
export const writeReply = (body: Arrived['body'], isReasoning: boolean): Sent =>
  completion(body.model, body.response_format === undefined ? inProse : judgement, {
    prompt_tokens_details: { cached_tokens: 64, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: isReasoning ? 12 : 0 },
  })

/** OpenAI's chat completions, with some of its models. */
export const answerChat = (request: Arrived): Sent => {
  const { body } = request
  const model = String(body.model)
  if (responsesOnly.includes(model))
    return openAiError(404, 'This model is only supported in v1/responses and not in v1/chat/completions.', {
      param: 'model',
    })
  const isReasoning = reasoning.includes(model)
  if (!isReasoning && !others.includes(model))
    return openAiError(404, `The model \`${model}\` does not exist or you do not have access to it.`, {
      code: 'model_not_found',
    })
  return rejectChat(body, isReasoning) ?? writeReply(body, isReasoning)
}

/** What OpenAI says without the right key. */
export const rejectKey = (request: Arrived): Sent | null => {
  const key = bearerOf(request)
  if (key === rightKey) return null
  const message =
    key === '' ? "You didn't provide an API key." : `Incorrect API key provided: ${key.slice(0, 4)}****.`
  return openAiError(401, message, { code: 'invalid_api_key' })
}

/** A double of OpenAI's API for chat completions alone. */
export const startOpenAiChat = () =>
  startEndpoint(request => {
    if (request.path !== '/v1/chat/completions') return openAiError(404, `Invalid URL (POST ${request.path})`)
    return rejectKey(request) ?? answerChat(request)
  })
