import { createHash } from 'node:crypto'
import { z } from 'zod'
import { feedbackReasons } from '../domain/feedback.ts'
import { slackLocationKey } from '../domain/message.ts'
import type { JobData, QueueName } from '../domain/operations/jobs.ts'

/** Priority of a queue by who waits for it. People in a thread go first, then scheduled work, then maintenance. */
export type JobPriority = 'people' | 'schedule' | 'maintenance'

/** One queue: the data of its jobs, and when a failed or lost job is tried again. Times are in seconds. */
interface Queue<Q extends QueueName> {
  readonly data: z.ZodType<JobData[Q]>
  /** At most one job per key waits or runs. */
  readonly keyOf: (data: JobData[Q]) => string
  /** Who waits for its jobs; this decides which go first. */
  readonly rank: JobPriority
  readonly retryLimit: number
  readonly retryDelay: number
  /** A worker without a heartbeat for this long is dead, and its job is tried again. */
  readonly heartbeatSeconds: number
  /** A handler that takes longer is stopped, and the job is tried again. */
  readonly expireInSeconds: number
}

const aQuestion = z.strictObject({ questionId: z.uuid() })

const reply = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('option'),
    number: z.number().int().positive(),
    expired: z.literal(true).exactOptional(),
  }),
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
])

/**
 * A graph run continues from its last checkpoint, so another attempt only repeats the rest. Many attempts, because each
 * deploy that hands jobs back counts as one, and because Slack may be down for a quarter of an hour.
 */
const graphRun = {
  rank: 'people',
  retryLimit: 20,
  // A question whose worker died should be answered within 30 s: the heartbeat is as short as pg-boss allows, and a
  // second death must not cause a long wait.
  retryDelay: 1,
  heartbeatSeconds: 10,
  expireInSeconds: 15 * 60,
} as const

const place = z.strictObject({
  team: z.string(),
  channel: z.string(),
  thread: z.string(),
  message: z.string(),
})

