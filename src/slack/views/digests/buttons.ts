import { actionIds } from '../../action-ids.ts'
import type { RowButton } from '../../block-kit/blocks.ts'

/** Which digest a button or a form is about, and where it stood. */
export interface DigestKey {
  readonly digestId: string
  /** On which page of App Home; null for a message. */
  readonly offset: number | null
  /** The due time of the run that the message shows; null where it shows none. */
  readonly run: Date | null
}

/** As the value of a button or the metadata of a form. */
export const writeDigestKey = ({ digestId, offset, run }: DigestKey): string => {
  if (run) return `${digestId}#${run.getTime()}`
  return offset === null ? digestId : `${digestId}@${offset}`
}

/** Out of it; null for anything else. */
export const readDigestKey = (value: string | undefined): DigestKey | null => {
  const [, digestId, offset, run] = /^([0-9a-f-]{36})(?:@(\d{1,6})|#(\d{1,15}))?$/.exec(value ?? '') ?? []
  if (digestId === undefined) return null
  return {
    digestId,
    offset: offset === undefined ? null : Number(offset),
    run: run === undefined ? null : new Date(Number(run)),
  }
}

/** Which proposal of a repair a button decides: another may have come since. */
interface RepairKey {
  readonly digestId: string
  readonly proposedAt: Date
}

export const writeRepairKey = ({ digestId, proposedAt }: RepairKey): string =>
  `${digestId}:${proposedAt.getTime()}`

export const readRepairKey = (value: string | undefined): RepairKey | null => {
  const [, digestId, at] = /^([0-9a-f-]{36}):(\d{1,15})$/.exec(value ?? '') ?? []
  return digestId === undefined ? null : { digestId, proposedAt: new Date(Number(at)) }
}

/** `Delete`, which asks first. */
export const deleteButton: RowButton = [
  actionIds.digestDelete,
  'Delete',
  {
    style: 'danger',
    confirm: {
      title: { type: 'plain_text', text: 'Delete this digest?' },
      text: {
        type: 'plain_text',
        text: 'It does not run any more. What it has posted stays where it is.',
      },
      confirm: { type: 'plain_text', text: 'Delete' },
      deny: { type: 'plain_text', text: 'Keep' },
      style: 'danger',
    },
  },
]
