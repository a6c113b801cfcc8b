import { randomUUID } from 'node:crypto'
import type { Outcome } from '../domain/answer.ts'
import {
  type ConversationTurn,
  changedBy,
  emptyTranscript,
  type LoadTranscript,
  transcriptLimits,
} from '../domain/conversation.ts'
import { coversRef, parseDatabaseRef } from '../domain/database.ts'
import { QuerentError } from '../domain/errors.ts'
import type { InTransaction } from '../domain/operations/jobs.ts'
import type { QuestionLog, QuestionStatus } from '../domain/question.ts'
import type { RunStore } from '../domain/question-context.ts'
import type { Repositories } from './repositories/repositories.ts'
import type { StoredQuestion } from './stored/question.ts'

/** The status each outcome leaves a question in. */
const statusAfter: Readonly<Record<Outcome['status'], QuestionStatus>> = {
  answered: 'answered',
  'needs-clarification': 'waiting',
  refused: 'refused',
  failed: 'failed',
}

/** A clarification can only come before an end: its job may be slower than that of the reply. */
const beforeAskingBack: readonly QuestionStatus[] = ['queued', 'working', 'waiting']

/** An end can replace another one, for instance after picking another interpretation, but never a stop. */
const beforeAnEnd: readonly QuestionStatus[] = [...beforeAskingBack, 'failed', 'answered', 'refused']

/**
 * The question log in the store. Setting a question to `working` opens a run; a report closes it. A run still open when
 * the next one starts belonged to a dead process and is marked `abandoned`.
 */
export const makeQuestionLog = (
  repositories: Repositories,
  inTransaction: InTransaction,
  { traceExpiry }: { readonly traceExpiry: () => Date },
): QuestionLog => {
  const { questions, runs, candidates, answers, clarifications, traces } = repositories
  return {
    begin: (questionId, from, { unlessReplied } = { unlessReplied: false }) =>
      inTransaction(async tx => {
        const move = unlessReplied ? questions.moveUnlessReplied : questions.move
        if (await move(questionId, from, 'working', tx)) {
          await runs.abandon(questionId, tx)
          await runs.begin(randomUUID(), questionId, tx)
          return { begun: true }
        }
        const question = await questions.find(questionId, tx)
        if (!question) throw unknownQuestion(questionId)
        return { begun: false, status: question.status }
      }),

    storeReport: ({ questionId, outcome, candidates: tried, usage, trace }) =>
      inTransaction(async tx => {
        const from = outcome.status === 'needs-clarification' ? beforeAskingBack : beforeAnEnd
        if (!(await questions.move(questionId, from, statusAfter[outcome.status], tx))) {
          if (await questions.find(questionId, tx)) return false
          throw unknownQuestion(questionId)
        }
        let runId = await runs.finish(questionId, outcome, usage, tx)
        if (runId === null) {
          await runs.begin(randomUUID(), questionId, tx)
          runId = await runs.finish(questionId, outcome, usage, tx)
        }
        if (runId === null) throw new QuerentError('internal', `question ${questionId} has no run to finish`)
        await candidates.upsert(questionId, tried, tx)
        if (trace) await traces.upsert(trace, traceExpiry(), tx)
        if (outcome.status === 'answered') await answers.upsert(questionId, runId, outcome, tx)
        if (outcome.status === 'needs-clarification') {
          await clarifications.upsert(questionId, outcome.clarification, tx)
        }
        return true
      }),

    endStop: questionId =>
      inTransaction(async tx => {
        const ended = await questions.move(questionId, ['stopping'], 'stopped', tx)
        const stopped = ended ?? (await questions.move(questionId, ['stopped'], 'stopped', tx))
        if (!stopped) return null
        await runs.abandon(questionId, tx)
        return { by: stopped.stoppedBy, isFirst: ended !== null }
      }),

    lastOutcome: async questionId =>
      (await runs.list(questionId)).findLast(run => run.outcome !== null)?.outcome ?? null,

    load: async questionId => {
      const found = await questions.find(questionId)
      if (!found) return null
      const { status: _, place: __, updatedAt: ___, stoppedBy: ____, ...question } = found
      return question
    },
  }
}

const unknownQuestion = (questionId: string): QuerentError =>
  new QuerentError('internal', `there is no question ${questionId} in the store; insert it first`)

const hasEqualRights = (one: string, other: string): boolean =>
  parseDatabaseRef(one).rights === parseDatabaseRef(other).rights

/** A run store that survives the process, so that another worker can continue after a crash. */
export const makeStoredRunStore = ({
  questionContexts: contexts,
  candidates,
}: Pick<Repositories, 'questionContexts' | 'candidates'>): RunStore => ({
  saveContext: (questionId, context) => contexts.upsert(questionId, context),
  loadContext: async questionId => {
    const context = await contexts.find(questionId)
    if (!context)
      throw new QuerentError('internal', `no question context was saved for question ${questionId}`)
    return context
  },
  saveCandidates: (questionId, saved) => candidates.upsert(questionId, saved),
  loadCandidates: questionId => candidates.list(questionId),
})

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
      ...changedBy(question.text, context?.understanding?.followUp),
    }
  }

  return async questionId => {
    const question = await questions.find(questionId)
    if (!question) return emptyTranscript
    const inThread = await questions.listAnsweredBefore(question, transcriptLimits.turns)
    // Like a question in a shell, a direct message follows another one outside of threads.
    const before =
      inThread.length > 0 ? inThread : await questions.listFollowed(question.id, transcriptLimits.turns)
    // What someone with other rights was answered is not context: its SQL and headline have values of their rows.
    const seen = before.filter(
      ({ database }) => hasEqualRights(question.database, database) || coversRef(question.database, database),
    )
    const turns = await Promise.all(seen.map(turnOf))
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
