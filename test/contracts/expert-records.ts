import { expect, it } from 'vitest'
import type { ExpertRecords, ExpertRound } from '../../src/domain/selection/experts.ts'

const roundOf = (questionId: string): ExpertRound => ({
  questionId,
  groups: [
    { key: 'x', candidateIds: ['0/a', '0/b'] },
    { key: 'y', candidateIds: ['0/c'] },
  ],
  answers: [
    { expert: 'a', key: 'x' },
    { expert: 'b', key: 'x' },
    { expert: 'c', key: 'y' },
    { expert: 'd', key: null },
  ],
})

const says =
  (...wrong: readonly string[]) =>
  async () =>
    wrong

/** What every record of experts must do. `newQuestion` gives the id of a question that it may write to. */
export const expertRecordsContract = (
  make: () => Promise<{ records: ExpertRecords; newQuestion: () => Promise<string> }>,
): void => {
  it('counts the mistakes of settled rounds', async () => {
    const { records, newQuestion } = await make()
    const [first, second] = [await newQuestion(), await newQuestion()]
    for (const id of [first, second]) await records.saveRound(roundOf(id))
    expect([...(await records.listMistakes())]).toEqual([])
    await records.settleRound(first, says('a', 'd'))
    await records.settleRound(second, says('a'))
    expect([...(await records.listMistakes())].sort()).toEqual([
      ['a', 2],
      ['d', 1],
    ])
  })

  it('shows the judge the round as it was saved', async () => {
    const { records, newQuestion } = await make()
    const id = await newQuestion()
    await records.saveRound({ ...roundOf(id), answers: [] })
    await records.saveRound(roundOf(id))
    const seen: ExpertRound[] = []
    await records.settleRound(id, async round => {
      seen.push(round)
      return []
    })
    expect(seen).toEqual([roundOf(id)])
  })

  it('counts a question once, and takes back what is judged otherwise', async () => {
    const { records, newQuestion } = await make()
    const id = await newQuestion()
    await records.saveRound(roundOf(id))
    await records.settleRound(id, says('a', 'b'))
    await records.settleRound(id, says('a', 'b'))
    await records.settleRound(id, says('b', 'c'))
    const counted = async () => [...(await records.listMistakes())].filter(([, count]) => count > 0).sort()
    expect(await counted()).toEqual([
      ['b', 1],
      ['c', 1],
    ])
    await records.settleRound(id, async () => null)
    expect(await counted()).toEqual([])
  })

  it('does not replace a round that was settled, and knows nothing of others', async () => {
    const { records, newQuestion } = await make()
    const id = await newQuestion()
    await records.saveRound(roundOf(id))
    await records.settleRound(id, says('a'))
    await records.saveRound({ ...roundOf(id), answers: [] })
    const seen: ExpertRound[] = []
    const judge = async (round: ExpertRound) => {
      seen.push(round)
      return ['a']
    }
    await records.settleRound(id, judge)
    await records.settleRound(await newQuestion(), judge)
    expect(seen).toEqual([roundOf(id)])
    expect([...(await records.listMistakes())]).toEqual([['a', 1]])
  })
}
