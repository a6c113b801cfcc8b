import type { Outcome } from '../../core/answer.ts'
import type { Question } from '../../core/question.ts'
import type { ConversationTurn, LoadTranscript } from '../../core/thread.ts'
import { transcriptLimits } from '../../core/thread.ts'
import type { RunStore } from '../../core/workbench.ts'

/** Makes the transcript of questions that name the one they follow (`ask --after`), oldest first. */
export const makeMemoryTranscripts = ({
  questions,
  workbench,
}: {
  readonly questions: {
    load(questionId: string): Promise<Question | null>
    outcomeOf(questionId: string): Outcome | null
  }
  readonly workbench: Pick<RunStore, 'loadContext'>
}): LoadTranscript => {
  const turnOf = async (question: Question): Promise<ConversationTurn | null> => {
    const outcome = questions.outcomeOf(question.id)
    if (outcome?.status !== 'answered') return null
    const { understanding } = await workbench.loadContext(question.id)
    const { sql, headline, assumptions, confidence } = outcome
    return {
      questionId: question.id,
      said: question.text,
      text: understanding.text,
      askedBy: question.askedBy,
      askedAt: question.askedAt,
      sql,
      headline,
      assumptions,
      confidence,
      chain: understanding.followUp?.chain ?? [],
    }
  }

  return async questionId => {
    const turns: ConversationTurn[] = []
    let at = (await questions.load(questionId))?.follows
    for (let steps = 0; at && steps < transcriptLimits.turns; steps += 1) {
      const question = await questions.load(at)
      const turn = question && (await turnOf(question))
      if (turn) turns.unshift(turn)
      at = question?.follows
    }
    return { turns, remarks: [] }
  }
}
