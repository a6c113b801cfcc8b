import { describe, expect, it } from 'vitest'
import { makeApplyRevision, makeReviseAnswer } from '../../src/answering/revise-answer.ts'
import type { RevisionOutcome, RevisionRequest, RevisionResult } from '../../src/domain/answer-revision.ts'
import { QuerentError } from '../../src/domain/errors.ts'
import type { Feedback } from '../../src/domain/feedback.ts'
import type { JobData, Tx } from '../../src/domain/operations/jobs.ts'
import { queues } from '../../src/jobs/queues.ts'

const questionId = '11111111-1111-4111-8111-111111111111'

const edit: RevisionRequest = {
  ...{ questionId, person: 'U1', by: 'edit', submission: 'V1', reason: null },
  change: { kind: 'sql', sql: 'select 1', evenIfHeavy: false },
}

const revised: RevisionResult = { status: 'revised', headline: 'n: 1', rowCount: 1, groupKey: 'g1' }

const changed = { groupKey: 'g1' }

/** Carries out one job; `run` is what running its SQL comes to, `standing` what each look into the store finds. */
const carrying = (
  given: {
    run?: () => Promise<RevisionResult>
    standing?: ({ groupKey: string | null } | null)[]
    show?: () => Promise<void>
  } = {},
) => {
  const done: string[] = []
  const told: (RevisionOutcome | 'done')[] = []
  const kept: Feedback[] = []
  const standing = [...(given.standing ?? [])]
  const reviser =
    (name: string) =>
    async ({ request }: { readonly request: string }): Promise<RevisionResult> => {
      done.push(`${name} ${request}`)
      return given.run ? given.run() : revised
    }
  const carryOut = makeApplyRevision({
    revisers: { rerunSql: reviser('rerun'), fixSql: reviser('fix'), pickResult: reviser('pick') },
    findCurrent: async () => standing.shift() ?? null,
    showAnswer: async () => {
      done.push('show')
      await given.show?.()
    },
    feedback: async ({ feedback }) => {
      kept.push(feedback)
      return { status: 'gone' }
    },
    notify: async (_, ended) => void told.push(ended),
    isPermanent: error => error instanceof QuerentError && error.code === 'unknown-database',
  })
  const run = (
    wanted: RevisionRequest,
    options: { readonly tells?: boolean; readonly lastAttempt?: boolean; readonly signal?: AbortSignal } = {},
  ) => {
    const { tells = true, lastAttempt = false, signal = new AbortController().signal } = options
    // As its queue carries it.
    const job = queues.revise.data.parse(JSON.parse(JSON.stringify({ ...wanted, tells })))
    return carryOut(job, { signal, lastAttempt })
  }
  return { done, told, kept, run }
}

