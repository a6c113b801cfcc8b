import type { ExampleQuery, FindNearestQueries } from '../../../src/domain/candidate.ts'
import type { Embedder } from '../../../src/domain/model.ts'
import type { ListVerified, VerifiedQuery } from '../../../src/domain/verified-query.ts'
import { makeFindSimilarVerified } from './similar-questions.ts'

/** How long a question waits for vectors before its examples are chosen by words. */
const WAIT_MS = 3_000

/** How long embedding verified questions may take; it goes on after a question has stopped waiting for it. */
const FILL_MS = 60_000

/** How long nothing is embedded after the endpoint failed. */
const PAUSE_MS = 60_000

/** Vectors of verified questions that are remembered; at 1,536 numbers each they take 12 MB. */
const MOST_VECTORS = 2_000

/**
 * Finds the verified questions nearest to one that is asked, by the cosine of their embeddings (SSEV 3.1.1), or by how
 * and about what they ask if no embedder is configured or it does not answer. Questions that only differ in a value are
 * near, so there is no bound on how far one may be.
 */
export const makeFindNearest = (deps: {
  readonly listVerified: ListVerified
  readonly embedder: Embedder | null
  readonly now?: () => number
}): FindNearestQueries => {
  const findSimilar = makeFindSimilarVerified(deps)
  const { embedder } = deps
  const embed = embedder && makeRememberVectors(embedder, deps.now ?? Date.now)
  return async (input, most) => {
    const { signal, database } = input
    const byWords = (await findSimilar(input)).map(({ query }) => query)
    const near = (await embed?.(input.understanding.text, byWords, signal)) ?? byWords
    const examples: ExampleQuery[] = []
    for (const { question, sql } of near) {
      if (examples.length === most) break
      // What has since been kept from everybody is not shown to a model either.
      if (database.guard(sql).verdict === 'allow') examples.push({ question, sql })
    }
    return examples
  }
}

/** Orders queries by their vectors; null if there are none to go by. */
type OrderByVectors = (
  text: string,
  queries: readonly VerifiedQuery[],
  signal: AbortSignal | undefined,
) => Promise<readonly VerifiedQuery[] | null>

const makeRememberVectors = (embedder: Embedder, now: () => number): OrderByVectors => {
  const known = new Map<string, Float32Array>()
  let pausedUntil = Number.NEGATIVE_INFINITY
  let filling: Promise<void> | null = null

  const remember = async (texts: readonly string[], signal: AbortSignal): Promise<void> => {
    const vectors = await embedder.embed(texts, { signal })
    for (const [at, text] of texts.entries()) if (vectors[at]) known.set(text, vectors[at])
    for (const [oldest] of known) {
      if (known.size <= MOST_VECTORS) break
      known.delete(oldest)
    }
  }
  const pause = (): void => {
    pausedUntil = now() + PAUSE_MS
  }
  const fill = (texts: readonly string[]): Promise<void> =>
    remember(texts, AbortSignal.timeout(FILL_MS))
      .catch(pause)
      .finally(() => {
        filling = null
      })

  return async (text, queries, signal) => {
    if (queries.length === 0 || now() < pausedUntil) return null
    const limit = AbortSignal.timeout(WAIT_MS)
    const stop = signal ? AbortSignal.any([signal, limit]) : limit
    const missing = queries.map(({ question }) => question).filter(question => !known.has(question))
    if (missing.length > 0) {
      filling ??= fill([...new Set(missing)].slice(0, MOST_VECTORS - 1))
      await untilStopped(filling, stop)
    }
    signal?.throwIfAborted()
    if (stop.aborted || now() < pausedUntil) return null
    if (!known.has(text)) await remember([text], stop).catch(pause)
    signal?.throwIfAborted()
    const asked = known.get(text)
    if (asked === undefined) return null
    const nearness = new Map(queries.map(query => [query, cosine(asked, known.get(query.question))]))
    return queries.toSorted((a, b) => (nearness.get(b) ?? 0) - (nearness.get(a) ?? 0))
  }
}

/** Waits for work until a signal fires. */
const untilStopped = async (work: Promise<void>, signal: AbortSignal): Promise<void> => {
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  const stop = (): void => resolve()
  signal.addEventListener('abort', stop, { once: true })
  if (!signal.aborted) await Promise.race([work, stopped])
  signal.removeEventListener('abort', stop)
}

/** 0 where a vector is missing, of another length or zero. */
const cosine = (a: Float32Array, b: Float32Array | undefined): number => {
  if (b?.length !== a.length) return 0
  let [dot, ofA, ofB] = [0, 0, 0]
  for (const [at, one] of a.entries()) {
    const other = b[at] ?? 0
    dot += one * other
    ofA += one * one
    ofB += other * other
  }
  return ofA === 0 || ofB === 0 ? 0 : dot / Math.sqrt(ofA * ofB)
}
