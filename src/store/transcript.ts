import {
  type ConversationTurn,
  emptyTranscript,
  type LoadTranscript,
  transcriptLimits,
} from '../domain/conversation.ts'
import type { Repositories } from './repositories/repositories.ts'
import type { StoredQuestion } from './stored/question.ts'

/**
 * Builds the bot's own transcript of a thread from the store: answered questions and other people's comments. A changed
 * answer is included as it is now: follow-ups are about what people see.
 */
export const makeLoadTranscript = ({
  questions,
  answers,
  answerRevisions,
  questionContexts: contexts,
  comments: remarks,
}: Pick<
  Repositories,
  'questions' | 'answers' | 'answerRevisions' | 'questionContexts' | 'comments'
>): LoadTranscript => {
  const turnOf = async (question: StoredQuestion): Promise<ConversationTurn | null> => {
    const [answer, revision, context] = await Promise.all([
      answers.find(question.id),
      answerRevisions.last(question.id),
      contexts.find(question.id),
    ])
    if (!answer) return null
    const current = revision ?? answer
    return {
      questionId: question.id,
      originalText: question.text,
      text: context?.understanding.text ?? question.text,
      askedBy: question.askedBy,
      askedAt: question.askedAt,
      sql: current.sql,
      headline: current.headline,
      assumptions: current.assumptions,
      confidence: answer.confidence,
      chain: context?.understanding.followUp?.chain ?? [],
    }
  }

  return async questionId => {
    const question = await questions.find(questionId)
    if (!question) return emptyTranscript
    const inThread = await questions.listAnsweredBefore(question, transcriptLimits.turns)
    // Like a question in a shell, a direct message follows another one outside of threads.
    const before =
      inThread.length > 0 ? inThread : await questions.listFollowed(question.id, transcriptLimits.turns)
    const turns = await Promise.all(before.map(turnOf))
    const originalText = question.place
      ? await remarks.list(question.place, question.askedAt, transcriptLimits.remarks)
      : []
    return {
      turns: turns.filter(turn => turn !== null),
      comments: originalText.map(comment => ({
        ...comment,
        text: comment.text.slice(0, transcriptLimits.remarkCharacters),
      })),
    }
  }
}
