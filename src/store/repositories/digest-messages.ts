import type { DigestMessageKey, DigestMessageLog } from '../../core/digest-delivery.ts'
import type { Within } from '../transactions.ts'
import { makePostLog } from './post-log.ts'

/** Makes the queries over what was posted of runs of digests. */
export const makeDigestMessages = (within: Within) =>
  makePostLog<DigestMessageKey>(within, {
    table: 'querent.digest_messages',
    keyOf: ({ digestId, scheduledFor, step }) => ({
      digest_id: digestId,
      scheduled_for: scheduledFor,
      step,
    }),
  }) satisfies DigestMessageLog
