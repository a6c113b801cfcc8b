import { parseDatabaseRef } from '../../../domain/database.ts'
import type { DigestPart, DigestPost } from '../../../domain/digest.ts'
import { actionIds } from '../../action-ids.ts'
import { buttonRow, contextBlock } from '../../block-kit/blocks.ts'
import { slackLimits } from '../../block-kit/limits.ts'
import type { SlackMessage } from '../../block-kit/message.ts'
import type { SlackBlock } from '../../block-kit/schema.ts'
import { escapeMrkdwn, fallbackText, mention, slackDate, truncateText } from '../../block-kit/text.ts'
import { writeDigestKey } from './buttons.ts'
import { formatSchedule } from './format.ts'
import {
  digestPartBlocks,
  formatChange,
  formatDayInZone,
  isTruncated,
  type PartChart,
  showsTable,
} from './part.ts'

/** The charts of a run, by the id of the question in the digest. */
export type DigestCharts = ReadonlyMap<string, PartChart>

/** A run of a digest: title, its questions one after the other, whose rights and when, actions. */
export const digestMessage = (post: DigestPost, charts: DigestCharts = new Map()): SlackMessage => {
  const { digest, parts, scheduledFor } = post
  const firstTable = firstTableOf(parts, charts)
  return {
    text: fallbackText(`${digest.title}: ${parts.map(part => formatPart(part, post)).join(' ')}`),
    blocks: [
      {
        type: 'header',
        text: { type: 'plain_text', text: truncateText(digest.title, slackLimits.headerText) || '–' },
      },
      ...runReasonBlocks(post),
      ...parts.flatMap((part, i) =>
        digestPartBlocks(part, {
          chart: charts.get(part.question.id) ?? null,
          native: i === firstTable,
          named: parts.length > 1,
          now: scheduledFor,
        }),
      ),
      contextBlock(
        `${escapeMrkdwn(formatDatabases(parts))}  ·  with the rights of ${mention(digest.owner)}  ·  ${formatSchedule(digest)}`,
      ),
      buttonRow(writeDigestKey({ digestId: digest.id, offset: null, run: scheduledFor }), [
        [actionIds.digestRun, 'Run now'],
        [actionIds.digestPause, 'Pause'],
        [actionIds.digestEdit, 'Edit'],
        [actionIds.digestShowSql, 'Show SQL'],
      ]),
    ],
  }
}

/** Slack takes one native table a message. */
const firstTableOf = (parts: DigestPost['parts'], charts: DigestCharts): number =>
  parts.findIndex(part => showsTable(part) && !charts.has(part.question.id))

/** The questions of which the message leaves something out; in a plainer form of it that may be all that have a table. */
export const truncatedParts = (
  { parts }: Pick<DigestPost, 'parts'>,
  { charts, isPlainer }: { readonly charts: DigestCharts; readonly isPlainer: boolean },
): readonly Extract<DigestPart, { status: 'ran' }>[] => {
  const firstTable = firstTableOf(parts, charts)
  return parts.flatMap((part, i) => {
    if (part.status !== 'ran') return []
    const look = { chart: charts.get(part.question.id) ?? null, native: i === firstTable }
    return (isPlainer && showsTable(part)) || isTruncated(part, look) ? [part] : []
  })
}

/** What notifications and old clients show, and what is left when Slack takes nothing else. */
const formatPart = (part: DigestPart, { scheduledFor, digest }: DigestPost): string => {
  if (part.status === 'failed') return `${part.question.text} failed: ${part.reason}`
  const sayDay = formatDayInZone(digest.schedule.timeZone)
  return `${part.headline}. ${formatChange(part.change, { since: part.since, now: scheduledFor, sayDay })}`
}

/** Nothing where it comes at its time. */
const runReasonBlocks = ({ kind, missed, scheduledFor }: DigestPost): SlackBlock[] => {
  switch (kind) {
    case 'due':
      return []
    case 'late': {
      const many = `${missed.toLocaleString('en-US')} due times were missed while I was away, and this one run stands for all of them.`
      return [
        contextBlock(
          `:hourglass: Made up for: it was due ${slackDate(scheduledFor)}. ${missed > 1 ? many : 'It could not run then.'}`,
        ),
      ]
    }
    case 'by-hand':
      return [contextBlock('Run by hand, outside of its schedule.')]
    default: {
      const never: never = kind
      return never
    }
  }
}

const formatDatabases = (parts: readonly DigestPart[]): string => {
  const names = new Set(parts.map(({ question }) => parseDatabaseRef(question.database).database))
  return truncateText([...names].join(', '), 300)
}
