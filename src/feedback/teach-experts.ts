import type { Log } from '../domain/operations/telemetry.ts'
import type { ExpertRecords, ExpertRound } from '../domain/selection/experts.ts'

/** Teaches the experts of a question by what people did about its answer so far. Never rejects. */
export type TeachExperts = (questionId: string) => Promise<void>

/**
 * Makes the teaching of a live chooser's experts: after every vote, pick or correction, all that people did about the
 * answer is read again, so that a changed mind corrects what was learned. A failure is logged; the next vote on the
 * answer makes up for it.
 */
export const makeTeachExperts =
  <Said>(deps: {
    readonly settleRound: ExpertRecords['settleRound']
    readonly findFeedback: (questionId: string) => Promise<Said>
    readonly wrongExperts: (round: ExpertRound, said: Said) => readonly string[] | null
    readonly log: Log
  }): TeachExperts =>
  async questionId => {
    try {
      await deps.settleRound(questionId, async round =>
        deps.wrongExperts(round, await deps.findFeedback(questionId)),
      )
    } catch (error) {
      deps.log.warn({ error, questionId }, 'could not teach the experts of an answer')
    }
  }
