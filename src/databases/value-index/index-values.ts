import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { programPath } from '../../lib/project.ts'
import { buildValueIndex, type ColumnValues } from './build-value-index.ts'
import { refreshIndexData, type ValueChanges } from './refresh-value-index.ts'
import { openValueIndex, type ValueIndex } from './value-index.ts'
import { type IndexedColumn, packTexts, type ValueIndexData } from './value-index-data.ts'

/** Up to this many values are indexed on the calling thread: that takes about as long as starting a worker. */
const indexedHere = 20_000

/** Values packed for the worker before the event loop gets a turn: about two milliseconds of work. */
const packedAtATime = 10_000

interface IndexValuesOptions {
  readonly signal?: AbortSignal
  /** Called with the share (0 to 1) that is indexed. */
  readonly onProgress?: (share: number) => void
}

/**
 * Builds the value index without blocking the event loop: many values go to a worker thread, packed a few thousand at
 * a time, and the arrays of the index come back without being copied. Rejects with the signal's reason when it fires
 * (the worker is ended), or with the worker's error.
 */
export const indexValues = async (
  entries: readonly ColumnValues[],
  options: IndexValuesOptions = {},
): Promise<ValueIndex> => {
  options.signal?.throwIfAborted()
  if (countOf(entries) <= indexedHere) return buildValueIndex(entries)
  return openValueIndex(await workInThread(entries, null, options))
}

/** The same for an existing index of which only some columns have changed (`refreshIndexData`). */
export const refreshValues = async (
  { data }: Pick<ValueIndex, 'data'>,
  { keeps, changed }: ValueChanges,
  options: IndexValuesOptions = {},
): Promise<ValueIndex> => {
  options.signal?.throwIfAborted()
  if (data.textEnds.length + countOf(changed) <= indexedHere)
    return openValueIndex(refreshIndexData(data, { keeps, changed }))
  return openValueIndex(await workInThread(changed, { data, kept: data.columns.map(keeps) }, options))
}

const countOf = (entries: readonly ColumnValues[]): number =>
  entries.reduce((sum, { values }) => sum + values.length, 0)

const workInThread = async (
  entries: readonly ColumnValues[],
  old: OldIndex | null,
  { signal, onProgress }: IndexValuesOptions,
): Promise<ValueIndexData> => {
  const worker = new Worker(programPath('src/databases/value-index/index-worker.ts'))
  const { promise: built, resolve, reject } = Promise.withResolvers<ValueIndexData>()
  // The promise is awaited below; until then its rejection must not end the process.
  built.catch(() => {})
  const onAbort = (): void => reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    worker.on('message', (message: FromIndexWorker) => {
      if (message.kind === 'progress') onProgress?.(message.share)
      else resolve(message.data)
    })
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('The thread that indexes values ended before it was done.')))
    const send = (message: ToIndexWorker, transfer: ArrayBuffer[] = []): void =>
      worker.postMessage(message, transfer)
    await sendValues(send, entries, signal)
    send({ kind: 'build', old })
    return await built
  } finally {
    signal?.removeEventListener('abort', onAbort)
    await worker.terminate()
  }
}

const sendValues = async (
  send: (message: ToIndexWorker, transfer?: ArrayBuffer[]) => void,
  entries: readonly ColumnValues[],
  signal: AbortSignal | undefined,
): Promise<void> => {
  for (const { table, column, values } of entries) {
    send({ kind: 'column', table, column })
    for (let first = 0; first < values.length; first += packedAtATime) {
      const { textBytes, textEnds } = packTexts(values.slice(first, first + packedAtATime))
      send({ kind: 'values', textBytes, textEnds }, [
        textBytes.buffer as ArrayBuffer,
        textEnds.buffer as ArrayBuffer,
      ])
      if (values.length > packedAtATime) await setImmediate()
      signal?.throwIfAborted()
    }
  }
}

/**
 * Messages to the worker that indexes values: columns, each followed by its values in parts, and then the order to
 * build an index of them or to update an old one with them.
 */
export type ToIndexWorker =
  | ({ readonly kind: 'column' } & IndexedColumn)
  | ({ readonly kind: 'values' } & Pick<ValueIndexData, 'textBytes' | 'textEnds'>)
  | { readonly kind: 'build'; readonly old: OldIndex | null }

/** An index to update, and whether each of its columns still holds the same values. */
interface OldIndex {
  readonly data: ValueIndexData
  readonly kept: readonly boolean[]
}

/** Messages from the worker. `share` is from 0 to 1. */
export type FromIndexWorker =
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'built'; readonly data: ValueIndexData }
