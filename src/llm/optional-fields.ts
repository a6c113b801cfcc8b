import { CallFailure } from './call-failure.ts'
import type { CallModel, ModelCall } from './call-model.ts'

/** A field of a request that an endpoint may reject, and without which it can still answer. */
type OptionalField = 'format' | 'temperature' | 'maxTokens'

const optionalFields: readonly OptionalField[] = ['format', 'temperature', 'maxTokens']

/** How each field is called by the endpoints and proxies that reject it. */
const namesOfField: Readonly<Record<OptionalField, RegExp>> = {
  format:
    /\bresponse_?(format|schema)|\bjson_schema\b|\bguided_|\bstructured[ _]outputs?\b|^text$|\btext\.format\b/i,
  temperature: /\btemperature\b/i,
  maxTokens: /\bmax_?(completion_?|output_?|new_?)?tokens\b|\bnum_predict\b/i,
}

/** Codes and words of rejections that no field causes: the prompt, the key, the account or the model. */
const otherCodes = new Set([
  'context_length_exceeded',
  'content_filter',
  'content_policy_violation',
  'invalid_api_key',
  'invalid_prompt',
  'model_not_found',
])
const lengthWords =
  /context[ _]?(length|window|size|limit)|(prompt|input|request) (is |length |was )*too (long|large)/i
const otherWords =
  /content[ _](filter|management|policy)|\b(api|access)[ _-]?(key|token)\b|credit balance|\bbilling\b|\bmodel\b.{0,80}\b(not found|does not exist)/i

/**
 * Statuses with which endpoints reject a field: 400 and 422 for one they do not understand, 501 for one they do not
 * support.
 */
const rejectsField = new Set([400, 422, 501])

/** What is known about a model: the fields it is not sent, and how it calls the token limit. */
interface EndpointSupport {
  readonly leftOut: ReadonlySet<OptionalField>
  /** Left out together with others after a rejection that named none of them, so any of them may be innocent. */
  readonly unproven: ReadonlySet<OptionalField>
  readonly limitName: NonNullable<ModelCall['limitName']>
}

const fullSupport: EndpointSupport = { leftOut: new Set(), unproven: new Set(), limitName: 'usual' }

/** What to change about a request that was rejected. */
interface Change {
  readonly without: readonly OptionalField[]
  readonly renamesLimit: boolean
  /** False if the reason is this request's length, which says nothing about the next. */
  readonly isLasting: boolean
  /** The endpoint named what it rejects. */
  readonly isNamed: boolean
}

/**
 * Finds out which optional fields a model's endpoint accepts. When a request is rejected, it is sent again without the
 * field that the message names, or without any of them if it names none; what helped is remembered by model. Support
 * cannot be known in advance, and endpoints word a refusal in their own ways. A token limit that is rejected by name is
 * first sent under its other name (`max_tokens`, `max_completion_tokens`) where `hasTwoLimitNames`.
 */
export const makeAdaptToEndpoint = (
  hasTwoLimitNames: (model: string) => boolean,
): ((callModel: CallModel) => CallModel) => {
  const known = new Map<string, EndpointSupport>()
  return callModel => async call => {
    let given = known.get(call.model) ?? fullSupport
    const changes: Change[] = []
    for (;;) {
      const sent = withSupport(call, given)
      try {
        const reply = await callModel(sent)
        const learned = changes.filter(({ isLasting }) => isLasting)
        if (learned.length > 0)
          known.set(call.model, learned.reduce(learn, known.get(call.model) ?? fullSupport))
        return reply
      } catch (error) {
        const canRename = given.limitName === 'usual' && hasTwoLimitNames(call.model)
        const change = error instanceof CallFailure ? findChange(error, sent, canRename) : null
        if (change === null) throw error
        changes.push(change)
        given = apply(given, change)
      }
    }
  }
}

const withSupport = (call: ModelCall, { leftOut, limitName }: EndpointSupport): ModelCall => ({
  ...call,
  format: leftOut.has('format') ? null : call.format,
  temperature: leftOut.has('temperature') ? null : call.temperature,
  maxTokens: leftOut.has('maxTokens') ? null : call.maxTokens,
  limitName,
})

/** Null if nothing about the optional fields can have caused the failure. */
const findChange = (failure: CallFailure, sent: ModelCall, canRename: boolean): Change | null => {
  const { said } = failure
  const { status, code, param } = failure.facts
  if (!rejectsField.has(status ?? 0) || otherCodes.has(code ?? '')) return null
  const carried = optionalFields.filter(field => sent[field] !== null)
  const named = carried.filter(field => namesOfField[field].test(param ?? said))
  const isLength = lengthWords.test(said)
  if (isLength) {
    const without = named.filter(field => field === 'maxTokens')
    return without.length === 0 ? null : { without, renamesLimit: false, isLasting: false, isNamed: true }
  }
  const renamesLimit = canRename && named.includes('maxTokens')
  if (named.length > 0) {
    const without = renamesLimit ? named.filter(field => field !== 'maxTokens') : named
    return { without, renamesLimit, isLasting: true, isNamed: true }
  }
  if (carried.length === 0 || param !== null || otherWords.test(said)) return null
  return { without: carried, renamesLimit: false, isLasting: true, isNamed: false }
}

const apply = (support: EndpointSupport, { without, renamesLimit }: Change): EndpointSupport => ({
  ...support,
  leftOut: new Set([...support.leftOut, ...without]),
  limitName: renamesLimit ? 'other' : support.limitName,
})

/**
 * What a change that helped says about the model. A rejection that named no field blames the temperature and the token
 * limit first: the schema is worth one more request that carries it alone. If that is rejected too, the schema was the
 * reason, and the others are sent again.
 */
const learn = (support: EndpointSupport, change: Change): EndpointSupport => {
  const isGuess = !change.isNamed && change.without.length > 1
  const without = isGuess ? change.without.filter(field => field !== 'format') : change.without
  const next = apply(support, { ...change, without })
  if (isGuess) return { ...next, unproven: new Set([...support.unproven, ...without]) }
  const acquitted = without.includes('format') ? support.unproven : new Set<OptionalField>()
  return {
    ...next,
    leftOut: new Set([...next.leftOut].filter(field => !acquitted.has(field))),
    unproven: new Set([...next.unproven].filter(field => !acquitted.has(field) && !without.includes(field))),
  }
}
