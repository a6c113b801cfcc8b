import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeMemoryRunStore } from '../../src/store/in-memory.ts'
import { runStoreContract } from '../contracts/run-store.ts'
import { makeCandidate } from '../helpers/make-candidate.ts'

describe('the run store in memory', () => {
  runStoreContract(async () => ({ runStore: makeMemoryRunStore(), newQuestion: async () => randomUUID() }))

  it('forgets a question when told to', async () => {
    const runStore = makeMemoryRunStore()
    await runStore.saveCandidates('q', [makeCandidate()])
    runStore.forget('q')
    expect(await runStore.loadCandidates('q')).toEqual([])
  })
})
