import { expect, it } from 'vitest'
import type { QuestionContext, RunStore } from '../../src/domain/question-context.ts'
import { makeCandidate, ranWith } from '../helpers/make-candidate.ts'

const brief = (text: string): QuestionContext => ({
  understanding: { kind: 'data', text, spans: [], today: '2026-03-02', timeZone: 'UTC' },
  matches: [{ keyword: 'oslo', table: 'stores', column: 'city', value: 'Oslo', score: 1 }],
  linked: { tables: [{ table: 'stores', keep: 'all' }] },
})

/** What every run store must do. `newQuestion` gives the id of a question the run store may write to. */
export const runStoreContract = (
  make: () => Promise<{ runStore: RunStore; newQuestion: () => Promise<string> }>,
): void => {
  it('returns the last context', async () => {
    const { runStore, newQuestion } = await make()
    const id = await newQuestion()
    await runStore.saveContext(id, brief('first'))
    await runStore.saveContext(id, brief('second'))
    expect(await runStore.loadContext(id)).toEqual(brief('second'))
  })

  it('rejects if no context was saved', async () => {
    const { runStore, newQuestion } = await make()
    const id = await newQuestion()
    await expect(runStore.loadContext(id)).rejects.toMatchObject({ code: 'internal' })
  })

  it('keeps candidates in the order of their ids and replaces them by id', async () => {
    const { runStore, newQuestion } = await make()
    const id = await newQuestion()
    const [first, second] = [makeCandidate({ id: '0/a/00' }), makeCandidate({ id: '0/a/01' })]
    await runStore.saveCandidates(id, [second, first])
    await runStore.saveCandidates(id, [{ ...second, sql: 'SELECT 2', run: ranWith('x') }])
    expect(await runStore.loadCandidates(id)).toEqual([
      first,
      { ...second, sql: 'SELECT 2', run: ranWith('x') },
    ])
  })

  it('loses nothing when branches save at the same time', async () => {
    const { runStore, newQuestion } = await make()
    const id = await newQuestion()
    const ids = Array.from({ length: 20 }, (_, i) => `0/a/${String(i).padStart(2, '0')}`)
    await Promise.all(
      ids.map(candidateId => runStore.saveCandidates(id, [makeCandidate({ id: candidateId })])),
    )
    expect((await runStore.loadCandidates(id)).map(candidate => candidate.id)).toEqual(ids)
  })

  it('keeps questions apart', async () => {
    const { runStore, newQuestion } = await make()
    const [one, other] = [await newQuestion(), await newQuestion()]
    await runStore.saveCandidates(one, [makeCandidate()])
    expect(await runStore.loadCandidates(other)).toEqual([])
  })
}
