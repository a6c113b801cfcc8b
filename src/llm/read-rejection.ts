import type { ModelCapabilities } from '../domain/operations/model-capabilities.ts'
import type { CallFailure } from './call-failure.ts'
import type { ModelCall } from './call-model.ts'

/** A capability that decides about one field of a request, and without which an endpoint can still answer. */
export type FieldName = 'format' | 'temperature' | 'tokenLimit' | 'effort' | 'cacheControl'

/** The fields that a call carries if it is sent to a model with these capabilities. */
export const fieldsOf = (call: ModelCall, able: ModelCapabilities): readonly FieldName[] => {
  const carries: Record<FieldName, boolean> = {
    format: call.format !== null && able.format !== 'none',
    temperature: call.temperature !== null && able.temperature,
    tokenLimit: limitOf(call, able) !== null,
    effort: (call.effort ?? null) !== null && able.effort,
    cacheControl: call.messages.some(({ endsPrefix }) => endsPrefix) && able.cacheControl,
  }
  return (Object.keys(carries) as FieldName[]).filter(field => carries[field])
}

/** Long enough for any reply of ours, and short enough for every model that needs a limit. */
const defaultLimit = 8_192

/** The limit that a call is sent with; null for none. */
export const limitOf = ({ maxTokens }: ModelCall, able: ModelCapabilities): number | null =>
  able.tokenLimit === 'none' ? null : (maxTokens ?? (able.needsLimit ? defaultLimit : null))

