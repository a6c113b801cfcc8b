import { describe, expect, it } from 'vitest'
import { makeAnswerQuestion } from '../../src/app/answer-question.ts'
import { makeResumeQuestion } from '../../src/app/resume-question.ts'
import type { AnswerReport } from '../../src/core/answer.ts'
import type { AnswerRuns } from '../../src/core/answer-runs.ts'
import { silentLog } from '../../src/core/log.ts'
import type { QuestionLog } from '../../src/core/question-log.ts'
import { makeTrace } from '../helpers/make-trace.ts'
import { makeQuestion } from '../store/make-question.ts'

const broken = async (): Promise<never> => {
  throw new Error('broken')
}

/** Both use cases over runs that break; `trace` is what of the run can still be told. */
const overBrokenRuns = (trace: AnswerRuns['trace']) => {
  const kept: AnswerReport[] = []
  const questions: QuestionLog = {
    setStatus: async () => {},
    keepReport: async report => void kept.push(report),
    load: async () => null,
  }
  const deps = { runs: { start: broken, resume: broken, trace }, questions, log: silentLog }
  return { kept, answer: makeAnswerQuestion(deps), resume: makeResumeQuestion(deps) }
}

describe('a run that breaks', () => {
  it('is kept as a failure with the trace of how far it came', async () => {
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

  it('is a failure all the same when nothing of it can be told', async () => {
    const { answer } = overBrokenRuns(broken)
    expect(await answer(makeQuestion())).toMatchObject({ outcome: { status: 'failed' }, trace: null })
  })

  it('is no outcome when somebody stopped it', async () => {
    const { answer, kept } = overBrokenRuns(async () => null)
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(answer(makeQuestion(), { signal })).rejects.toThrow('stopped')
    expect(kept).toEqual([])
  })
})
