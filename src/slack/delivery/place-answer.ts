import type { WebClient } from '@slack/web-api'
import type { Audience } from '../../domain/access/access.ts'
import type { LocatedQuestion, OutboundMessageLog } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { SlackMessage } from '../block-kit/blocks.ts'
import { privateView, withheldView } from '../views/private-answer.ts'
import { deleteFile, fileStep } from './files.ts'
import {
  findByMetadata,
  type MessageRef,
  postIdempotently,
  postMessage,
  type UpdateMessage,
} from './post-message.ts'
import type { RefusedBlocks } from './refused-blocks.ts'

/**
 * Steps in the log of posted messages: the message in the thread, that to the asker alone, that it was shared, and that
 * it was taken out of the thread.
 */
const steps = { thread: 'reply', asker: 'private', shared: 'shared', withheld: 'withheld' } as const

/** Under which event type the id of a question travels in the metadata of a message to its asker. */
const PRIVATE_METADATA_TYPE = 'querent_private'

/** The message that shows the outcome of a question. */
export interface OutcomeMessage extends MessageRef {
  /** Only the asker sees it. */
  readonly isPrivate: boolean
}

/** Finds the message that shows the outcome of a question; null if there is none yet. */
export type FindOutcomeMessage = (questionId: string) => Promise<OutcomeMessage | null>

export const makeFindOutcomeMessage =
  (outbound: Pick<OutboundMessageLog, 'find'>): FindOutcomeMessage =>
  async questionId => {
    const [reply, own, shared] = await Promise.all([
      outbound.find(questionId, steps.thread),
      outbound.find(questionId, steps.asker),
      outbound.find(questionId, steps.shared),
    ])
    if (own?.ts && !shared?.ts) return { channel: own.channel, ts: own.ts, isPrivate: true }
    return reply?.ts ? { channel: reply.channel, ts: reply.ts, isPrivate: false } : null
  }

/** Shows outcomes to those who may see them. */
export interface PlaceOutcome {
  /**
   * Shows an outcome: in its thread if everyone there may see it, else in a direct message to the asker, and a notice in
   * the thread. What went to the asker alone stays there until they share it.
   */
  readonly show: (
    placed: LocatedQuestion,
    message: SlackMessage,
    options: {
      readonly canPost: boolean
      /** The `ts` of the message in the thread, which is posted if there is none yet. */
      readonly inThread: (message: SlackMessage) => Promise<string>
    },
  ) => Promise<void>
  /** Lets a private answer be shown in its thread from now on, if everyone there may see it now. */
  readonly share: (placed: LocatedQuestion) => Promise<Audience>
  /** Takes an answer out of its thread. `message` goes to the asker; null if its rows are no longer stored. */
  readonly withhold: (placed: LocatedQuestion, message: SlackMessage | null) => Promise<void>
}

export const makePlaceOutcome = (deps: {
  readonly client: WebClient
  /** Retries nothing by itself: that would post a second message if only the response to the first was lost. */
  readonly poster: WebClient
  readonly update: UpdateMessage
  readonly outbound: OutboundMessageLog
  /** Of those who are in the channel now. */
  readonly audience: (placed: LocatedQuestion) => Promise<Audience>
  readonly refused: RefusedBlocks
  readonly now: () => Date
  readonly log: Log
}): PlaceOutcome => {
  const { client, outbound, update, refused, now, log } = deps
  const findOutcome = makeFindOutcomeMessage(outbound)

  const showToAsker = async (placed: LocatedQuestion, message: SlackMessage): Promise<void> => {
    const { id: questionId, askedBy } = placed.question
    if (askedBy === null) return
    const { channel } = await client.conversations.open({ users: askedBy })
    if (channel?.id === undefined) throw new Error(`Slack opened no conversation with ${askedBy}`)
    const to = channel.id
    const metadata = { type: PRIVATE_METADATA_TYPE, key: questionId }
    const ts = await postIdempotently(
      log,
      {
        claim: () =>
          outbound.claim({
            ...{ questionId, step: steps.asker, channel: to, claimedAt: now() },
            payload: { text: message.text },
          }),
        findTs: async () => (await outbound.find(questionId, steps.asker))?.ts ?? null,
        store: posted => outbound.markPosted(questionId, steps.asker, posted),
      },
      {
        about: { questionId, step: steps.asker },
        find: () => findByMetadata(client, to, metadata),
        post: () => postMessage(deps.poster, { channel: to, metadata }, message, log, { refused }),
      },
    )
    await update({ channel: to, ts }, message)
  }

  return {
    show: async (placed, message, { canPost, inThread }) => {
      const { channel } = placed.location
      const shown = await findOutcome(placed.question.id)
      const audience: Audience =
        shown?.isPrivate === true ? { kind: 'some', without: null } : await deps.audience(placed)
      const isForAll = audience.kind === 'everyone'
      // The asker has it before the thread says so.
      if (!isForAll) await showToAsker(placed, privateView(message, placed, { canPost }))
      // It is in the thread again, to be taken out again when somebody else joins.
      else await outbound.remove(placed.question.id, steps.withheld)
      const visible = isForAll ? message : withheldView(placed)
      await update({ channel, ts: await inThread(visible) }, visible)
    },

    share: async placed => {
      const audience = await deps.audience(placed)
      if (audience.kind === 'some') return audience
      const { id: questionId } = placed.question
      const reply = await outbound.find(questionId, steps.thread)
      await outbound.remove(questionId, steps.withheld)
      const at = { questionId, step: steps.shared, channel: placed.location.channel }
      await outbound.claim({ ...at, payload: {}, claimedAt: now() })
      if (reply?.ts) await outbound.markPosted(questionId, steps.shared, reply.ts)
      return audience
    },

    withhold: async (placed, message) => {
      const { id: questionId } = placed.question
      const reply = await outbound.find(questionId, steps.thread)
      if (!reply?.ts || (await outbound.find(questionId, steps.withheld))?.ts) return
      const { channel, ts } = reply
      // The asker has it before it is gone.
      const isPrivate = (await findOutcome(questionId))?.isPrivate === true
      if (message !== null && !isPrivate)
        await showToAsker(placed, privateView(message, placed, { canPost: true }))
      await update({ channel, ts }, withheldView(placed))
      for (const { step, ts: file } of await outbound.list(questionId, fileStep)) {
        await deleteFile(client, file)
        await outbound.remove(questionId, step)
      }
      await outbound.remove(questionId, steps.shared)
      // Last, so that an attempt that was cut short is made again.
      await outbound.claim({ questionId, step: steps.withheld, channel, payload: {}, claimedAt: now() })
      await outbound.markPosted(questionId, steps.withheld, ts)
    },
  }
}
