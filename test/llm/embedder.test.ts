import { LLMock } from '@copilotkit/aimock'
import { afterEach, describe, expect, it } from 'vitest'
import { makeEmbedder } from '../../src/llm/embedder.ts'

let mock: LLMock | null = null

afterEach(() => {
  void mock?.stop()
  mock = null
})

/** An endpoint that embeds what the test expects and answers 404 to everything else. */
const endpoint = async (prepare: (mock: LLMock) => void) => {
  const made = new LLMock({ port: 0 })
  prepare(made)
  await made.start()
  mock = made
  const connection = { apiKey: 'a-key-nobody-may-see', baseUrl: `${made.url}/v1` }
  const bodies = () =>
    made.getRequests().map(({ body }) => body as unknown as { model: string; embeddingInput?: string[] })
  return { embedder: makeEmbedder(connection, { model: 'small-vectors', timeoutMs: 2_000 }), bodies }
}

describe('an embedder', () => {
  it('turns texts into vectors, in requests that are not too large', async () => {
    const { embedder, bodies } = await endpoint(mock =>
      mock.onEmbedding(/boat/, { embedding: [0.5, -0.25, 0] }),
    )
    const texts = Array.from({ length: 130 }, (_, i) => `boat ${i}`)
    const vectors = await embedder.embed(texts)
    expect(vectors).toHaveLength(130)
    expect([...vectors[129]!]).toEqual([0.5, -0.25, 0])
    expect(bodies().map(({ model }) => model)).toEqual(['small-vectors', 'small-vectors'])
  })

  it('sends no request for no texts', async () => {
    const { embedder, bodies } = await endpoint(() => {})
    expect(await embedder.embed([])).toEqual([])
    expect(bodies()).toEqual([])
  })

  it.each([401, 404, 500])('says what to check on HTTP %i, and never the key', async status => {
    const { embedder } = await endpoint(mock =>
      mock.onEmbedding(/./, { status, error: { message: 'no vectors for a-key-nobody-may-see' } }),
    )
    const failure = await embedder.embed(['boat']).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: 'model-failed',
      message: expect.stringContaining(`HTTP ${status}`),
    })
    expect(String((failure as Error).message)).not.toContain('a-key-nobody-may-see')
  })

  it('stops when told to', async () => {
    const stop = new AbortController()
    const { embedder } = await endpoint(mock =>
      mock.onEmbedding(/./, () => {
        stop.abort()
        return { embedding: [1] }
      }),
    )
    const embedding = embedder.embed(['boat'], { signal: stop.signal })
    await expect(embedding).rejects.toMatchObject({ code: 'cancelled' })
    const stopped = embedder.embed(['boat'], { signal: AbortSignal.abort() })
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' })
  })
})
