import type { Digest, RelativeSql } from '../../core/digest.ts'
import type { RanStatement } from '../../core/digest-run.ts'
import { callbackIds } from '../action-ids.ts'
import type { CheckedBlock } from '../block-schema.ts'
import { escapeWithin } from '../escape-within.ts'
import { slackLimits } from '../limits.ts'
import type { Modal } from './modal.ts'
import { sayBlock, smallPrint } from './say-block.ts'
import { sqlBlocks } from './sql-blocks.ts'

const MOST_PERIODS = 5

/**
 * What one run of a digest sent to the database. Where that is not known, the statements as they were saved, and which
 * periods in them move.
 */
export const digestSqlModal = (
  { questions }: Pick<Digest, 'questions'>,
  ran: readonly RanStatement[] | null,
): Modal => {
  const shown =
    ran?.map(({ periods, ...one }) => ({ ...one, note: sayDays(periods) })) ??
    questions.map(({ text, statement }) => ({ text, sql: statement.sql, note: sayMoving(statement) }))
  return {
    type: 'modal',
    callback_id: callbackIds.showSql,
    title: { type: 'plain_text', text: 'SQL' },
    close: { type: 'plain_text', text: 'Close' },
    blocks: shown
      .flatMap(({ text, sql, note }): CheckedBlock[] => [
        ...(shown.length > 1 ? [sayBlock(`*${escapeWithin(text || '–', 500)}*`)] : []),
        ...sqlBlocks(sql),
        ...(note === '' ? [] : [smallPrint(note)]),
      ])
      .slice(0, slackLimits.blocksPerView),
  }
}

const sayDays = (periods: readonly string[]): string =>
  periods
    .slice(0, MOST_PERIODS)
    .map(period => escapeWithin(period, 200))
    .join('  ·  ')

const sayMoving = ({ periods }: RelativeSql): string => {
  const moving = periods
    .slice(0, MOST_PERIODS)
    .map(({ phrase }) => `“${escapeWithin(phrase, 100)}”`)
    .join(', ')
  return moving === '' ? '' : `As it was saved. The days of ${moving} move along: each run has its own.`
}
