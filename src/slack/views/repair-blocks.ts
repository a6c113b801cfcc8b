import type { Digest, DigestRepair } from '../../core/digest.ts'
import { actionIds } from '../action-ids.ts'
import type { SlackBlock } from '../block-schema.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import { buttonRow } from './button-row.ts'
import { writeRepairKey } from './digest-key.ts'
import { sectionBlock } from './say-block.ts'
import { sqlBlocks } from './sql-blocks.ts'

/** Lines that are shown of what is different; a wide statement may have more. */
const MOST_LINES = 6
const LONGEST_LINE = 300

/** What a statement of a digest is now, and what it would be: the whole of each. Without a repair, what is now. */
export const repairBlocks = (digest: Digest, repair: DigestRepair): SlackBlock[] => {
  const question = digest.questions.find(({ id }) => id === repair.questionId)
  return [
    sectionBlock(
      `*${escapeAndTruncate(question?.text || '–', 500)}*\n${escapeAndTruncate(repair.reason, 500)}`,
    ),
    ...(question ? [sectionBlock('*It was*'), ...sqlBlocks(question.statement.sql)] : []),
    ...(repair.statement ? proposalBlocks('It would be', repair.says ?? [], repair.statement.sql) : []),
    ...(repair.other
      ? proposalBlocks('Or, just as likely', repair.other.says, repair.other.statement.sql)
      : []),
  ]
}

const proposalBlocks = (title: string, says: readonly string[], sql: string): SlackBlock[] => {
  const lines = says.slice(0, MOST_LINES).map(line => `\n• ${escapeAndTruncate(line, LONGEST_LINE)}`)
  return [sectionBlock(`*${title}*${lines.join('')}`), ...sqlBlocks(sql)]
}

/** All the SQL that `repairBlocks` shows. */
export const repairSqlTexts = (digest: Digest, repair: DigestRepair): readonly string[] => [
  digest.questions.find(({ id }) => id === repair.questionId)?.statement.sql ?? '',
  repair.statement?.sql ?? '',
  repair.other?.statement.sql ?? '',
]

/** `Accept`, of two the one or the other, and `Refuse`. None where there is nothing to accept. */
export const repairButtons = (digest: Digest, repair: DigestRepair): SlackBlock[] =>
  repair.statement === null
    ? []
    : [
        buttonRow(writeRepairKey({ digestId: digest.id, proposedAt: repair.proposedAt }), [
          [actionIds.digestRepairAccept, repair.other ? 'Accept the first' : 'Accept', { style: 'primary' }],
          ...(repair.other ? [[actionIds.digestRepairAcceptOther, 'Accept the second'] as const] : []),
          [actionIds.digestRepairRefuse, 'Refuse'],
        ]),
      ]
