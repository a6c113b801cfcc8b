import { parseDatabaseRef } from '../../../domain/database.ts'
import type { DigestPart, DigestPost } from '../../../domain/digest.ts'
import { actionIds } from '../../action-ids.ts'
import { buttonRow, contextBlock, headerBlock } from '../../block-kit/blocks.ts'
import { slackLimits } from '../../block-kit/limits.ts'
import type { SlackMessage } from '../../block-kit/message.ts'
import type { SlackBlock } from '../../block-kit/schema.ts'
import { escapeMrkdwn, fallbackText, mention, slackDate, truncateText } from '../../block-kit/text.ts'
import {
  changeText,
  failedPartSummary,
  partSummary,
  runContext,
  runReasonTexts,
  runSummary,
} from '../../copy/digest.ts'
import { labels } from '../../copy/labels.ts'
import type { ChartImage } from '../result.ts'
import { writeDigestKey } from './buttons.ts'
import { formatSchedule } from './format.ts'
import { digestPartBlocks, formatDayInZone, isTruncated, showsTable } from './part.ts'

/** The charts of a run, by the id of the question in the digest. */
export type DigestCharts = ReadonlyMap<string, ChartImage>

/** A run of a digest: title, its questions one after the other, whose permissions and when, actions. */
export const digestMessage = (post: DigestPost, charts: DigestCharts = new Map()): SlackMessage => {
  const { digest, parts, scheduledFor } = post
  const firstTable = firstTableOf(parts, charts)
  return {
    text: fallbackText(
      runSummary(
        digest.title,
        parts.map(part => formatPart(part, post)),
      ),
    ),
    blocks: [
      headerBlock(truncateText(digest.title, slackLimits.headerText) || '–'),
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
        runContext(escapeMrkdwn(formatDatabases(parts)), mention(digest.owner), formatSchedule(digest)),
      ),
      buttonRow(writeDigestKey({ digestId: digest.id, offset: null, run: scheduledFor }), [
        [actionIds.digestRun, labels.runNow],
        [actionIds.digestPause, labels.pause],
        [actionIds.digestEdit, labels.edit],
        [actionIds.digestShowSql, labels.showSql],
      ]),
    ],
  }
}

/** Slack takes one native table a message. */
const firstTableOf = (parts: DigestPost['parts'], charts: DigestCharts): number =>
  parts.findIndex(part => showsTable(part) && !charts.has(part.question.id))

/** The questions of which the message leaves something out. A plainer form of it may leave out whole tables. */
export const truncatedParts = (
  { parts }: Pick<DigestPost, 'parts'>,
  { charts, isPlainer }: { readonly charts: DigestCharts; readonly isPlainer: boolean },
): readonly Extract<DigestPart, { status: 'ran' }>[] => {
  const firstTable = firstTableOf(parts, charts)
  return parts.flatMap((part, i) => {
    if (part.status !== 'ran') return []
    const display = { chart: charts.get(part.question.id) ?? null, native: i === firstTable }
    return (isPlainer && showsTable(part)) || isTruncated(part, display) ? [part] : []
  })
}

/** What notifications and old clients show, and what is left if Slack takes nothing else. */
const formatPart = (part: DigestPart, { scheduledFor, digest }: DigestPost): string => {
  if (part.status === 'failed') return failedPartSummary(part.question.text, part.reason)
  const formatRunDay = formatDayInZone(digest.schedule.timeZone)
  const day = part.since && formatRunDay(part.since, { now: scheduledFor })
  return partSummary(part.headline, changeText(part.change, day))
}

/** Why a run comes at another time than planned; nothing for one that is on time. */
const runReasonBlocks = ({ kind, missed, scheduledFor }: DigestPost): SlackBlock[] => {
  switch (kind) {
    case 'due':
      return []
    case 'late':
      return [contextBlock(runReasonTexts.late(slackDate(scheduledFor), missed))]
    case 'by-hand':
      return [contextBlock(runReasonTexts.byHand)]
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
