import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeCachedRunStore } from '../../../graphs/answer/answer-runs.ts'
import type { RunStore } from '../../../src/domain/question-context.ts'
import { makeMemoryRunStore } from '../../../src/store/in-memory.ts'
import { runStoreContract } from '../../contracts/run-store.ts'
import { makeCandidate } from '../../helpers/make-candidate.ts'

describe('the run store of a run', () => {
  runStoreContract(async () => {
    const runStore = makeCachedRunStore(makeMemoryRunStore())
    return {
      runStore,
      newQuestion: async () => {
        const id = randomUUID()
        runStore.open(id)
        return id
      },
    }
  })
})

describe('the memory of a run', () => {
  const counted = () => {
    const kept = makeMemoryRunStore()
    let reads = 0
    const counting: RunStore = {
      ...kept,
      loadCandidates: id => {
        reads += 1
        return kept.loadCandidates(id)
      },
    }
    return { kept, runStore: makeCachedRunStore(counting), reads: () => reads }
  }

  it('reads once while it lasts, and again afterwards', async () => {
    const { runStore, reads } = counted()
    const close = runStore.open('q')
    await runStore.saveCandidates('q', [makeCandidate()])
    for (let i = 0; i < 5; i++) await runStore.loadCandidates('q')
    expect(reads()).toBe(1)
    close()
    await runStore.loadCandidates('q')
    expect(reads()).toBe(2)
  })

  it('begins with what another process has left', async () => {
    const { kept, runStore } = counted()
    runStore.open('q')()
    await kept.saveCandidates('q', [makeCandidate()])
    runStore.open('q')
    expect(await runStore.loadCandidates('q')).toHaveLength(1)
  })

  it('has nothing that was not written through', async () => {
    const { kept, runStore } = counted()
    runStore.open('q')
    const broken = makeCachedRunStore({
      ...kept,
      saveCandidates: () => Promise.reject(new Error('disk full')),
    })
    broken.open('q')
    await expect(broken.saveCandidates('q', [makeCandidate()])).rejects.toThrow('disk full')
    expect(await broken.loadCandidates('q')).toEqual([])
  })
})
