import type { ModelCapabilities } from '../domain/operations/model-capabilities.ts'
import { CallFailure } from './call-failure.ts'
import type { CallModel, FindEndpoint, ModelCall, ModelEndpoint, RawReply } from './call-model.ts'
import { endpointKey } from './endpoint-address.ts'
import { isClaude, knownCapabilities } from './known-models.ts'
import { type Chances, type Change, fieldsOf, limitOf, readRejection } from './read-rejection.ts'

/** What querent.yml says of models, by the names that roles use. It is never overruled. */
export type CapabilitySettings = Readonly<Record<string, Partial<ModelCapabilities>>>

/**
 * Sends one request. `isRepeat` says that it is the same request as the one before, in another form, because the endpoint
 * rejected that form.
 */
export type SendRequest = (call: ModelCall, options: { readonly isRepeat: boolean }) => Promise<RawReply>

/** The capabilities of all models, as far as this process knows them. */
export interface CapabilityBook {
  readonly of: (model: string) => ModelCapabilities
  /**
   * Sends each request in the form that its model takes. A rejected request is sent again in another form, and what
   * helped is remembered.
   */
  readonly adapt: (send: SendRequest) => CallModel
}

/** What a model's endpoint has taught. */
interface Learned {
  readonly patch: Partial<ModelCapabilities>
  /** Taken away together after a rejection that named none of them, so any of them may be innocent. */
  readonly unproven: ReadonlySet<string>
  /** Schemas that the endpoint cannot use, by their names. */
  readonly badSchemas: ReadonlySet<string>
}

const nothing: Learned = { patch: {}, unproven: new Set(), badSchemas: new Set() }

/** Makes the book. Two names for one model at one endpoint share what is learned. */
export const makeCapabilities = (
  findEndpoint: FindEndpoint,
  settings: CapabilitySettings = {},
): CapabilityBook => {
  const learned = new Map<string, Learned>()
  const fixedFor = (model: string): Partial<ModelCapabilities> =>
    Object.hasOwn(settings, model) ? (settings[model] ?? {}) : {}
  const of = (model: string): ModelCapabilities => {
    const endpoint = findEndpoint(model)
    const { patch } = learned.get(endpointKey(endpoint)) ?? nothing
    return { ...knownCapabilities(endpoint), ...patch, ...fixedFor(model) }
  }

  const adapt =
    (send: SendRequest): CallModel =>
    async call => {
      const endpoint = findEndpoint(call.model)
      const key = endpointKey(endpoint)
      const fixed = fixedFor(call.model)
      const first = of(call.model)
      const isBadSchema = learned.get(key)?.badSchemas.has(call.format?.name ?? '')
      let able = isBadSchema ? withoutSchema(first, fixed) : first
      const changes: Change[] = []
      for (;;) {
        try {
          const reply = await send({ ...call, capabilities: able }, { isRepeat: changes.length > 0 })
          const before = learned.get(key) ?? nothing
          const after = changes.reduce((known, change) => learn(known, change, call), before)
          learned.set(key, learnFromReply(after, reply, endpoint))
          return reply
        } catch (error) {
          const chances = chancesOf(call, { endpoint, able, fixed })
          const change = error instanceof CallFailure ? readRejection(error, able, chances) : null
          if (change === null || call.signal.aborted) throw error
          changes.push(change)
          able = { ...able, ...change.patch }
        }
      }
    }
  return { of, adapt }
}

const withoutSchema = (able: ModelCapabilities, fixed: Partial<ModelCapabilities>): ModelCapabilities =>
  able.format === 'json_schema' && fixed.format === undefined ? { ...able, format: 'json_object' } : able

/** Each change can be made once, so a conversation with an endpoint that rejects everything ends. */
const chancesOf = (
  call: ModelCall,
  {
    endpoint,
    able,
    fixed,
  }: { endpoint: ModelEndpoint; able: ModelCapabilities; fixed: Partial<ModelCapabilities> },
): Chances => {
  const known = knownCapabilities(endpoint)
  const isOpenAi = endpoint.provider === 'openai'
  const canRename = isOpenAi && able.api === 'chat' && able.tokenLimit === known.tokenLimit
  const other = able.tokenLimit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
  const canChangeApi = isOpenAi && fixed.api === undefined && able.api === known.api
  const carried = fieldsOf(call, able)
  return {
    fields: carried.filter(field => fixed[field] === undefined),
    setFields: carried.filter(field => fixed[field] !== undefined),
    otherLimitName: canRename ? other : null,
    canAddLimit: limitOf(call, able) === null && able.tokenLimit !== 'none' && fixed.needsLimit === undefined,
    otherApi: canChangeApi ? (able.api === 'chat' ? 'responses' : 'chat') : null,
  }
}

/**
 * What a change that helped says about the model. A rejection that named no field blames the others first: a schema is
 * worth one more request that carries it alone. If that is rejected too, the schema was the reason, and the others are
 * sent again.
 */
const learn = (known: Learned, { patch, about, isNamed }: Change, call: ModelCall): Learned => {
  if (about === 'request') return known
  if (about === 'schema')
    return { ...known, badSchemas: new Set([...known.badSchemas, call.format?.name ?? '']) }
  if (!isNamed) {
    const { format: _, ...blamed } = patch
    return {
      ...known,
      patch: { ...known.patch, ...blamed },
      unproven: new Set([...known.unproven, ...Object.keys(blamed)]),
    }
  }
  const acquitted = patch.format === undefined ? new Set<string>() : known.unproven
  const kept = Object.entries(known.patch).filter(([field]) => !acquitted.has(field))
  const unproven = [...known.unproven].filter(field => !acquitted.has(field) && !(field in patch))
  return { ...known, patch: { ...Object.fromEntries(kept), ...patch }, unproven: new Set(unproven) }
}

/** A reply shows whether the model thought, and a gateway that passes on cache marks shows its name. */
const learnFromReply = (known: Learned, reply: RawReply, endpoint: ModelEndpoint): Learned => {
  const thought = (reply.reasoningTokens ?? 0) > 0 ? { reasoning: true } : {}
  const passesMarks = reply.gateway === 'litellm' && isClaude(endpoint.model)
  // What a rejection has taught stays.
  const marks = passesMarks && known.patch.cacheControl === undefined ? { cacheControl: true } : {}
  return { ...known, patch: { ...known.patch, ...thought, ...marks } }
}
