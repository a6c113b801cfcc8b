import { expect, it } from 'vitest'
import type { QuestionContext, RunStore } from '../../src/domain/question-context.ts'
import { makeCandidate, ranWith } from '../helpers/make-candidate.ts'

const brief = (text: string): QuestionContext => ({
  understanding: { kind: 'data', text, spans: [], today: '2026-03-02', timeZone: 'UTC' },
  matches: [{ keyword: 'oslo', table: 'stores', column: 'city', value: 'Oslo', score: 1 }],
  linked: { tables: [{ table: 'stores', keep: 'all' }] },
})

/** What every workbench must do. `newQuestion` gives the id of a question the workbench may write to. */
export const runStoreContract = (
  make: () => Promise<{ workbench: RunStore; newQuestion: () => Promise<string> }>,
): void => {
  it('returns the last context', async () => {
    const { workbench, newQuestion } = await make()
    const id = await newQuestion()
    await workbench.saveContext(id, brief('first'))
    await workbench.saveContext(id, brief('second'))
    expect(await workbench.loadContext(id)).toEqual(brief('second'))
  })

  it('rejects if no context was saved', async () => {
    const { workbench, newQuestion } = await make()
    const id = await newQuestion()
    await expect(workbench.loadContext(id)).rejects.toMatchObject({ code: 'internal' })
  })

  it('keeps candidates in the order of their ids and replaces them by id', async () => {
    const { workbench, newQuestion } = await make()
    const id = await newQuestion()
    const [first, second] = [makeCandidate({ id: '0/a/00' }), makeCandidate({ id: '0/a/01' })]
    await workbench.saveCandidates(id, [second, first])
    await workbench.saveCandidates(id, [{ ...second, sql: 'SELECT 2', run: ranWith('x') }])
    expect(await workbench.loadCandidates(id)).toEqual([
      first,
      { ...second, sql: 'SELECT 2', run: ranWith('x') },
    ])
  })

  it('loses nothing when branches save at the same time', async () => {
    const { workbench, newQuestion } = await make()
    const id = await newQuestion()
    const ids = Array.from({ length: 20 }, (_, i) => `0/a/${String(i).padStart(2, '0')}`)
    await Promise.all(
      ids.map(candidateId => workbench.saveCandidates(id, [makeCandidate({ id: candidateId })])),
    )
    expect((await workbench.loadCandidates(id)).map(candidate => candidate.id)).toEqual(ids)
  })

  it('keeps questions apart', async () => {
    const { workbench, newQuestion } = await make()
    const [one, other] = [await newQuestion(), await newQuestion()]
    await workbench.saveCandidates(one, [makeCandidate()])
    expect(await workbench.loadCandidates(other)).toEqual([])
  })
}
