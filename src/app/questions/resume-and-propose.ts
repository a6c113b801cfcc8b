import type { Log } from '../../core/log.ts'
import type { ProposeRule } from '../learning/propose-rule.ts'
import type { ResumeQuestion } from './resume-question.ts'

/** Makes resuming that also keeps what the reply said. That it could not be kept is logged, and costs no answer. */
export const makeResumeAndPropose =
  (deps: {
    readonly resume: ResumeQuestion
    readonly propose: ProposeRule
    readonly log: Log
  }): ResumeQuestion =>
  async (questionId, reply, options) => {
    const report = await deps.resume(questionId, reply, options)
    await deps.propose(report, reply).catch((error: unknown) => {
      deps.log.warn({ error, questionId }, 'what a reply said could not be kept as a proposed rule')
    })
    return report
  }
