import { describe, expect, it } from 'vitest'
import { makeAnswerQuestion, makeResumeQuestion } from '../../src/answering/run-question.ts'
import type { AnswerReport, AnswerRuns, Outcome } from '../../src/domain/answer.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import type { QuestionLog, QuestionStatus } from '../../src/domain/question.ts'
import { makeTrace } from '../helpers/make-trace.ts'
import { makeQuestion } from '../store/setup/make-question.ts'

const broken = async (): Promise<never> => {
  throw new Error('broken')
}

/** Both use cases over runs that break; `trace` is what of the run can still be told. */
const overBrokenRuns = (
  trace: AnswerRuns['trace'],
  { stands = 'queued' as QuestionStatus, counts = true, outcome = null as Outcome | null } = {},
) => {
  const kept: AnswerReport[] = []
  const questions: QuestionLog = {
    begin: async () => (stands === 'queued' ? { begun: true } : { begun: false, status: stands }),
    storeReport: async report => {
      kept.push(report)
      return counts
    },
    endStop: async () => null,
    lastOutcome: async () => outcome,
    load: async () => null,
  }
  const deps = { runs: { start: broken, resume: broken, trace }, questions, log: silentLog }
  return { kept, answer: makeAnswerQuestion(deps), resume: makeResumeQuestion(deps) }
}

describe('a run that fails', () => {
  it('is stored as a failure with its trace', async () => {
    const trace = makeTrace({ outcome: null })
    const { kept, answer, resume } = overBrokenRuns(async () => trace)
    const reports = [
      await answer(makeQuestion()),
      await resume(makeQuestion().id, { kind: 'option', number: 1 }),
    ]
    expect(kept).toEqual(reports)
    for (const report of reports) {
      expect(report.outcome.status).toBe('failed')
      expect(report.trace).toBe(trace)
    }
  })

  it('is stored as a failure even without a trace', async () => {
    const { answer } = overBrokenRuns(broken)
    expect(await answer(makeQuestion())).toMatchObject({ outcome: { status: 'failed' }, trace: null })
  })

  it('has no outcome if it was stopped', async () => {
    const { answer, kept } = overBrokenRuns(async () => null)
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(answer(makeQuestion(), { signal })).rejects.toThrow('stopped')
    expect(kept).toEqual([])
  })

  it('is dropped if the question was stopped meanwhile', async () => {
    const { answer } = overBrokenRuns(async () => null, { counts: false })
    await expect(answer(makeQuestion())).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('a question that must not be run', () => {
  it.each(['stopping', 'stopped'] as const)('is not run if it is %s', async stands => {
    const { answer, kept } = overBrokenRuns(async () => null, { stands })
    await expect(answer(makeQuestion())).rejects.toMatchObject({ code: 'cancelled' })
    expect(kept).toEqual([])
  })

  it('is left to another worker that has it', async () => {
    const { answer } = overBrokenRuns(async () => null, { stands: 'working' })
    await expect(answer(makeQuestion())).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('is reported again as stored if it has ended', async () => {
    const outcome: Outcome = {
      status: 'refused',
      why: { code: 'written', reason: 'no tents', nextStep: 'ask for boats' },
    }
    const { answer, kept } = overBrokenRuns(async () => null, { stands: 'refused', outcome })
    expect(await answer(makeQuestion())).toMatchObject({ outcome })
    expect(kept).toEqual([])
  })
})
