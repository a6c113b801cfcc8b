import { answerChat, rejectKey } from './openai-chat.ts'
import {
  type Arrived,
  inProse,
  isStrictSchema,
  judgement,
  openAiError,
  type Sent,
  startEndpoint,
} from './start-endpoint.ts'

const known = [
  'model',
  'input',
  'instructions',
  'stream',
  'store',
  'temperature',
  'max_output_tokens',
  'reasoning',
  'text',
]

/** Fields of chat completions that have another place here. */
const moved: Readonly<Record<string, string>> = {
  messages: 'input',
  response_format: 'text.format',
  reasoning_effort: 'reasoning.effort',
  max_tokens: 'max_output_tokens',
  max_completion_tokens: 'max_output_tokens',
}

const models = ['gpt-5-mini', 'gpt-5-pro', 'gpt-5-codex']

const rejectModel = ({ model }: Arrived['body']): Sent | null =>
  models.includes(String(model))
    ? null
    : openAiError(400, `The requested model '${model}' does not exist.`, {
        param: 'model',
        code: 'model_not_found',
      })

const reject = (body: Arrived['body']): Sent | null => {
  const wrong = Object.keys(body).find(name => !known.includes(name))
  if (wrong !== undefined) {
    const place = moved[wrong]
    return place === undefined
      ? openAiError(400, `Unknown parameter: '${wrong}'.`, { param: wrong, code: 'unknown_parameter' })
      : openAiError(
          400,
          `Unsupported parameter: '${wrong}'. In the Responses API, this parameter has moved to '${place}'.`,
          { param: wrong, code: 'unsupported_parameter' },
        )
  }
  if (body.temperature !== undefined)
    return openAiError(400, "Unsupported parameter: 'temperature' is not supported with this model.", {
      param: 'temperature',
    })
  if (typeof body.max_output_tokens === 'number' && body.max_output_tokens < 16)
    return openAiError(400, "Invalid 'max_output_tokens': integer below minimum value.", {
      param: 'max_output_tokens',
      code: 'integer_below_min_value',
    })
  return rejectFormat(body)
}

const rejectFormat = ({ text }: Arrived['body']): Sent | null => {
  const { format } = (text ?? {}) as { format?: Record<string, unknown> }
  if (format?.type !== 'json_schema') return null
  if (typeof format.name !== 'string')
    return openAiError(400, "Missing required parameter: 'text.format.name'.", { param: 'text.format.name' })
  return isStrictSchema(format.schema)
    ? null
    : openAiError(400, "Invalid schema for response_format 'reply'.", { param: 'text.format.schema' })
}

/** A response: what the model thought is an item of its own, which is not part of the reply. */
const respond = ({ model, text }: Arrived['body']): Sent => ({
  status: 200,
  body: {
    ...{ id: 'resp_1', object: 'response', created_at: 0, status: 'completed', error: null, model },
    incomplete_details: null,
    output: [
      { id: 'rs_1', type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] },
      {
        ...{ id: 'msg_1', type: 'message', status: 'completed', role: 'assistant' },
        content: [{ type: 'output_text', text: text === undefined ? inProse : judgement, annotations: [] }],
      },
    ],
    usage: {
      ...{ input_tokens: 100, output_tokens: 20, total_tokens: 120 },
      input_tokens_details: { cached_tokens: 64 },
      output_tokens_details: { reasoning_tokens: 12 },
    },
  },
})

/** A double of OpenAI's API with both of its paths. */
export const startOpenAi = () =>
  startEndpoint(request => {
    const rejection = rejectKey(request)
    if (rejection !== null) return rejection
    switch (request.path) {
      case '/v1/chat/completions':
        return answerChat(request)
      case '/v1/responses':
        return rejectModel(request.body) ?? reject(request.body) ?? respond(request.body)
      default:
        return openAiError(404, `Invalid URL (POST ${request.path})`)
    }
  })
