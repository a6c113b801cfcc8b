import type { ResolveStaleResult, StalenessKey } from '../../domain/verified-query.ts'
import { uuidPattern } from '../../lib/uuid.ts'
import { actionIds } from '../action-ids.ts'
import { buttonRow, contextBlock, plainReply, type SlackMessage, sectionBlock } from '../block-kit/blocks.ts'
import { slackLimits } from '../block-kit/schema.ts'
import { escapeAndTruncate, fallbackText, truncateText } from '../block-kit/text.ts'
import {
  cannotKeep,
  expensiveNote,
  expensiveTitle,
  settledTexts,
  staleNote,
  staleTitle,
} from '../copy/answer-actions.ts'
import { andMore, formatCount, labels } from '../copy/phrases.ts'

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

/** A query that reads forty columns can lose all of them; the first few tell enough. */
const MOST_REASONS = 5

/** The reasons must fit behind it. */
const LONGEST_QUESTION = 300

/** Asks the owner of a stale verified query what to do with it. */
export const staleVerifiedView = ({
  key,
  question,
  database,
  reasons,
  note,
}: StaleVerifiedView): SlackMessage => {
  const more = reasons.length - MOST_REASONS
  const lines = [...reasons.slice(0, MOST_REASONS), ...(more > 0 ? [andMore(more)] : [])]
  const title = staleTitle(truncateText(question, LONGEST_QUESTION), database)
  return {
    text: fallbackText(`${title} ${reasons.join('; ')}`),
    blocks: [
      escapedSection(`${title}\n${lines.map(line => `• ${line}`).join('\n')}`),
      ...(note === undefined ? [] : [escapedSection(cannotKeep(note))]),
      buttonRow(writeStalenessKey(key), [
        [actionIds.verifiedKeep, labels.keep, { style: 'primary' }],
        [actionIds.verifiedRemove, labels.remove],
        [actionIds.verifiedShowSql, labels.showSql],
      ]),
      contextBlock(staleNote),
    ],
  }
}

const escapedSection = (text: string): SlackMessage['blocks'][number] =>
  sectionBlock(escapeAndTruncate(text, slackLimits.sectionText))

type Settled = Extract<ResolveStaleResult, { readonly status: 'kept' | 'removed' | 'settled' }>

/** What became of a stale verified query; replaces what its owner was asked. */
export const settledVerifiedView = (settled: Settled): SlackMessage => {
  switch (settled.status) {
    case 'kept': {
      const { question, lastRun } = settled.query
      const rows = lastRun?.status === 'ran' ? formatCount(lastRun.rowCount, 'row') : null
      return plainReply(settledTexts.kept(question, rows))
    }
    case 'removed':
      return plainReply(settledTexts.removed(settled.query?.question ?? null))
    case 'settled':
      return plainReply(
        settled.query === null
          ? settledTexts.gone
          : settledTexts.decided(settled.query.question, settled.query.status),
      )
    default: {
      const never: never = settled
      return never
    }
  }
}

/** Tells the owner of a verified query that it is too expensive to rerun. There is nothing to decide. */
export const expensiveVerifiedView = ({
  question,
  database,
  reason,
}: {
  readonly question: string
  readonly database: string
  readonly reason: string
}): SlackMessage => {
  const title = expensiveTitle(truncateText(question, LONGEST_QUESTION), database)
  return {
    text: fallbackText(`${title} ${reason}`),
    blocks: [escapedSection(`${title}\n${reason}`), contextBlock(expensiveNote)],
  }
}

/** As the value of a button. */
export const writeStalenessKey = ({ queryId, since }: StalenessKey): string => `${queryId}:${since.getTime()}`

const stalenessKey = new RegExp(`^(${uuidPattern}):(\\d{1,15})$`)

/** Reads it from the value of a button; null for anything else. */
export const readStalenessKey = (value: string | undefined): StalenessKey | null => {
  const [, queryId, since] = stalenessKey.exec(value ?? '') ?? []
  return queryId === undefined ? null : { queryId, since: new Date(Number(since)) }
}
