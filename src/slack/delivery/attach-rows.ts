import type { WebClient } from '@slack/web-api'
import type { DigestPart } from '../../core/digest.ts'
import type { DigestMessageLog, DigestPost } from '../../core/digest-delivery.ts'
import type { Log } from '../../core/log.ts'
import type { ResultTable } from '../../core/result.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import type { MessageRef } from './change-message.ts'
import { postIdempotently } from './post-claimed.ts'
import { uploadedFileId } from './uploaded-file-id.ts'

const LONGEST_NAME = 300

/** A question of a run that has rows. */
type RanPart = Extract<DigestPart, { readonly status: 'ran' }>

/** Puts the rows of some questions of a run into the thread of its message, each as a file, once. */
export type AttachRows = (post: DigestPost, at: MessageRef, parts: readonly RanPart[]) => Promise<void>

/**
 * Makes it. The run stands without its files: one that cannot be made is said in the thread and in the log, and is no
 * reason to do the run again.
 */
export const makeAttachRows =
  (deps: {
    readonly client: WebClient
    readonly messages: DigestMessageLog
    readonly writeCsv: (table: ResultTable) => Promise<Uint8Array>
    readonly now: () => Date
    readonly log: Log
  }): AttachRows =>
  async ({ digestId, scheduledFor, digest }, { channel, ts }, parts) => {
    const { client, messages, now, log } = deps
    const upload = async ({ question, table }: RanPart): Promise<string> => {
      const number = digest.questions.findIndex(({ id }) => id === question.id) + 1
      const answer: unknown = await client.filesUploadV2({
        channel_id: channel,
        thread_ts: ts,
        filename: `digest-${scheduledFor.toISOString().slice(0, 10)}-${number}.csv`,
        file: Buffer.from(await deps.writeCsv(table)),
        initial_comment: `${escapeAndTruncate(question.text, LONGEST_NAME)}: ${escapeMrkdwn(formatRowCount(table))}`,
      })
      return uploadedFileId(answer)
    }
    const tellOf = async ({ question }: RanPart): Promise<void> => {
      const text = `${escapeAndTruncate(question.text, LONGEST_NAME)}: the file with all rows could not be made. Run now tries again.`
      await client.chat.postMessage({ channel, thread_ts: ts, text })
    }
    for (const part of parts) {
      const key = { digestId, scheduledFor, step: `rows-${part.question.id}` } as const
      try {
        await postIdempotently(
          log,
          {
            claim: () => messages.claim({ ...key, channel, claimedAt: now() }),
            findTs: async () => (await messages.find(key))?.ts ?? null,
            store: id => messages.markPosted(key, { ts: id, at: now() }),
          },
          { about: { ...key }, post: () => upload(part) },
        )
      } catch (error) {
        log.warn({ error, digestId }, 'the rows of a digest could not be put into its thread')
        await tellOf(part).catch(() => {})
      }
    }
  }

const formatRowCount = ({ rows, truncated }: ResultTable): string => {
  const count = `${rows.length.toLocaleString('en-US')} ${rows.length === 1 ? 'row' : 'rows'}`
  return truncated === null ? `${count}, all there are.` : `the first ${count}, as many as one run reads.`
}
