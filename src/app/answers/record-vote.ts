import type { RecordVote, Vote, VoteCount } from '../../core/vote.ts'

/** Makes the use case. The vote is stored with the run and the candidate it was about: selection learns from it. */
export const makeRecordVote =
  (deps: {
    readonly findAnswer: (
      questionId: string,
    ) => Promise<{ readonly runId: string; readonly candidateId: string } | null>
    readonly upsertVote: (vote: {
      readonly questionId: string
      readonly person: string
      readonly vote: Vote
      readonly runId: string
      readonly candidateId: string
    }) => Promise<void>
    readonly countVotes: (questionId: string) => Promise<VoteCount>
  }): RecordVote =>
  async ({ questionId, person, vote }) => {
    const answer = await deps.findAnswer(questionId)
    if (!answer) return null
    await deps.upsertVote({ questionId, person, vote, runId: answer.runId, candidateId: answer.candidateId })
    return deps.countVotes(questionId)
  }
