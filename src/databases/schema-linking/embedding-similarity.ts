import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Catalog } from '../../domain/catalog.ts'
import type { Embedder } from '../../domain/model.ts'
import { type Log, silentLog } from '../../domain/operations/telemetry.ts'
import { type CatalogDescription, describeCatalog } from './catalog-description.ts'
import type { EmbeddingBonus } from './link-schema.ts'

/** At most this many columns of a catalog are embedded. At 1,536 numbers each they take 47 MB. */
const maxEmbeddedColumns = 30_000

/** How long linking goes on without embeddings after the endpoint failed. */
const pauseMs = 60_000

/** The log-odds that a column gains per standard deviation above the mean similarity. */
const logOddsPerDeviation = 0.6

/** Similarity below this many deviations is chance. */
const minDeviations = 1

/** How long embedding all columns may take, and how long a question waits for it. */
const columnsTimeoutMs = 300_000

const columnsWaitMs = 5_000

/** How long a question may wait for its own vector before it is linked without. */
const questionTimeoutMs = 3_000

interface EmbeddingBonusDeps {
  readonly embedder: Embedder
  /** Folder for the vectors of catalogs. Without it nothing is stored. */
  readonly folder?: string
  readonly log?: Log
  readonly now?: () => number
}

/**
 * Makes the bonus that embeddings add to linking, as a weighted sum: a column's cosine to the question, in standard
 * deviations above the mean of all columns and beyond the first, is added to the log-odds of the trained ranking. The
 * columns of a catalog are embedded once. A question waits for that a few seconds and is then linked by words alone,
 * as is every question while the endpoint cannot be reached. Names and descriptions are sent to the endpoint, values
 * never are.
 */
export const makeEmbeddingBonus = (deps: EmbeddingBonusDeps): EmbeddingBonus => {
  const { embedder, log = silentLog, now = Date.now } = deps
  const prepared = new WeakMap<Catalog, PackedVectors>()
  const under = new WeakMap<Catalog, Promise<void>>()
  let pausedUntil = Number.NEGATIVE_INFINITY

  const giveUp = (doing: string, error: unknown): null => {
    pausedUntil = now() + pauseMs
    log.warn({ error }, `${doing} failed; tables and columns are chosen by words alone for a minute`)
    return null
  }

  const prepare = (catalog: Catalog): Promise<void> => {
    const known = under.get(catalog)
    if (known) return known
    const work = vectorsOf(describeCatalog(catalog), catalog, deps)
      .then(vectors => void prepared.set(catalog, vectors))
      .catch(error => void giveUp('embedding the columns', error))
      .finally(() => under.delete(catalog))
    under.set(catalog, work)
    return work
  }

  return async (text, catalog, signal) => {
    if (now() < pausedUntil) return null
    if (!prepared.has(catalog)) await withTimeLimit(columnsWaitMs, prepare(catalog), signal)
    const vectors = prepared.get(catalog)
    if (!vectors) return null
    const limit = AbortSignal.timeout(questionTimeoutMs)
    try {
      const [question] = await embedder.embed([text], {
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      })
      if (question?.length !== vectors.width) throw new Error('the question has a vector of another length')
      return toLogOdds(dotProducts(question, vectors))
    } catch (error) {
      signal?.throwIfAborted()
      return giveUp('embedding the question', error)
    }
  }
}

/** Waits for work for a limited time; the work goes on after that. Rejects when the signal fires. */
const withTimeLimit = async (
  milliseconds: number,
  work: Promise<void>,
  signal?: AbortSignal,
): Promise<void> => {
  const over = new AbortController()
  const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal
  try {
    await Promise.race([work, setTimeout(milliseconds, undefined, { signal: stop })])
  } catch {
    signal?.throwIfAborted()
  } finally {
    over.abort()
  }
}

