import { OpenAIEmbeddings } from '@langchain/openai'
import { z } from 'zod'
import { QuerentError } from '../domain/errors.ts'
import type { Embedder } from '../domain/model.ts'
import { CallFailure, classifyFailure } from './call-failure.ts'
import type { ModelConnection } from './call-model.ts'
import { clientFields } from './endpoint-address.ts'
import { explainFailure } from './explain-failure.ts'

/** Settings of an embedding model. `timeoutMs` is for one request. */
interface EmbedderSettings {
  readonly model: string
  readonly timeoutMs: number
}

/** Texts of one request: small enough for the endpoints that take the fewest. */
const maxTextsPerRequest = 128

/** Anything but finite numbers is rejected: a NaN in a ranking would hide everything after it. */
const vectorsSchema = z.array(z.array(z.number()).min(1))

/**
 * Makes an embedder for any OpenAI-compatible endpoint. Texts are sent in batches, one after the other, each tried
 * once, because callers can do without embeddings and ask again later.
 */
export const makeEmbedder = (connection: ModelConnection, settings: EmbedderSettings): Embedder => ({
  model: settings.model,
  embed: async (texts, { signal } = {}) => {
    const found: Float32Array[] = []
    for (let at = 0; at < texts.length; at += maxTextsPerRequest) {
      const batch = texts.slice(at, at + maxTextsPerRequest)
      found.push(...(await embedBatch(batch, connection, settings, signal)))
    }
    if (found.some(vector => vector.length !== found[0]?.length)) throw notVectors(connection, settings)
    return found
  },
})

const embedBatch = async (
  texts: readonly string[],
  connection: ModelConnection,
  settings: EmbedderSettings,
  signal: AbortSignal | undefined,
): Promise<readonly Float32Array[]> => {
  const client = makeClient(connection, settings, signal)
  let reply: unknown
  try {
    signal?.throwIfAborted()
    reply = await client.embedDocuments([...texts])
  } catch (error) {
    if (signal?.aborted) throw new QuerentError('cancelled', 'Embedding was stopped.', { cause: error })
    throw failed(error, connection, settings)
  }
  const parsed = vectorsSchema.length(texts.length).safeParse(reply)
  if (!parsed.success) throw notVectors(connection, settings)
  return parsed.data.map(vector => Float32Array.from(vector))
}

/** The client takes no signal for a request, so `fetch` adds it. */
const makeClient = (
  connection: ModelConnection,
  { model, timeoutMs }: EmbedderSettings,
  signal: AbortSignal | undefined,
): OpenAIEmbeddings => {
  const { apiKey, configuration } = clientFields(connection, (url, init) =>
    fetch(url, { ...init, signal: anySignal(init?.signal, signal) }),
  )
  return new OpenAIEmbeddings({
    model,
    apiKey,
    batchSize: maxTextsPerRequest,
    timeout: timeoutMs,
    maxRetries: 0,
    encodingFormat: 'float',
    configuration,
  })
}

const anySignal = (
  one: AbortSignal | null | undefined,
  other: AbortSignal | undefined,
): AbortSignal | null => (one && other ? AbortSignal.any([one, other]) : (one ?? other ?? null))

const failed = (error: unknown, connection: ModelConnection, settings: EmbedderSettings): QuerentError => {
  const failure = classifyFailure(error, { secrets: [connection.apiKey ?? ''], now: new Date() })
  return new QuerentError('model-failed', explainFailure(failure, { connection, ...settings }), {
    cause: failure,
  })
}

const notVectors = (connection: ModelConnection, settings: EmbedderSettings): QuerentError =>
  failed(
    new CallFailure('the reply is not a list of vectors', {
      kind: 'unreadable',
      status: null,
      code: null,
      param: null,
      retryAfterMs: null,
    }),
    connection,
    settings,
  )
