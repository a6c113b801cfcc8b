import type { Digest, RelativeSql } from '../../core/digest.ts'
import type { ExecutedStatement } from '../../core/digest-run.ts'
import { callbackIds } from '../action-ids.ts'
import type { SlackBlock } from '../block-schema.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import { slackLimits } from '../limits.ts'
import type { Modal } from './modal.ts'
import { contextBlock, sectionBlock } from './say-block.ts'
import { sqlBlocks } from './sql-blocks.ts'

const MOST_PERIODS = 5

/**
 * What one run of a digest sent to the database. Where that is not known, the statements as they were saved, and which
 * periods in them move.
 */
export const digestSqlModal = (
  { questions }: Pick<Digest, 'questions'>,
  ran: readonly ExecutedStatement[] | null,
): Modal => {
  const shown =
    ran?.map(({ periods, ...one }) => ({ ...one, note: formatDays(periods) })) ??
    questions.map(({ text, statement }) => ({
      text,
      sql: statement.sql,
      note: formatMovingPeriods(statement),
    }))
  return {
    type: 'modal',
    callback_id: callbackIds.showSql,
    title: { type: 'plain_text', text: 'SQL' },
    close: { type: 'plain_text', text: 'Close' },
    blocks: shown
      .flatMap(({ text, sql, note }): SlackBlock[] => [
        ...(shown.length > 1 ? [sectionBlock(`*${escapeAndTruncate(text || '–', 500)}*`)] : []),
        ...sqlBlocks(sql),
        ...(note === '' ? [] : [contextBlock(note)]),
      ])
      .slice(0, slackLimits.blocksPerView),
  }
}

const formatDays = (periods: readonly string[]): string =>
  periods
    .slice(0, MOST_PERIODS)
    .map(period => escapeAndTruncate(period, 200))
    .join('  ·  ')

const formatMovingPeriods = ({ periods }: RelativeSql): string => {
  const moving = periods
    .slice(0, MOST_PERIODS)
    .map(({ phrase }) => `“${escapeAndTruncate(phrase, 100)}”`)
    .join(', ')
  return moving === '' ? '' : `As it was saved. The days of ${moving} move along: each run has its own.`
}