/** How each field is called by the endpoints and proxies that reject it. */
const namesOfField: Readonly<Record<FieldName, RegExp>> = {
  format:
    /\bresponse_?(format|schema)|\bjson_(schema|object)\b|\bguided_|\bstructured[ _]outputs?\b|^text$|\btext\.format\b/i,
  temperature: /\btemperature\b/i,
  tokenLimit: /\bmax_?(completion_?|output_?|new_?)?tokens\b|\bnum_predict\b/i,
  effort: /\breasoning[_.]effort\b|['"`]reasoning['"`]|^reasoning$|\bdoes not support thinking\b/i,
  cacheControl: /\bcache_?control\b|\bcontent\b.{0,60}\b(a |valid )?str(ing)?\b/i,
}

/** A schema that this endpoint cannot use says nothing about others: it is too deep, or has a keyword it does not know. */
const schemaWords =
  /\binvalid schema\b|\bschema\b.{0,80}\b(too|unsupported|not supported|not permitted)\b|\bgrammar\b/i

/** A type of format that is not supported leaves another; a field that is unknown does not. */
const formatTypeWords = /\bjson_schema\b|\bresponse_format\W{0,3}type\b|\bof type\b/i

/** What servers say of a model that is not served by the API it was asked with. */
const wrongApiWords =
  /\bv1\/responses\b|\bnot a chat model\b|\bchatCompletion operation does not work\b|\bnot accessible via the \/chat\/completions\b/i

/** A value that is too large for a field is rejected by any of its names. */
const valueWords =
  /\btoo (large|big|high|small)\b|\bat (most|least)\b|\b(less|greater) than\b|\bmaximum\b|\bexceeds?\b/i

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
  /content[ _](filter|management|policy)|\b(api|access)[ _-]?(key|token)\b|credit balance|\bbilling\b|\bmodel\b.{0,80}\b(not found|does not exist)|\binvalid model name\b/i

/**
 * Statuses with which endpoints reject a field: 400 and 422 for one they do not understand, 501 for one they do not
 * support.
 */
const rejectsField = new Set([400, 422, 501])

/** How to ask again after a rejection. */
export interface Change {
  readonly patch: Partial<ModelCapabilities>
  /** `model`: true of every request to it; `schema`: of requests with the same schema; `request`: of this one only. */
  readonly about: 'model' | 'schema' | 'request'
  /** The endpoint named what it rejects; otherwise any of the fields in the patch may be innocent. */
  readonly isNamed: boolean
}

/** What the next request can still change. */
export interface Chances {
  /** Fields that it carries and that nobody has set. */
  readonly fields: readonly FieldName[]
  /** Fields that it carries because somebody set so. */
  readonly setFields: readonly FieldName[]
  /** The other name of the token limit, if that was not tried yet. */
  readonly otherLimitName: ModelCapabilities['tokenLimit'] | null
  /** Whether it has no limit, and could have one. */
  readonly canAddLimit: boolean
  /** The other API, if that was not tried yet. */
  readonly otherApi: ModelCapabilities['api'] | null
}

/** Reads how a rejected request must change. Null if nothing that it carries can have caused the failure. */
export const readRejection = (
  failure: CallFailure,
  able: ModelCapabilities,
  chances: Chances,
): Change | null => {
  const { said } = failure
  const { status, code, param } = failure.facts
  if (chances.otherApi !== null && isWrongApi(failure, able))
    return { patch: { api: chances.otherApi }, about: 'model', isNamed: true }
  if (!rejectsField.has(status ?? 0) || otherCodes.has(code ?? '')) return null
  if (chances.canAddLimit && limitIsMissing(param === null ? said : `${param}: ${said}`))
    return { patch: { needsLimit: true }, about: 'model', isNamed: true }
  const named = namedIn(param ?? said, chances.fields)
  if (lengthWords.test(said)) {
    if (!named.includes('tokenLimit')) return null
    return { patch: { tokenLimit: 'none' }, about: 'request', isNamed: true }
  }
  // OpenAI wants the word JSON in a prompt before it holds a reply to any object.
  if (named.length === 0 && chances.fields.includes('format') && /\bword 'json'/i.test(said))
    return { patch: { format: 'none' }, about: 'request', isNamed: true }
  if (named.length === 1 && named[0] === 'format' && able.format === 'json_schema' && schemaWords.test(said))
    return { patch: { format: 'json_object' }, about: 'schema', isNamed: true }
  if (named.length > 0) {
    const isType = able.format === 'json_schema' && formatTypeWords.test(said)
    const patch = patchFor(named, {
      format: isType ? 'json_object' : 'none',
      tokenLimit: (valueWords.test(said) ? null : chances.otherLimitName) ?? 'none',
    })
    return { patch, about: 'model', isNamed: true }
  }
  const isSet = namedIn(said, chances.setFields).length > 0
  if (chances.fields.length === 0 || isSet || param !== null || otherWords.test(said)) return null
  const patch = patchFor(chances.fields, { format: 'none', tokenLimit: 'none' })
  return { patch, about: 'model', isNamed: chances.fields.length === 1 }
}

/** The fields in the first sentence that has any: those that follow say what would help, or on what condition. */
const namedIn = (text: string, fields: readonly FieldName[]): readonly FieldName[] => {
  for (const sentence of text.split(/(?<=[.!?])\s+/)) {
    const named = fields.filter(field => namesOfField[field].test(sentence))
    if (named.length > 0) return named
  }
  return []
}

const limitIsMissing = (text: string): boolean =>
  namesOfField.tokenLimit.test(text) && /\b(required|missing|must be (set|provided|specified))\b/i.test(text)

/** 404 and 405 on the path of the Responses API say that there is none, unless they are about the model. */
const isWrongApi = ({ said, facts }: CallFailure, { api }: ModelCapabilities): boolean => {
  if (api === 'chat') return wrongApiWords.test(said)
  const isMissing = facts.status === 404 || facts.status === 405 || facts.status === 501
  return isMissing && facts.code !== 'model_not_found' && !otherWords.test(said)
}

/** The capabilities without some fields; a format and a token limit may have another form left. */
const patchFor = (
  fields: readonly FieldName[],
  instead: Pick<ModelCapabilities, 'format' | 'tokenLimit'>,
): Partial<ModelCapabilities> => {
  const without: Pick<ModelCapabilities, FieldName> = {
    ...instead,
    temperature: false,
    effort: false,
    cacheControl: false,
  }
  return Object.fromEntries(fields.map(field => [field, without[field]]))
}
