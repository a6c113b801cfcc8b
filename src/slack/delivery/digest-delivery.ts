import type { WebClient } from '@slack/web-api'
import type {
  DigestDelivery,
  DigestMessageKey,
  DigestMessageLog,
  DigestPart,
  DigestPost,
  DigestTarget,
} from '../../domain/digest.ts'
import type { NotifyDigestRequest } from '../../domain/digest-use-cases.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { DrawChart, FindChartShape, ResultTable } from '../../domain/result.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import { escapeAndTruncate, escapeMrkdwn, isSlackPerson } from '../block-kit/text.ts'
import { type DigestCharts, digestMessage, truncatedParts } from '../views/digests/message.ts'
import { digestNotice } from '../views/digests/notice.ts'
import type { PartChart } from '../views/digests/part.ts'
import { requestedDigestView } from '../views/digests/replies.ts'
import { chooseDisplay } from './answer-message.ts'
import { updateWhenFilesReady, uploadChart, uploadedFileId } from './files.ts'
import { type PostStepMessage, postIdempotently } from './idempotent-post.ts'
import { findByMetadata, type MessageRef, postMessage, type UpdateMessage } from './post-message.ts'
import { slackErrorCode, unreachableChannelCode, unreachablePersonCode } from './slack-errors.ts'

/** Under which event type the key of a run travels in the metadata of a message. */
const DIGEST_METADATA_TYPE = 'querent_digest'

/**
 * Makes the port. A run is posted with its tables first, and its pictures take their places once Slack has processed
 * them: a picture that cannot be shown is no reason to be late, or to post twice.
 */
