import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeMemoryExpertRecords } from '../../src/store/in-memory.ts'
import { expertRecordsContract } from '../contracts/expert-records.ts'

describe('the records of experts in memory', () => {
  expertRecordsContract(async () => ({
    records: makeMemoryExpertRecords(),
    newQuestion: async () => randomUUID(),
  }))

  it('keep what was learned when a question is forgotten', async () => {
    const records = makeMemoryExpertRecords()
    await records.saveRound({ questionId: 'q', groups: [], answers: [{ expert: 'a', key: null }] })
    await records.settleRound('q', async () => ['a'])
    records.forget('q')
    await records.settleRound('q', async () => null)
    expect([...(await records.listMistakes())]).toEqual([['a', 1]])
  })
})
