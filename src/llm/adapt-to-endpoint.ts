import { CallFailure } from './call-failure.ts'
import type { CallModel, ModelCall, RawReply } from './call-model.ts'

/** What an endpoint is still given of the fields that not every endpoint knows. */
interface EndpointSupport {
  readonly format: boolean
  readonly temperature: boolean
}

const fullSupport: EndpointSupport = { format: true, temperature: true }

/**
 * Finds out by trying what a model's endpoint accepts: when it rejects a request with a JSON schema (or a
 * temperature, which reasoning models refuse), the same request goes out without it, and once that succeeded the
 * model is remembered. Whether a schema is supported cannot be known beforehand, and the words in which endpoints
 * say no are all different; a second rejection means that the schema was not the reason.
 */
export const makeAdaptToEndpoint = (): ((callModel: CallModel) => CallModel) => {
  const known = new Map<string, EndpointSupport>()
  return callModel => async call => {
    let given = known.get(call.model) ?? fullSupport
    for (;;) {
      try {
        const reply = await sendSupported(callModel, call, given)
        known.set(call.model, given)
        return reply
      } catch (error) {
        const less = withLessSupport(error, call, given)
        if (!less) throw error
        given = less
      }
    }
  }
}

const sendSupported = (callModel: CallModel, call: ModelCall, given: EndpointSupport): Promise<RawReply> =>
  callModel({
    ...call,
    format: given.format ? call.format : null,
    temperature: given.temperature ? call.temperature : null,
  })

/** 400 and 422 are how endpoints say that they do not understand a field; 501 that they do not do it. */
const rejectsField = new Set([400, 422, 501])

const withLessSupport = (error: unknown, call: ModelCall, given: EndpointSupport): EndpointSupport | null => {
  if (!(error instanceof CallFailure) || !rejectsField.has(error.facts.status ?? 0)) return null
  const { code, param } = error.facts
  if (code === 'context_length_exceeded') return null
  if (param === 'temperature') return given.temperature ? { ...given, temperature: false } : null
  if (param !== null && !/^(response_format|text)\b/.test(param)) return null
  return given.format && call.format ? { ...given, format: false } : null
}