export const makeDigestDelivery = (deps: {
  readonly client: WebClient
  /** Makes no call again by itself: that would post a second message when only the answer to the first was lost. */
  readonly poster: WebClient
  readonly messages: DigestMessageLog
  readonly change: UpdateMessage
  readonly findShape: FindChartShape
  readonly drawChart: DrawChart
  readonly writeCsv: (table: ResultTable) => Promise<Uint8Array>
  readonly now: () => Date
  readonly log: Log
}): DigestDelivery => {
  const { client, messages, now, log } = deps
  const attachRows = makeAttachRows(deps)

  const channelOf = async (target: DigestTarget): Promise<string> => {
    if (target.kind === 'channel') return target.channel
    const { channel } = await client.conversations.open({ users: target.person })
    if (channel?.id === undefined) throw new Error(`Slack opened no conversation with ${target.person}`)
    return channel.id
  }

  const postOnce = (
    key: DigestMessageKey,
    channel: string,
    message: SlackMessage,
    onPlainer?: () => void,
  ): Promise<string> => {
    const metadata = { type: DIGEST_METADATA_TYPE, key: metadataKeyOf(key) }
    return postIdempotently(
      log,
      {
        claim: () => messages.claim({ ...key, channel, claimedAt: now() }),
        findTs: async () => (await messages.find(key))?.ts ?? null,
        store: ts => messages.markPosted(key, { ts, at: now() }),
      },
      {
        about: { ...key },
        look: () => findByMetadata(client, channel, metadata),
        post: () => postMessage(deps.poster, { channel, metadata }, message, log, onPlainer),
      },
    )
  }

  /** False where somebody deleted it since: it was posted all the same. */
  const showAgain = async (at: MessageRef, message: SlackMessage): Promise<boolean> => {
    try {
      await deps.change(at, message)
      return true
    } catch (error) {
      if (slackErrorCode(error) !== 'message_not_found') throw error
      return false
    }
  }

  const draw = async ({ parts }: DigestPost): Promise<DigestCharts> => {
    const charts = new Map<string, PartChart>()
    for (const part of parts) {
      if (part.status !== 'ran') continue
      if (chooseDisplay({ display: null }, deps.findShape(part.table)) !== 'chart') continue
      const chart = await deps.drawChart(part.table)
      if (chart)
        charts.set(part.question.id, { fileId: await uploadChart(client, chart), altText: chart.altText })
    }
    return charts
  }

  /** Resolves with the pictures that are there. The tables stand: that there is none is nothing to fail for. */
  const showCharts = async (post: DigestPost, at: MessageRef): Promise<DigestCharts> => {
    try {
      const charts = await draw(post)
      if (charts.size === 0) return charts
      const { text, blocks } = digestMessage(post, charts)
      const placed = await updateWhenFilesReady(() =>
        client.chat.update({ ...at, text, blocks: [...blocks] as never }),
      )
      if (placed) return charts
      log.warn({ digestId: post.digestId }, 'Slack does not take the charts of a digest')
    } catch (error) {
      log.warn({ error, digestId: post.digestId }, 'the charts of a digest could not be shown')
    }
    return new Map()
  }

  return {
    post: async given => {
      const { digestId, scheduledFor, digest } = given
      const key: DigestMessageKey = { digestId, scheduledFor, step: 'post' }
      const message = digestMessage(given)
      try {
        const before = await messages.find(key)
        // The place may have been changed since: what was posted stays where it is.
        const channel = before?.channel ?? (await channelOf(digest.target))
        let isPlainer = false
        const ts = await postOnce(key, channel, message, () => {
          isPlainer = true
        })
        if (before?.ts && !(await showAgain({ channel, ts }, message)))
          return { status: 'posted', channel, ts }
        const charts = await showCharts(given, { channel, ts })
        await attachRows(given, { channel, ts }, truncatedParts(given, { charts, isPlainer }))
        return { status: 'posted', channel, ts }
      } catch (error) {
        const code = unreachableChannelCode(error) ?? unreachablePersonCode(error)
        if (code === null) throw error
        return { status: 'unreachable', reason: unreachableReason(code) }
      }
    },

    notifyOwner: async notice => {
      const { digestId, scheduledFor, digest } = notice
      if (!isSlackPerson(digest.owner)) return
      const key: DigestMessageKey = { digestId, scheduledFor, step: `notice-${notice.notice.kind}` }
      try {
        const channel = await channelOf({ kind: 'person', person: digest.owner })
        await postOnce(key, channel, digestNotice(notice))
      } catch (error) {
        if (unreachablePersonCode(error) === null) throw error
        log.warn({ error, digestId }, 'the owner of a digest cannot be told; App Home shows its state')
      }
    },
  }
}

const metadataKeyOf = ({ digestId, scheduledFor, step }: DigestMessageKey): string =>
  `${digestId}:${scheduledFor.getTime()}:${step}`

/** What a code of Slack's means, for the owner. */
const unreachableReason = (code: string): string => {
  switch (code) {
    case 'channel_not_found':
      return 'Its channel is not there any more, or is a private one that I am not in.'
    case 'not_in_channel':
      return 'I am not in its channel.'
    case 'is_archived':
      return 'Its channel is archived.'
    default:
      return `Slack does not let me write to its person (${code}).`
  }
}

const LONGEST_NAME = 300

/** A question of a run that has rows. */
type RanPart = Extract<DigestPart, { readonly status: 'ran' }>

/** Puts the rows of some questions of a run into the thread of its message, each as a file, once. */
type AttachRows = (post: DigestPost, at: MessageRef, parts: readonly RanPart[]) => Promise<void>

/**
 * Makes it. The run stands without its files: one that cannot be made is said in the thread and in the log, and is no
 * reason to do the run again.
 */
const makeAttachRows =
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

/** Makes the port: one message in the thread of the question. */
export const makeNotifyRequestedDigest =
  ({ postStep }: { readonly postStep: PostStepMessage }): NotifyDigestRequest =>
  async ({ question, location: place }, outcome) => {
    const { channel, thread } = place
    const step = { questionId: question.id, step: 'digest', channel, thread }
    await postStep(step, requestedDigestView(outcome))
  }
