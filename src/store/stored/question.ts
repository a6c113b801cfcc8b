import { z } from 'zod'
import type { SlackLocation } from '../../domain/message.ts'
import type { Question, QuestionStatus } from '../../domain/question.ts'
import { literalUnion } from './json.ts'

/** A stored question: as asked, its location and its status. */
export interface StoredQuestion extends Question {
  readonly status: QuestionStatus
  readonly place: SlackLocation | null
  readonly updatedAt: Date
  /** Who stopped it; null if nobody did. */
  readonly stoppedBy: string | null
}

export const StoredStatus = literalUnion<QuestionStatus>({
  queued: true,
  working: true,
  waiting: true,
  stopping: true,
  answered: true,
  refused: true,
  failed: true,
  stopped: true,
})

const StoredPlace: z.ZodType<SlackLocation> = z.looseObject({
  team: z.string(),
  channel: z.string(),
  thread: z.string(),
  message: z.string(),
})

const Row = z.object({
  id: z.string(),
  key: z.string(),
  text: z.string(),
  database: z.string(),
  status: StoredStatus,
  asked_by: z.string().nullable(),
  time_zone: z.string(),
  asked_at: z.date(),
  place: StoredPlace.nullable(),
  updated_at: z.date(),
  stopped_by: z.string().nullable(),
  follows: z.string().nullable(),
  fresh: z.boolean(),
  run_by: z.string().nullable(),
})

/** Parses a row of questions. Throws `ZodError` if it is invalid. */
export const toQuestion = (raw: unknown): StoredQuestion => {
  const row = Row.parse(raw)
  return {
    id: row.id,
    key: row.key,
    text: row.text,
    database: row.database,
    status: row.status,
    askedBy: row.asked_by,
    timeZone: row.time_zone,
    askedAt: row.asked_at,
    place: row.place,
    updatedAt: row.updated_at,
    stoppedBy: row.stopped_by,
    ...(row.follows !== null && { follows: row.follows }),
    ...(row.fresh && { fresh: true }),
    ...(row.run_by !== null && { runBy: row.run_by }),
  }
}
