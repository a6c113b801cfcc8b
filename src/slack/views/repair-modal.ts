import type { Digest, DigestRepair } from '../../core/digest.ts'
import { callbackIds } from '../action-ids.ts'
import type { Modal } from './modal.ts'
import { repairBlocks, repairButtons } from './repair-blocks.ts'

/** A proposed repair with both statements whole, and the buttons that decide. */
export const repairModal = (digest: Digest, repair: DigestRepair): Modal => ({
  type: 'modal',
  callback_id: callbackIds.digestRepair,
  title: { type: 'plain_text', text: 'Repair of a digest' },
  close: { type: 'plain_text', text: 'Close' },
  blocks: [...repairBlocks(digest, repair), ...repairButtons(digest, repair)],
})