describe('a change to an answer, made by a job', () => {
  it('is made, shown, recorded as feedback and reported', async () => {
    const { run, done, told, kept } = carrying()
    await run({ ...edit, by: 'feedback', reason: { reason: 'wrong-filter', note: null } })
    expect(done).toEqual(['rerun feedback V1', 'show'])
    expect(kept).toEqual([
      { kind: 'reason', reason: 'wrong-filter', note: null },
      { kind: 'sql', sql: 'select 1', groupKey: 'g1' },
    ])
    expect(told).toEqual(['done'])
  })

  it('is not run again if it was made before, only shown', async () => {
    const { run, done, kept, told } = carrying({ standing: [changed] })
    await run(edit, { tells: false })
    expect(done).toEqual(['show'])
    expect(kept).toEqual([{ kind: 'edit', sql: 'select 1', groupKey: 'g1' }])
    expect(told).toEqual([])
  })

  it('stays if an abandoned attempt had already made it', async () => {
    const { run, done, told } = carrying({ run: async () => ({ status: 'late' }), standing: [null, changed] })
    await run(edit)
    expect(done).toEqual(['rerun edit V1', 'show'])
    expect(told).toEqual(['done'])
  })

  it('is recorded as a pick or a fix, and a fix is shown by the review', async () => {
    const pick = carrying()
    await pick.run({ ...edit, by: 'reading', change: { kind: 'pick', candidateId: 'c2' } })
    expect(pick.done).toEqual(['pick reading V1', 'show'])
    expect(pick.kept).toEqual([{ kind: 'alternative', groupKey: 'g1' }])
    const fix = carrying()
    await fix.run({ ...edit, by: 'fix' })
    expect(fix.done).toEqual(['fix fix V1'])
    expect(fix.kept).toEqual([{ kind: 'sql', sql: 'select 1', groupKey: 'g1' }])
  })

  it.each<RevisionResult>([
    { status: 'unfit', reason: 'no' },
    { status: 'too-heavy', reason: 'much' },
    { status: 'late' },
    { status: 'gone' },
    { status: 'not-allowed', reason: 'a guest', nextStep: 'ask' },
  ])('is reported without an update if nothing changed: $status', async ended => {
    const { run, done, told, kept } = carrying({ run: async () => ended })
    await run({ ...edit, reason: { reason: 'other', note: 'x' } })
    expect(done).toEqual(['rerun edit V1'])
    expect(told).toEqual([ended])
    expect(kept.map(({ kind }) => kind)).toEqual(ended.status === 'too-heavy' ? ['reason'] : [])
  })

  it('is retried, and reported at the last attempt or if retrying cannot help', async () => {
    const away = new QuerentError('database-unreachable', 'It is away.')
    const { run, told } = carrying({ run: () => Promise.reject(away) })
    await expect(run(edit)).rejects.toBe(away)
    expect(told).toEqual([])
    await expect(run(edit, { lastAttempt: true })).rejects.toBe(away)
    expect(told).toEqual([{ status: 'broken', reason: 'It is away.' }])

    const unknown = new QuerentError('unknown-database', 'There is none.')
    const hopeless = carrying({ run: () => Promise.reject(unknown) })
    await expect(hopeless.run(edit)).rejects.toBe(unknown)
    expect(hopeless.told).toHaveLength(1)
  })

  it.each([true, false])(
    'is reported as made but not shown if the message cannot be updated (tells: %s)',
    async tells => {
      const away = new Error('Slack is away')
      const { run, told } = carrying({ show: () => Promise.reject(away) })
      await expect(run(edit, { tells })).rejects.toBe(away)
      expect(told).toEqual([])
      await expect(run(edit, { tells, lastAttempt: true })).rejects.toBe(away)
      expect(told).toEqual([{ status: 'unshown' }])
    },
  )

  it('is left to the next process silently when this one stops', async () => {
    const stopped = AbortSignal.abort(new QuerentError('cancelled', 'the process is stopping'))
    const { run, told } = carrying({ show: () => Promise.reject(new Error('cut off')) })
    await expect(run(edit, { lastAttempt: true, signal: stopped })).rejects.toThrow('the process is stopping')
    expect(told).toEqual([])
  })
})

describe('submitting a change to an answer', () => {
  it('writes the job that shows it or reports its outcome, and counts a click', async () => {
    const sent: [JobData['revise'], { tx?: Tx; startAfterSeconds?: number }][] = []
    const tx = {} as Tx
    const counted: string[] = []
    const tooMuch = { status: 'not-allowed', reason: 'Too much.', nextStep: 'Wait.' } as const
    const revise = makeReviseAnswer({
      revisers: {
        rerunSql: async ({ alongside }) => {
          await alongside?.(tx)
          return revised
        },
        fixSql: () => Promise.reject(new Error('it is no fix')),
        pickResult: () => Promise.reject(new Error('nothing is picked')),
      },
      limitClick: async (_, person) => {
        counted.push(person)
        return counted.length > 1 ? tooMuch : null
      },
      send: async (job, options) => void sent.push([job, options]),
    })
    expect(await revise.now(edit)).toBe(revised)
    await revise.later(edit)
    expect(counted).toEqual([])
    const reading = { ...edit, by: 'reading' } as const
    expect(await revise.click(reading)).toBeNull()
    expect(await revise.click({ ...reading, submission: 'V2' })).toBe(tooMuch)
    expect(counted).toEqual(['U1', 'U1'])
    expect(sent).toEqual([
      [{ ...edit, tells: false }, { tx }],
      [{ ...edit, tells: true }, { startAfterSeconds: 1 }],
      [{ ...reading, tells: true }, {}],
    ])
  })

  it('creates one job per submission, and another if the form comes back with other SQL', () => {
    const keyOf = (wanted: RevisionRequest, tells = true) => queues.revise.keyOf({ ...wanted, tells })
    expect(keyOf(edit, false)).toBe(keyOf(edit))
    const other = { ...edit, change: { kind: 'sql', sql: 'select 2', evenIfHeavy: false } } as const
    const ticked = { ...edit, change: { kind: 'sql', sql: 'select 1', evenIfHeavy: true } } as const
    expect(new Set([edit, other, ticked].map(wanted => keyOf(wanted))).size).toBe(3)
  })
})
