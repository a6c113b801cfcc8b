import { z } from 'zod'
import type { JobData, QueueName } from '../core/job.ts'
import { placeKey } from '../core/place.ts'

/** One queue: what a job of it carries, and when a job that broke or was lost is tried again. Times are seconds. */
export interface Queue<Q extends QueueName> {
  readonly data: z.ZodType<JobData[Q]>
  /** Of jobs with one key, at most one waits or runs. */
  readonly keyOf: (data: JobData[Q]) => string
  readonly retryLimit: number
  readonly retryDelay: number
  /** A worker that has not been heard of for this long is dead, and its job is tried again. */
  readonly heartbeatSeconds: number
  /** A handler that takes longer is stopped, and the job tried again. */
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
 * A run of the graph goes on from its last checkpoint, so trying again costs what was left of it. Many times, because
 * each hand-back of a deploy counts as one, and because Slack may be away for a quarter of an hour.
 */
const graphRun = { retryLimit: 20, retryDelay: 2, heartbeatSeconds: 20, expireInSeconds: 15 * 60 }

const place = z.strictObject({
  team: z.string(),
  channel: z.string(),
  thread: z.string(),
  message: z.string(),
})

/** Every queue there is. */
export const queues: { readonly [Q in QueueName]: Queue<Q> } = {
  question: { data: aQuestion, keyOf: ({ questionId }) => questionId, ...graphRun },
  resume: {
    data: z.strictObject({ questionId: z.uuid(), reply }),
    keyOf: ({ questionId }) => questionId,
    ...graphRun,
  },
  // Slack may be away for a quarter of an hour.
  'remove-answer': {
    data: aQuestion,
    keyOf: ({ questionId }) => questionId,
    retryLimit: 20,
    retryDelay: 5,
    heartbeatSeconds: 20,
    expireInSeconds: 60,
  },
  'expire-clarification': {
    data: aQuestion,
    keyOf: ({ questionId }) => questionId,
    retryLimit: 5,
    retryDelay: 5,
    heartbeatSeconds: 20,
    expireInSeconds: 60,
  },
  human: {
    data: z.strictObject({ questionId: z.uuid(), step: z.enum(['asked', 'decided']) }),
    keyOf: ({ questionId, step }) => `${questionId} ${step}`,
    retryLimit: 20,
    retryDelay: 2,
    heartbeatSeconds: 20,
    expireInSeconds: 120,
  },
  'recheck-verified': {
    data: z.strictObject({ queryId: z.uuid() }),
    keyOf: ({ queryId }) => queryId,
    // What is left undone is found by the next look.
    retryLimit: 2,
    retryDelay: 5,
    heartbeatSeconds: 20,
    expireInSeconds: 15 * 60,
  },
  'ask-verified-owner': {
    data: z.strictObject({ queryId: z.uuid(), since: z.iso.datetime() }),
    keyOf: ({ queryId, since }) => `${queryId}:${since}`,
    // Slack may be away for a quarter of an hour.
    retryLimit: 20,
    retryDelay: 5,
    heartbeatSeconds: 20,
    expireInSeconds: 60,
  },
  // Missed tonight, it is made up for tomorrow: nobody waits for it.
  'train-selector': {
    data: z.strictObject({ due: z.iso.datetime() }),
    keyOf: ({ due }) => due,
    retryLimit: 2,
    retryDelay: 60,
    heartbeatSeconds: 60,
    expireInSeconds: 15 * 60,
  },
  // The key of the message sees to it that it is heard once, however many jobs there are for it.
  'hear-again': {
    data: z.strictObject({
      text: z.string(),
      place,
      askedBy: z.string(),
      askedAt: z.iso.datetime(),
      due: z.iso.datetime(),
    }),
    keyOf: ({ place, due }) => `${placeKey(place)} ${due}`,
    retryLimit: 5,
    retryDelay: 2,
    heartbeatSeconds: 20,
    expireInSeconds: 60,
  },
  stop: {
    data: aQuestion,
    keyOf: ({ questionId }) => questionId,
    retryLimit: 20,
    retryDelay: 2,
    heartbeatSeconds: 20,
    expireInSeconds: 60,
  },
}

export const queueNames = Object.keys(queues) as QueueName[]
