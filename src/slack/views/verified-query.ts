import type { ResolveStaleResult, StalenessKey } from '../../domain/verified-query.ts'
import { actionIds } from '../action-ids.ts'
import { contextBlock, plainReply, sectionBlock } from '../block-kit/blocks.ts'
import { slackLimits } from '../block-kit/limits.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import { escapeAndTruncate, fallbackText, truncateText } from '../block-kit/text.ts'

/** What the owner of a stale verified query is told. */
interface StaleVerifiedView {
  readonly key: StalenessKey
  readonly question: string
  readonly database: string
  /** Sentences without a full stop. */
  readonly reasons: readonly string[]
  /** Why it could not be kept, when that was tried. */
  readonly note?: string
}

/** A statement that reads forty columns can lose all of them; the first few tell enough. */
const MOST_REASONS = 5

/** The reasons must find room behind it. */
const LONGEST_STALE_QUESTION = 300

/** Asks the owner of a verified query that went stale what shall become of it. */
export const staleVerifiedView = ({
  key,
  question,
  database,
  reasons,
  note,
}: StaleVerifiedView): SlackMessage => {
  const left = reasons.length - MOST_REASONS
  const lines = [
    ...reasons.slice(0, MOST_REASONS).map(reason => `• ${reason}`),
    ...(left > 0 ? [`• and ${left} more`] : []),
  ]
  const value = writeStalenessKey(key)
  const said = `Your verified query for “${truncateText(question, LONGEST_STALE_QUESTION)}” on ${database} needs a look:`
  return {
    text: fallbackText(`${said} ${reasons.join('; ')}`),
    blocks: [
      textSection(`${said}\n${lines.join('\n')}`),
      ...(note === undefined ? [] : [textSection(`It cannot be kept: ${note}`)]),
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            action_id: actionIds.verifiedKeep,
            text: { type: 'plain_text', text: 'Keep' },
            style: 'primary',
            value,
          },
          {
            type: 'button',
            action_id: actionIds.verifiedRemove,
            text: { type: 'plain_text', text: 'Remove' },
            value,
          },
          {
            type: 'button',
            action_id: actionIds.verifiedShowSql,
            text: { type: 'plain_text', text: 'Show SQL' },
            value,
          },
        ],
      },
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            verbatim: true,
            text: 'Nobody is answered from it until you decide. Keep runs it first, and uses it only if that works.',
          },
        ],
      },
    ],
  }
}

const textSection = (said: string): SlackMessage['blocks'][number] => ({
  type: 'section',
  text: { type: 'mrkdwn', verbatim: true, text: escapeAndTruncate(said, slackLimits.sectionText) },
})

type Settled = Extract<ResolveStaleResult, { readonly status: 'kept' | 'removed' | 'settled' }>

/** What became of a stale verified query, in the place of what its owner was asked. */
export const settledVerifiedView = (settled: Settled): SlackMessage => {
  const { query } = settled
  const named = query === null ? 'The verified query' : `The verified query for “${query.question}”`
  switch (settled.status) {
    case 'kept':
      return plainReply(
        `${named} is in use again.`,
        `It gave ${formatRows(settled.query.lastRun)} just now, and stands on the tables as they are today.`,
      )
    case 'removed':
      return plainReply(
        `${named} is removed.`,
        'Nobody is answered from it any more. Save its question again to have one that fits.',
      )
    case 'settled':
      return plainReply(
        query === null
          ? `${named} is no longer kept.`
          : `${named} was settled already: it is ${query.status}.`,
        'There is nothing left to decide here.',
      )
    default: {
      const never: never = settled
      return never
    }
  }
}

const formatRows = (run: Extract<Settled, { readonly status: 'kept' }>['query']['lastRun']): string => {
  const count = run?.status === 'ran' ? run.rowCount : 0
  return `${count.toLocaleString('en-US')} row${count === 1 ? '' : 's'}`
}

const LONGEST_QUESTION = 300

/** Tells the owner of a verified query that it is too heavy to be run again unasked. Nothing has to be decided. */
export const expensiveVerifiedView = ({
  question,
  database,
  reason,
}: {
  readonly question: string
  readonly database: string
  readonly reason: string
}): SlackMessage => {
  const said = `Your verified query for “${truncateText(question, LONGEST_QUESTION)}” on ${database} is too heavy to be run again by itself.`
  return {
    text: fallbackText(`${said} ${reason}`),
    blocks: [
      sectionBlock(escapeAndTruncate(`${said}\n${reason}`, slackLimits.sectionText)),
      contextBlock(
        'It stays in use, and whoever asks for it is asked before it runs; whether its result still holds is not looked at. Save a lighter one in its place, or have an admin raise `heavyRows` of the database. You are told of this once.',
      ),
    ],
  }
}

/** As the value of a button. */
export const writeStalenessKey = ({ queryId, since }: StalenessKey): string => `${queryId}:${since.getTime()}`

/** Out of the value of a button; null for anything else. */
export const readStalenessKey = (value: string | undefined): StalenessKey | null => {
  const [, queryId, since] = /^([0-9a-f-]{36}):(\d{1,15})$/.exec(value ?? '') ?? []
  return queryId === undefined ? null : { queryId, since: new Date(Number(since)) }
}
