import type { WebClient } from '@slack/web-api'
import type {
  DigestDelivery,
  DigestMessageKey,
  DigestMessageLog,
  DigestPart,
  DigestPost,
  DigestTarget,
} from '../../domain/digests/digest.ts'
import type { NotifyDigestRequest } from '../../domain/digests/use-cases.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { DrawChart, FindChartShape, ResultTable } from '../../domain/result.ts'
import type { SlackMessage } from '../block-kit/blocks.ts'
import { escapeAndTruncate, isSlackPerson } from '../block-kit/text.ts'
import { rowsFileComment, rowsFileFailed } from '../copy/digest.ts'
import { unreachableReason } from '../copy/digest-forms.ts'
import type { ChartImage } from '../views/answer.ts'
import { type DigestCharts, digestMessage, truncatedParts } from '../views/digests/message.ts'
import { digestNotice, requestedDigestView, withheldDigestView } from '../views/digests/notice.ts'
import { chooseDisplay } from './answer-message.ts'
import { slackErrorCode, unreachableChannelCode, unreachablePersonCode } from './client.ts'
import { deleteFile, updateWhenFilesReady, uploadChart, uploadedFileId } from './files.ts'
import {
  findByMetadata,
  type MessageRef,
  type PostStepMessage,
  postIdempotently,
  postMessage,
  type UpdateMessage,
} from './post-message.ts'
import type { RefusedBlocks } from './refused-blocks.ts'

/** Under which event type the key of a run travels in the metadata of a message. */
const DIGEST_METADATA_TYPE = 'querent_digest'

/**
 * Posts runs and notices of digests to Slack. A run is posted with its tables first; its charts replace them once Slack
 * has processed them, so that a chart that cannot be shown never delays a run or posts it twice.
 */
export const makeDigestDelivery = (deps: {
  readonly client: WebClient
  /** Retries nothing by itself: that would post a second message if only the response to the first was lost. */
  readonly poster: WebClient
  readonly refused: RefusedBlocks
  readonly messages: DigestMessageLog
  readonly update: UpdateMessage
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

  const postStep = (
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
        find: () => findByMetadata(client, channel, metadata),
        post: () =>
          postMessage(deps.poster, { channel, metadata }, message, log, { onPlainer, refused: deps.refused }),
      },
    )
  }

  /** False if the message was deleted since: it counts as posted all the same. */
  const updateIfPresent = async (at: MessageRef, message: SlackMessage): Promise<boolean> => {
    try {
      await deps.update(at, message)
      return true
    } catch (error) {
      if (slackErrorCode(error) !== 'message_not_found') throw error
      return false
    }
  }

  const drawCharts = async ({ parts }: DigestPost): Promise<DigestCharts> => {
    const charts = new Map<string, ChartImage>()
    for (const part of parts) {
      if (part.status !== 'ran') continue
      if (chooseDisplay({ display: null }, deps.findShape(part.table)) !== 'chart') continue
      const chart = await deps.drawChart(part.table)
      if (chart)
        charts.set(part.question.id, { fileId: await uploadChart(client, chart), altText: chart.altText })
    }
    return charts
  }

  /** Resolves with the charts that are shown. A chart that is not shown is no failure: its table stays. */
  const showCharts = async (post: DigestPost, at: MessageRef): Promise<DigestCharts> => {
    try {
      const charts = await drawCharts(post)
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
        // The target may have changed since: what was posted stays where it is.
        const channel = before?.channel ?? (await channelOf(digest.target))
        let isPlainer = false
        const ts = await postStep(key, channel, message, () => {
          isPlainer = true
        })
        if (before?.ts && !(await updateIfPresent({ channel, ts }, message)))
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

    withhold: async ({ digestId, scheduledFor }) => {
      for (const { step, channel, ts } of await messages.list({ digestId, scheduledFor })) {
        if (step === 'post') await updateIfPresent({ channel, ts }, withheldDigestView())
        else if (step.startsWith('rows-')) await deleteFile(client, ts)
      }
    },

    notifyOwner: async notice => {
      const { digestId, scheduledFor, digest } = notice
      if (!isSlackPerson(digest.owner)) return
      const key: DigestMessageKey = { digestId, scheduledFor, step: `notice-${notice.notice.kind}` }
      try {
        const channel = await channelOf({ kind: 'person', person: digest.owner })
        await postStep(key, channel, digestNotice(notice))
      } catch (error) {
        if (unreachablePersonCode(error) === null) throw error
        log.warn({ error, digestId }, 'the owner of a digest cannot be reached; App Home shows its state')
      }
    },
  }
}

const metadataKeyOf = ({ digestId, scheduledFor, step }: DigestMessageKey): string =>
  `${digestId}:${scheduledFor.getTime()}:${step}`

const LONGEST_NAME = 300

/** A question of a run that has rows. */
type RanPart = Extract<DigestPart, { readonly status: 'ran' }>

/** Uploads the rows of some questions of a run to the thread of its message, each as a file, once. */
type AttachRows = (post: DigestPost, at: MessageRef, parts: readonly RanPart[]) => Promise<void>

/**
 * A run is valid without its files: one that cannot be made is mentioned in the thread and in the log, and the run is not
 * repeated.
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
        initial_comment: rowsFileComment(escapeAndTruncate(question.text, LONGEST_NAME), table.rows.length, {
          isCut: table.truncated !== null,
        }),
      })
      return uploadedFileId(answer)
    }
    const notifyFailure = async ({ question }: RanPart): Promise<void> => {
      const text = rowsFileFailed(escapeAndTruncate(question.text, LONGEST_NAME))
      await client.chat.postMessage({ channel, thread_ts: ts, text })
    }
    for (const part of parts.filter(({ noFile }) => !noFile)) {
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
        await notifyFailure(part).catch(() => {})
      }
    }
  }

/** Posts what became of a requested digest, as one message in the thread of its question. */
export const makeNotifyRequestedDigest =
  ({ postStep }: { readonly postStep: PostStepMessage }): NotifyDigestRequest =>
  async ({ question, location: place }, outcome) => {
    const { channel, thread } = place
    const step = { questionId: question.id, step: 'digest', channel, thread }
    await postStep(step, requestedDigestView(outcome))
  }
