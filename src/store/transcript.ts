import {
  type ConversationTurn,
  emptyTranscript,
  type LoadTranscript,
  transcriptLimits,
} from '../domain/conversation.ts'
import type { Repositories } from './repositories/repositories.ts'
import type { StoredQuestion } from './stored/question.ts'

/**
 * Makes our own transcript of a question's thread, from what we stored: answered questions, and what others said. An
 * answer that somebody changed is told as it stands: what follows is said of what people see.
 */
export const makeLoadTranscript = ({
  questions,
  answers,
  answerRevisions,
  questionContexts: briefs,
  comments: remarks,
}: Pick<
  Repositories,
  'questions' | 'answers' | 'answerRevisions' | 'questionContexts' | 'comments'
>): LoadTranscript => {
  const turnOf = async (question: StoredQuestion): Promise<ConversationTurn | null> => {
    const [answer, revision, brief] = await Promise.all([
      answers.find(question.id),
      answerRevisions.last(question.id),
      briefs.find(question.id),
    ])
    if (!answer) return null
    const standing = revision ?? answer
    return {
      questionId: question.id,
      said: question.text,
      text: brief?.understanding.text ?? question.text,
      askedBy: question.askedBy,
      askedAt: question.askedAt,
      sql: standing.sql,
      headline: standing.headline,
      assumptions: standing.assumptions,
      confidence: answer.confidence,
      chain: brief?.understanding.followUp?.chain ?? [],
    }
  }

  return async questionId => {
    const question = await questions.find(questionId)
    if (!question) return emptyTranscript
    const inThread = await questions.listAnsweredBefore(question, transcriptLimits.turns)
    // A direct message follows another one outside of threads, as a question in a shell does.
    const before =
      inThread.length > 0 ? inThread : await questions.listFollowed(question.id, transcriptLimits.turns)
    const turns = await Promise.all(before.map(turnOf))
    const said = question.place
      ? await remarks.list(question.place, question.askedAt, transcriptLimits.remarks)
      : []
    return {
      turns: turns.filter(turn => turn !== null),
      remarks: said.map(remark => ({
        ...remark,
        text: remark.text.slice(0, transcriptLimits.remarkCharacters),
      })),
    }
  }
}
