import { actionIds } from '../../action-ids.ts'
import { plainText, type RowButton } from '../../block-kit/blocks.ts'
import { deleteDialog } from '../../copy/digest-forms.ts'
import { labels } from '../../copy/labels.ts'

/** Which digest a button or a form is about, and where it was shown. */
export interface DigestKey {
  readonly digestId: string
  /** On which page of App Home; null for a message. */
  readonly offset: number | null
  /** The due time of the run that the message shows; null if it shows none. */
  readonly run: Date | null
}

/** As the value of a button or the metadata of a form. */
export const writeDigestKey = ({ digestId, offset, run }: DigestKey): string => {
  if (run) return `${digestId}#${run.getTime()}`
  return offset === null ? digestId : `${digestId}@${offset}`
}

/** Reads it back; null for anything else. */
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
  labels.delete,
  {
    style: 'danger',
    confirm: {
      title: plainText(deleteDialog.title),
      text: plainText(deleteDialog.text),
      confirm: plainText(labels.delete),
      deny: plainText(labels.keep),
      style: 'danger',
    },
  },
]
