import type { InboundMessage } from '../../core/heard-message.ts'
import type { JobData } from '../../core/job.ts'

/** The message of a job that hears it again. Only what names nobody, in a thread, is ever held. */
export const deferredMessage = ({
  text,
  place,
  askedBy,
  askedAt,
}: JobData['hear-again']): InboundMessage => ({
  text,
  place,
  askedBy,
  askedAt: new Date(askedAt),
  addressed: false,
  toOthers: false,
})
