import {
  areMessages,
  bearerOf,
  completion,
  hasCacheMark,
  inProse,
  rightKey,
  type Sent,
  startEndpoint,
} from './start-endpoint.ts'

const models: Readonly<Record<string, { readonly takesTemperature: boolean }>> = {
  'claude-opus-4-7': { takesTemperature: false },
  'claude-sonnet-4-5': { takesTemperature: true },
  // A gateway's own name for the first one.
  thinker: { takesTemperature: false },
}

const error = (status: number, type: string, message: string): Sent => ({
  status,
  body: { type: 'error', error: { type, message }, request_id: 'req_011' },
})

/**
 * A double of Anthropic behind an API in OpenAI's shape. Formats and efforts are ignored, as its documentation says, so a
 * model answers in prose; errors keep Anthropic's shape. Its own API adds a limit to
 * requests without one; gateways that pass them on as they are (`needsLimit`) do not.
 */
export const startAnthropic = ({ needsLimit = false } = {}) =>
  startEndpoint(request => {
    const { body, path } = request
    if (path !== '/v1/chat/completions') return error(404, 'not_found_error', `Not Found: ${path}`)
    if (bearerOf(request) !== rightKey) return error(401, 'authentication_error', 'invalid x-api-key')
    const model = models[String(body.model)]
    if (!model) return error(404, 'not_found_error', `model: ${body.model}`)
    if (!areMessages(body.messages))
      return error(400, 'invalid_request_error', 'messages: Input should be a valid list')
    if (hasCacheMark(request))
      return error(
        400,
        'invalid_request_error',
        'messages.0.content.0.cache_control: Extra inputs are not permitted',
      )
    if (needsLimit && body.max_tokens === undefined)
      return error(400, 'invalid_request_error', 'max_tokens: Field required')
    if (body.temperature !== undefined && !model.takesTemperature)
      return error(400, 'invalid_request_error', '`temperature` is deprecated for this model.')
    return completion(body.model, inProse)
  })