/** All queues. */
export const queues: { readonly [Q in QueueName]: Queue<Q> } = {
  question: { data: aQuestion, keyOf: ({ questionId }) => questionId, ...graphRun },
  resume: {
    data: z.strictObject({ questionId: z.uuid(), reply }),
    keyOf: ({ questionId }) => questionId,
    ...graphRun,
  },
  // Slack may be down for a quarter of an hour.
  'remove-answer': {
    data: aQuestion,
    keyOf: ({ questionId }) => questionId,
    rank: 'people',
    retryLimit: 20,
    retryDelay: 5,
    heartbeatSeconds: 20,
    expireInSeconds: 60,
  },
  // Slack may be down for a quarter of an hour.
  'recheck-channel': {
    data: z.strictObject({ team: z.string(), channel: z.string(), joinedAt: z.string() }),
    keyOf: ({ team, channel, joinedAt }) => `${team} ${channel} ${joinedAt}`,
    rank: 'people',
    retryLimit: 20,
    retryDelay: 5,
    heartbeatSeconds: 20,
    expireInSeconds: 15 * 60,
  },
  'expire-clarification': {
    data: aQuestion,
    keyOf: ({ questionId }) => questionId,
    rank: 'people',
    retryLimit: 5,
    retryDelay: 5,
    heartbeatSeconds: 20,
    expireInSeconds: 60,
  },
  human: {
    data: z.strictObject({ questionId: z.uuid(), step: z.enum(['asked', 'decided']) }),
    keyOf: ({ questionId, step }) => `${questionId} ${step}`,
    rank: 'people',
    retryLimit: 20,
    retryDelay: 2,
    heartbeatSeconds: 20,
    expireInSeconds: 120,
  },
  'recheck-verified': {
    data: z.strictObject({ queryId: z.uuid() }),
    keyOf: ({ queryId }) => queryId,
    rank: 'maintenance',
    // The next check finds what is left.
    retryLimit: 2,
    retryDelay: 5,
    heartbeatSeconds: 20,
    expireInSeconds: 15 * 60,
  },
  'ask-verified-owner': {
    data: z.strictObject({ queryId: z.uuid(), since: z.iso.datetime() }),
    keyOf: ({ queryId, since }) => `${queryId}:${since}`,
    rank: 'maintenance',
    // Slack may be down for a quarter of an hour.
    retryLimit: 20,
    retryDelay: 5,
    heartbeatSeconds: 20,
    expireInSeconds: 60,
  },
  // If it is missed tonight, it runs tomorrow: nobody waits for it.
  'train-selector': {
    data: z.strictObject({ due: z.iso.datetime() }),
    keyOf: ({ due }) => due,
    rank: 'maintenance',
    retryLimit: 2,
    retryDelay: 60,
    heartbeatSeconds: 60,
    expireInSeconds: 15 * 60,
  },
  // Slack or a database may be down for a quarter of an hour.
  digest: {
    data: z.strictObject({ digestId: z.uuid(), scheduledFor: z.iso.datetime() }),
    keyOf: ({ digestId, scheduledFor }) => `${digestId} ${scheduledFor}`,
    rank: 'schedule',
    retryLimit: 20,
    retryDelay: 5,
    heartbeatSeconds: 20,
    expireInSeconds: 15 * 60,
  },
  // Slack or a database may be down for a quarter of an hour.
  'digest-wish': {
    data: aQuestion,
    keyOf: ({ questionId }) => questionId,
    rank: 'people',
    retryLimit: 20,
    retryDelay: 5,
    heartbeatSeconds: 20,
    expireInSeconds: 120,
  },
  // The key of the message ensures that it is received once, however many jobs it has.
  'hear-again': {
    data: z.strictObject({
      text: z.string(),
      place,
      askedBy: z.string(),
      askedAt: z.iso.datetime(),
      due: z.iso.datetime(),
    }),
    keyOf: ({ place, due }) => `${slackLocationKey(place)} ${due}`,
    rank: 'people',
    retryLimit: 5,
    retryDelay: 2,
    heartbeatSeconds: 20,
    expireInSeconds: 60,
  },
  export: {
    data: z.strictObject({
      questionId: z.uuid(),
      person: z.string(),
      channel: z.string(),
      thread: z.string(),
    }),
    // A double click creates one file.
    keyOf: ({ questionId, person }) => `${questionId} ${person}`,
    rank: 'people',
    retryLimit: 5,
    retryDelay: 2,
    heartbeatSeconds: 20,
    expireInSeconds: 15 * 60,
  },
  revise: {
    data: z.strictObject({
      questionId: z.uuid(),
      person: z.string(),
      by: z.enum(['edit', 'fix', 'feedback', 'reading']),
      submission: z.string(),
      change: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('sql'), sql: z.string(), evenIfHeavy: z.boolean() }),
        z.strictObject({ kind: z.literal('pick'), candidateId: z.string() }),
      ]),
      reason: z.strictObject({ reason: z.enum(feedbackReasons), note: z.string().nullable() }).nullable(),
      tells: z.boolean(),
    }),
    // A form that came back keeps its id, although its next submission is a different one.
    keyOf: ({ questionId, by, submission, change }) =>
      `${questionId} ${by} ${submission} ${createHash('sha256').update(JSON.stringify(change)).digest('hex')}`,
    rank: 'people',
    retryLimit: 5,
    retryDelay: 1,
    heartbeatSeconds: 10,
    expireInSeconds: 15 * 60,
  },
  'ask-for-person': {
    data: z.strictObject({
      key: z.string(),
      person: z.string(),
      team: z.string(),
      channel: z.string().nullable(),
      text: z.string(),
      digest: z
        .strictObject({
          schedule: z.string(),
          timeZone: z.string().nullable(),
          condition: z
            .discriminatedUnion('kind', [
              z.strictObject({ kind: z.enum(['always', 'changed']) }),
              z.strictObject({ kind: z.enum(['above', 'below']), value: z.number() }),
              z.strictObject({ kind: z.literal('moved'), percent: z.number() }),
            ])
            .optional(),
          target: z.discriminatedUnion('kind', [
            z.strictObject({ kind: z.literal('channel'), channel: z.string() }),
            z.strictObject({ kind: z.literal('person'), person: z.string() }),
          ]),
        })
        .exactOptional(),
    }),
    keyOf: ({ key }) => key,
    rank: 'people',
    retryLimit: 10,
    retryDelay: 2,
    heartbeatSeconds: 10,
    expireInSeconds: 60,
  },
  index: {
    data: z.strictObject({
      database: z.string(),
      by: z.strictObject({ person: z.string(), team: z.string() }).nullable(),
    }),
    keyOf: ({ database }) => database,
    rank: 'maintenance',
    // An unavailable database comes back; what still fails then is for an admin.
    retryLimit: 5,
    retryDelay: 30,
    heartbeatSeconds: 30,
    expireInSeconds: 2 * 60 * 60,
  },
  stop: {
    data: aQuestion,
    keyOf: ({ questionId }) => questionId,
    rank: 'people',
    retryLimit: 20,
    retryDelay: 2,
    heartbeatSeconds: 20,
    expireInSeconds: 60,
  },
}

export const queueNames = Object.keys(queues) as QueueName[]