const vectorsOf = async (
  { columns }: CatalogDescription,
  catalog: Catalog,
  { embedder, folder, log = silentLog }: EmbeddingBonusDeps,
): Promise<PackedVectors> => {
  const texts = columns
    .slice(0, maxEmbeddedColumns)
    .map(({ column, table }) =>
      [`${table.name}.${column.name}`, column.comment, table.table.comment].filter(Boolean).join(' - '),
    )
  const path =
    folder === undefined ? null : vectorsPath(folder, [catalog.fingerprint, embedder.model, ...texts])
  const kept = path === null ? null : await readVectors(path, texts.length)
  if (kept) return kept
  const vectors = packVectors(
    await embedder.embed(texts, { signal: AbortSignal.timeout(columnsTimeoutMs) }),
    columns.length,
  )
  if (path !== null) {
    await writeVectors(path, vectors).catch(error =>
      log.warn({ error }, 'the vectors of the columns could not be kept; the next process makes them again'),
    )
  }
  return vectors
}

/** Turns cosines into what is added to log-odds: zero for all columns but those that stand out. */
const toLogOdds = (cosines: Float64Array): Float64Array => {
  const mean = cosines.reduce((sum, one) => sum + one, 0) / cosines.length
  const spread = Math.sqrt(cosines.reduce((sum, one) => sum + (one - mean) ** 2, 0) / cosines.length)
  if (spread === 0) return new Float64Array(cosines.length)
  return cosines.map(one => logOddsPerDeviation * Math.max(0, (one - mean) / spread - minDeviations))
}

/**
 * Vectors with one byte per number, each scaled by its largest. A cosine computed from them is off by less than 0.01.
 */
interface PackedVectors {
  readonly width: number
  /** Row by row. Rows that were not embedded are zero. */
  readonly rows: Int8Array
}

const most = 127

/** Packs vectors of one length into `count` rows; the rows beyond the vectors stay zero. */
const packVectors = (vectors: readonly Float32Array[], count: number): PackedVectors => {
  const width = vectors[0]?.length ?? 0
  const rows = new Int8Array(width * count)
  for (const [row, vector] of vectors.entries()) {
    const size = lengthOf(vector)
    const largest = vector.reduce((top, one) => Math.max(top, Math.abs(one)), 0)
    if (size === 0) continue
    for (let i = 0; i < width; i++) rows[row * width + i] = Math.round((vector[i]! / largest) * most)
  }
  return { width, rows }
}

/** The cosine of a vector with each row; zero for rows of zeros. */
const dotProducts = (vector: Float32Array, { width, rows }: PackedVectors): Float64Array => {
  const size = lengthOf(vector)
  return Float64Array.from({ length: width === 0 ? 0 : rows.length / width }, (_, row) => {
    let sum = 0
    let square = 0
    for (let i = row * width, k = 0; k < width; i++, k++) {
      const one = rows[i]!
      sum += one * vector[k]!
      square += one * one
    }
    return square === 0 || size === 0 ? 0 : sum / (Math.sqrt(square) * size)
  })
}

const lengthOf = (vector: Float32Array): number => {
  let square = 0
  for (const one of vector) square += one * one
  return Math.sqrt(square)
}

/**
 * The file of the vectors: next to the index, named by a hash of what they were made from, so that nothing outdated
 * is read.
 */
const vectorsPath = (folder: string, madeFrom: readonly string[]): string =>
  join(folder, `${createHash('sha256').update(JSON.stringify(madeFrom)).digest('hex').slice(0, 32)}.vectors`)

/** Reads `count` stored vectors. Null if there are none or if they do not fit; they are then made again. */
const readVectors = async (path: string, count: number): Promise<PackedVectors | null> => {
  try {
    const bytes = await readFile(path)
    const width = bytes.readUInt32LE(0)
    const rows = new Int8Array(bytes.subarray(4))
    return width > 0 && rows.length >= width * count && rows.length % width === 0 ? { width, rows } : null
  } catch {
    return null
  }
}

/** Stores vectors so that only their owner can read them. The file appears under its name once it is complete. */
const writeVectors = async (path: string, { width, rows }: PackedVectors): Promise<void> => {
  const head = Buffer.alloc(4)
  head.writeUInt32LE(width)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(
      draft,
      Buffer.concat([head, Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength)]),
      { mode: 0o600 },
    )
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
