import type { Digest, DigestRepair } from '../../core/digest.ts'
import { actionIds } from '../action-ids.ts'
import type { CheckedBlock } from '../block-schema.ts'
import { escapeWithin } from '../escape-within.ts'
import { buttonRow } from './button-row.ts'
import { writeRepairKey } from './digest-key.ts'
import { sayBlock } from './say-block.ts'
import { sqlBlocks } from './sql-blocks.ts'

/** What a statement of a digest is now, and what it would be: the whole of both. Without a repair, what is now. */
export const repairBlocks = (digest: Digest, repair: DigestRepair): CheckedBlock[] => {
  const question = digest.questions.find(({ id }) => id === repair.questionId)
  return [
    sayBlock(`*${escapeWithin(question?.text || '–', 500)}*\n${escapeWithin(repair.reason, 500)}`),
    ...(question ? [sayBlock('*It was*'), ...sqlBlocks(question.statement.sql)] : []),
    ...(repair.statement ? [sayBlock('*It would be*'), ...sqlBlocks(repair.statement.sql)] : []),
  ]
}

/** `Accept` and `Refuse`. None where there is nothing to accept. */
export const repairButtons = (digest: Digest, repair: DigestRepair): CheckedBlock[] =>
  repair.statement === null
    ? []
    : [
        buttonRow(writeRepairKey({ digestId: digest.id, proposedAt: repair.proposedAt }), [
          [actionIds.digestRepairAccept, 'Accept', { style: 'primary' }],
          [actionIds.digestRepairRefuse, 'Refuse'],
        ]),
      ]
