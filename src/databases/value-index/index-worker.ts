import { parentPort } from 'node:worker_threads'
import { buildIndexData } from './build-value-index.ts'
import type { FromIndexWorker, ToIndexWorker } from './index-values.ts'
import { refreshIndexData } from './refresh-value-index.ts'
import { type IndexedColumn, makeReadText, type ValueIndexData } from './value-index-data.ts'

/** The worker thread that builds large value indexes (`indexValues`). One is started for each build. */

const entries: (IndexedColumn & { readonly values: string[] })[] = []

const say = (message: FromIndexWorker, transfer: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, transfer)

/** The buffers of all arrays, which are transferred and not copied. */
const memoryOf = (data: ValueIndexData): ArrayBuffer[] => {
  const arrays = [
    data.textBytes,
    data.textEnds,
    data.owners.first,
    data.owners.moreTexts,
    data.owners.moreColumns,
    data.keys,
    data.common,
    ...data.blocks.flatMap(({ trigrams, starts, members }) => [trigrams, starts, members]),
  ]
  return [...new Set(arrays.map(({ buffer }) => buffer as ArrayBuffer))]
}

parentPort?.on('message', (message: ToIndexWorker) => {
  switch (message.kind) {
    case 'column':
      entries.push({ table: message.table, column: message.column, values: [] })
      return
    case 'values': {
      const { values } = entries.at(-1)!
      const textAt = makeReadText(message)
      for (let text = 0; text < message.textEnds.length; text++) values.push(textAt(text))
      return
    }
    case 'build': {
      const { old } = message
      const data =
        old === null
          ? buildIndexData(entries, { onProgress: share => say({ kind: 'progress', share }) })
          : refreshIndexData(old.data, {
              keeps: column => old.kept[old.data.columns.indexOf(column)] === true,
              changed: entries,
            })
      say({ kind: 'built', data }, memoryOf(data))
      return
    }
    default: {
      const never: never = message
      throw new Error(`unknown message ${JSON.stringify(never)}`)
    }
  }
})
