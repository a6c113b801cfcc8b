import { monitorEventLoopDelay } from 'node:perf_hooks'
import { deserialize, serialize } from 'node:v8'
import { indexValues, refreshValues } from '../../src/databases/value-index/index-values.ts'
import { packValueIndex, unpackValueIndex } from '../../src/databases/value-index/value-index-data.ts'

/** What an index costs beside lookups. Milliseconds and bytes. */
export interface HouseKeeping {
  readonly buildInThread: number
  /** For how long the event loop was kept at most meanwhile. */
  readonly longestStall: number
  /** A tenth of the values are of a column that changes: half of it stays, half is new. */
  readonly refresh: number
  readonly refreshStall: number
  /** Before a compressor. */
  readonly packedBytes: number
  readonly pack: number
  readonly unpack: number
}

/** Measures building in a thread, a refresh, and the way to and from a file's bytes. */
export const measureHouseKeeping = async (values: readonly string[]): Promise<HouseKeeping> => {
  const cut = Math.floor(values.length * 0.9)
  const fixed = { table: 'values', column: 'fixed', values: values.slice(0, cut) }
  const moving = { table: 'values', column: 'moving', values: values.slice(cut) }
  const built = await watch(() => indexValues([fixed, moving]))
  const half = Math.floor(moving.values.length / 2)
  const changed = [
    { ...moving, values: moving.values.map((value, at) => (at < half ? value : `${value} new`)) },
  ]
  const refreshed = await watch(() => refreshValues(built.result, { keeps: () => true, changed }))
  const packed = await watch(async () => serialize(packValueIndex(built.result.data)))
  const unpacked = await watch(async () => unpackValueIndex(deserialize(packed.result)))
  return {
    buildInThread: built.milliseconds,
    longestStall: built.stall,
    refresh: refreshed.milliseconds,
    refreshStall: refreshed.stall,
    packedBytes: packed.result.byteLength,
    pack: packed.milliseconds,
    unpack: unpacked.milliseconds,
  }
}

const watch = async <T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly milliseconds: number; readonly stall: number }> => {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const started = performance.now()
  const result = await work()
  const milliseconds = performance.now() - started
  delays.disable()
  return { result, milliseconds, stall: delays.max / 1e6 }
}
