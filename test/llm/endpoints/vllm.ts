import {
  areMessages,
  bearerOf,
  completion,
  inProse,
  judgement,
  openAiError,
  rightKey,
  type Sent,
  startEndpoint,
} from './start-endpoint.ts'

const known = [
  'model',
  'messages',
  'stream',
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'response_format',
  'reasoning_effort',
  'seed',
]

const badRequest = (message: string): Sent =>
  openAiError(400, message, { type: 'BadRequestError', code: '400' })

/**
 * A double of vLLM's server with one model. `servedName` is what it is called there; without `hasGuidedDecoding` it was
 * built without a library for structured outputs. An older version rejects fields that it does not know.
 */
export const startVllm = ({
  servedName,
  hasGuidedDecoding = true,
}: {
  servedName: string
  hasGuidedDecoding?: boolean
}) =>
  startEndpoint(request => {
    const { body, path } = request
    if (bearerOf(request) !== rightKey) return { status: 401, body: { error: 'Unauthorized' } }
    if (path !== '/v1/chat/completions') return { status: 404, body: { detail: 'Not Found' } }
    if (body.model !== servedName)
      return openAiError(404, `The model \`${body.model}\` does not exist.`, {
        type: 'NotFoundError',
        code: '404',
      })
    const unknown = Object.keys(body).find(name => !known.includes(name))
    if (unknown !== undefined)
      return badRequest(
        `[{'type': 'extra_forbidden', 'loc': ('body', '${unknown}'), 'msg': 'Extra inputs are not permitted'}]`,
      )
    if (!areMessages(body.messages)) return badRequest('Invalid messages')
    if (body.response_format !== undefined && !hasGuidedDecoding)
      return badRequest('response_format: structured outputs are not available: no backend is installed')
    return completion(body.model, body.response_format === undefined ? inProse : judgement, {
      prompt_tokens_details: null,
    })
  })
