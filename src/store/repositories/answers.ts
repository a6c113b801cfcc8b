import { z } from 'zod'
import type { AnswerDisplay, Outcome } from '../../domain/answer.ts'
import type { AnswerRevision } from '../../domain/answer-revision.ts'
import type { Tx } from '../../domain/operations/jobs.ts'
import { cleanText, toJsonb } from '../stored/json.ts'
import { StoredAlternative } from '../stored/outcome.ts'
import type { Within } from '../transactions.ts'

const ANSWERS = 'querent.answers'

/** The outcome of an answered question. */
type Answered = Extract<Outcome, { status: 'answered' }>

/** The answer of a question. `resultId` may name an expired result. */
interface StoredAnswer extends Omit<Answered, 'status' | 'cached'> {
  readonly questionId: string
  readonly runId: string
  readonly answeredAt: Date
  /** Earlier than `answeredAt` if another question's answer was reused. */
  readonly readAt: Date
}

const AnswerRow = z.object({
  question_id: z.string(),
  run_id: z.string(),
  candidate_id: z.string(),
  result_id: z.string(),
  sql: z.string(),
  confidence: z.number(),
  headline: z.string(),
  assumptions: z.array(z.string()),
  alternatives: z.array(StoredAlternative),
  answered_at: z.date(),
  cached_from: z.string().nullable(),
  read_at: z.date().nullable(),
})

const toAnswer = (raw: unknown): StoredAnswer => {
  const row = AnswerRow.parse(raw)
  return {
    questionId: row.question_id,
    runId: row.run_id,
    candidateId: row.candidate_id,
    resultId: row.result_id,
    sql: row.sql,
    confidence: row.confidence,
    headline: row.headline,
    assumptions: row.assumptions,
    ...(row.alternatives.length > 0 ? { alternatives: row.alternatives } : {}),
    answeredAt: row.answered_at,
    readAt: row.read_at ?? row.answered_at,
  }
}

/** Queries on answers. */
export const makeAnswers = (within: Within) => ({
  /** Stores the answer of a question; a later run replaces it. */
  upsert: async (questionId: string, runId: string, answer: Answered, tx?: Tx): Promise<void> => {
    await within(tx)(ANSWERS)
      .insert({
        question_id: questionId,
        run_id: runId,
        candidate_id: answer.candidateId,
        result_id: answer.resultId,
        sql: cleanText(answer.sql),
        confidence: answer.confidence,
        headline: cleanText(answer.headline),
        assumptions: toJsonb(answer.assumptions),
        alternatives: toJsonb(answer.alternatives ?? []),
        answered_at: within(tx).fn.now(),
        // Its question may have been deleted meanwhile.
        cached_from: within(tx).raw('(select id from querent.questions where id = ?)', [
          answer.cached?.from ?? null,
        ]),
        read_at: answer.cached?.readAt ?? null,
      })
      .onConflict('question_id')
      .merge()
  },

  find: async (questionId: string, tx?: Tx): Promise<StoredAnswer | null> => {
    const row: unknown = await within(tx)(ANSWERS).where({ question_id: questionId }).first()
    return row === undefined ? null : toAnswer(row)
  },
})

const REVISIONS = 'querent.answer_revisions'

const RevisionRow = z.object({
  question_id: z.string(),
  kind: z.enum(['edited', 'picked', 'fixed']),
  person: z.string(),
  candidate_id: z.string().nullable(),
  sql: z.string(),
  result_id: z.string(),
  headline: z.string(),
  assumptions: z.array(z.string()),
  made_at: z.date(),
})

/** Queries on changed answers. */
export const makeAnswerRevisions = (within: Within) => ({
  /** Stores a change. False if its submission changed the answer before. */
  insert: async (revision: AnswerRevision, request: string, tx?: Tx): Promise<boolean> => {
    const inserted = await within(tx)(REVISIONS)
      .insert({
        question_id: revision.questionId,
        request: cleanText(request),
        kind: revision.kind,
        person: revision.person,
        candidate_id: revision.candidateId,
        sql: cleanText(revision.sql),
        result_id: revision.resultId,
        headline: cleanText(revision.headline),
        assumptions: toJsonb(revision.assumptions),
        made_at: revision.madeAt,
      })
      .onConflict(['question_id', 'request'])
      .ignore()
      .returning('id')
    return inserted.length === 1
  },

  /** The changes of an answer, oldest first; the last one is current. */
  list: async (questionId: string, tx?: Tx): Promise<readonly AnswerRevision[]> => {
    const rows: unknown[] = await within(tx)(REVISIONS).where({ question_id: questionId }).orderBy('id')
    return rows.map(toRevision)
  },

  /** The change of a submission; null if it changed nothing. */
  findByRequest: async (questionId: string, request: string, tx?: Tx): Promise<AnswerRevision | null> => {
    const row: unknown = await within(tx)(REVISIONS)
      .where({ question_id: questionId, request: cleanText(request) })
      .first()
    return row === undefined ? null : toRevision(row)
  },

  /** The current change; null if the answer was never changed. */
  last: async (questionId: string, tx?: Tx): Promise<AnswerRevision | null> => {
    const row: unknown = await within(tx)(REVISIONS)
      .where({ question_id: questionId })
      .orderBy('id', 'desc')
      .first()
    return row === undefined ? null : toRevision(row)
  },
})

const toRevision = (raw: unknown): AnswerRevision => {
  const row = RevisionRow.parse(raw)
  return {
    questionId: row.question_id,
    kind: row.kind,
    person: row.person,
    candidateId: row.candidate_id,
    sql: row.sql,
    resultId: row.result_id,
    headline: row.headline,
    assumptions: row.assumptions,
    madeAt: row.made_at,
  }
}

const VIEWS = 'querent.answer_looks'

const CHARTS = 'querent.result_charts'

const ViewRow = z.object({ look: z.enum(['table', 'chart']) })

const ChartRow = z.object({ file_id: z.string(), alt_text: z.string() })

/** A chart of a result that Slack already has. */
interface StoredChart {
  readonly fileId: string
  readonly altText: string
}

/** Queries on how answers are displayed. */
export const makeAnswerViews = (within: Within) => ({
  /** Stores how an answer is displayed from now on. */
  choose: async (questionId: string, look: AnswerDisplay, tx?: Tx): Promise<void> => {
    await within(tx)(VIEWS).insert({ question_id: questionId, look }).onConflict('question_id').merge()
  },

  /** Null if nobody has chosen. */
  find: async (questionId: string, tx?: Tx): Promise<AnswerDisplay | null> => {
    const row: unknown = await within(tx)(VIEWS).where({ question_id: questionId }).first('look')
    return row === undefined ? null : ViewRow.parse(row).look
  },

  /** Stores the file that shows a result. */
  storeChart: async (questionId: string, resultId: string, chart: StoredChart, tx?: Tx): Promise<void> => {
    await within(tx)(CHARTS)
      .insert({
        result_id: resultId,
        question_id: questionId,
        file_id: chart.fileId,
        alt_text: chart.altText,
      })
      .onConflict('result_id')
      .merge()
  },

  findChart: async (resultId: string, tx?: Tx): Promise<StoredChart | null> => {
    const found: unknown = await within(tx)(CHARTS).where({ result_id: resultId }).first()
    if (found === undefined) return null
    const row = ChartRow.parse(found)
    return { fileId: row.file_id, altText: row.alt_text }
  },
})
