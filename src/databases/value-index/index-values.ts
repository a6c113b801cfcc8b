import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { buildValueIndex, type ColumnValues } from './build-value-index.ts'
import { refreshIndexData, type ValueChanges } from './refresh-value-index.ts'
import { openValueIndex, type ValueIndex } from './value-index.ts'
import { type IndexedColumn, packTexts, type ValueIndexData } from './value-index-data.ts'

/** Up to this many values are indexed at once here: it takes about as long as a thread takes to start. */
const indexedHere = 20_000

/** Values packed for the thread at a time, before other work gets its turn: about two milliseconds' worth. */
const packedAtATime = 10_000

/** How building goes about it. */
interface IndexValuesOptions {
  readonly signal?: AbortSignal
  /** Hears the share (0 to 1) that is indexed. */
  readonly onProgress?: (share: number) => void
}

/**
 * Builds the value index without keeping the event loop: many values go to a thread of their own, packed a few
 * thousand at a time, and the arrays of the index come back without being copied. Rejects with the signal's reason
 * once it fires (the thread is ended), and with what went wrong in the thread.
 */
export const indexValues = async (
  entries: readonly ColumnValues[],
  options: IndexValuesOptions = {},
): Promise<ValueIndex> => {
  options.signal?.throwIfAborted()
  if (countOf(entries) <= indexedHere) return buildValueIndex(entries)
  return openValueIndex(await workInThread(entries, null, options))
}

/** The same for an index that is there already, of which only some columns have changed (`refreshIndexData`). */
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
  const worker = new Worker(new URL('./index-worker.ts', import.meta.url))
  const { promise: built, resolve, reject } = Promise.withResolvers<ValueIndexData>()
  // Whoever waits hears of it below; until then nobody does, which must not end the process.
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
 * What the thread that indexes values is told: columns, each followed by its values in parts, and then to
 * build an index of them, or to bring an old one up to date with them.
 */
export type ToIndexWorker =
  | ({ readonly kind: 'column' } & IndexedColumn)
  | ({ readonly kind: 'values' } & Pick<ValueIndexData, 'textBytes' | 'textEnds'>)
  | { readonly kind: 'build'; readonly old: OldIndex | null }

/** An index that is to be brought up to date, and whether each of its columns still holds what it held. */
interface OldIndex {
  readonly data: ValueIndexData
  readonly kept: readonly boolean[]
}

/** What it says. `share` is from 0 to 1. */
export type FromIndexWorker =
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'built'; readonly data: ValueIndexData }
