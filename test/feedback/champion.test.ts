import { describe, expect, it } from 'vitest'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import type { RankGroups } from '../../src/domain/selection/ranking.ts'
import { makeLoadChampion } from '../../src/feedback/champion.ts'

const rank: RankGroups = () => []

const shipped = { version: 'shipped', rank }

const loading = () => {
  const state = {
    champion: null as { version: string; model: unknown } | null,
    isAway: false,
    time: 0,
    reads: 0,
    warnings: [] as string[],
  }
  const load = makeLoadChampion({
    find: async () => {
      state.reads++
      if (state.isAway) throw new Error('no connection')
      return state.champion
    },
    readModel: model => {
      if (model !== 'readable') throw new Error('unknown shape')
      return { rank }
    },
    shipped,
    now: () => new Date(state.time),
    log: {
      ...silentLog,
      warn: (_: unknown, message?: string) => state.warnings.push(message ?? ''),
    } as never,
  })
  return { state, load }
}

describe('the champion', () => {
  it('is the shipped selector until one is promoted', async () => {
    const { state, load } = loading()
    expect(await load()).toBe(shipped)
    state.champion = { version: 'v1', model: 'readable' }
    state.time = 31_000
    expect((await load()).version).toBe('v1')
  })

  it('is read once in half a minute, also by concurrent callers', async () => {
    const { state, load } = loading()
    await Promise.all([load(), load(), load()])
    state.time = 29_000
    await load()
    expect(state.reads).toBe(1)
    state.time = 30_000
    await load()
    expect(state.reads).toBe(2)
  })

  it('stays the same while the store is unavailable, which is logged once', async () => {
    const { state, load } = loading()
    state.champion = { version: 'v1', model: 'readable' }
    await load()
    state.isAway = true
    for (const time of [40_000, 80_000]) {
      state.time = time
      expect((await load()).version).toBe('v1')
    }
    expect(state.warnings).toHaveLength(1)
  })

  it('is the shipped one if a version cannot be read or was rolled back', async () => {
    const { state, load } = loading()
    state.champion = { version: 'v2', model: { from: 'the future' } }
    expect(await load()).toBe(shipped)
    expect(state.warnings).toHaveLength(1)
    state.champion = { version: 'v1', model: 'readable' }
    state.time = 31_000
    expect((await load()).version).toBe('v1')
    state.champion = null
    state.time = 62_000
    expect(await load()).toBe(shipped)
  })
})
