import type { Digest, DigestCondition } from '../../../domain/digests/digest.ts'
import type { DigestRefusal } from '../../../domain/digests/use-cases.ts'
import { uuidPattern } from '../../../lib/uuid.ts'
import { actionIds } from '../../action-ids.ts'
import { plainText, type RowButton } from '../../block-kit/blocks.ts'
import { escapeAndTruncate, escapeMrkdwn, mention, slackDate } from '../../block-kit/text.ts'
import {
  conditionTexts,
  cronSuffix,
  goneText,
  scheduleText,
  statusTexts,
  targetTexts,
} from '../../copy/digest.ts'
import { deleteDialog } from '../../copy/digest-forms.ts'
import { labels, withNextStep } from '../../copy/phrases.ts'

const LONGEST_AMOUNT = 26

const LONGEST_WORDS = 300

/** "every weekday at 09:00 (Europe/Berlin), only when it changed", in mrkdwn. */
export const formatSchedule = ({ schedule, condition }: Pick<Digest, 'schedule' | 'condition'>): string =>
  scheduleText(formatScheduleWords(schedule), escapeMrkdwn(schedule.timeZone), formatCondition(condition))

/** The words; long ones are cut, and followed by their cron line. */
const formatScheduleWords = ({ words, cron }: Digest['schedule']): string => {
  const whole = escapeMrkdwn(words)
  if (whole.length <= LONGEST_WORDS) return whole
  const line = cronSuffix(escapeMrkdwn(cron))
  return `${escapeAndTruncate(words.replace(/ \(cron [^()]+\)$/, ''), LONGEST_WORDS - line.length)}${line}`
}

/** Null if it is always posted. */
export const formatCondition = (condition: DigestCondition): string | null => {
  switch (condition.kind) {
    case 'always':
      return null
    case 'changed':
      return conditionTexts.changed
    case 'above':
      return conditionTexts.above(formatAmount(condition.value))
    case 'below':
      return conditionTexts.below(formatAmount(condition.value))
    case 'moved':
      return conditionTexts.moved(formatAmount(condition.percent))
    default: {
      const never: never = condition
      return never
    }
  }
}

/** Never rounded: it can be typed again. Very small and very large numbers have an exponent. */
const formatAmount = (value: number): string => {
  const formatted = value.toLocaleString('en-US', { maximumFractionDigits: 20 })
  return formatted.length < LONGEST_AMOUNT && Object.is(Number(formatted.replaceAll(',', '')), value)
    ? formatted
    : String(value)
}

/** "in #sales", "to @ada alone". */
export const formatTarget = ({ target }: Pick<Digest, 'target'>): string =>
  target.kind === 'channel'
    ? targetTexts.channel(`<#${escapeMrkdwn(target.channel)}>`)
    : targetTexts.person(mention(target.person))

/** When it runs next, or why it is paused. */
export const formatStatus = ({ pause, nextDue, failures, repair }: Digest): string => {
  if (pause === null) {
    const next = statusTexts.nextRun(nextDue && slackDate(nextDue))
    return failures === 0 ? next : `${next}, ${statusTexts.lastRunsFailed(failures)}`
  }
  const short = (reason: string): string => escapeAndTruncate(reason.replace(/\s+/g, ' '), 200)
  switch (pause.why) {
    case 'by-person':
      return statusTexts.pausedBy(mention(pause.by))
    case 'failed':
      return statusTexts.failedTooOften(short(pause.reason))
    case 'not-allowed':
      return statusTexts.notAllowed(short(pause.reason))
    case 'schema':
      return repair === null
        ? statusTexts.sqlNoLongerFits(short(pause.reason))
        : statusTexts.awaitsRepair(short(pause.reason))
    default: {
      const never: never = pause
      return never
    }
  }
}

/** Why something was not done with a digest, and what to do, in plain text. */
export const formatDigestRefusal = (refusal: DigestRefusal): string => {
  switch (refusal.status) {
    case 'not-allowed':
      return withNextStep(refusal)
    case 'gone':
      return goneText
    case 'unfit':
      return refusal.reason
    default: {
      const never: never = refusal
      return never
    }
  }
}

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

const digestKey = new RegExp(`^(${uuidPattern})(?:@(\\d{1,6})|#(\\d{1,15}))?$`)

/** Reads it back; null for anything else. */
export const readDigestKey = (value: string | undefined): DigestKey | null => {
  const [, digestId, offset, run] = digestKey.exec(value ?? '') ?? []
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

const repairKey = new RegExp(`^(${uuidPattern}):(\\d{1,15})$`)

export const readRepairKey = (value: string | undefined): RepairKey | null => {
  const [, digestId, at] = repairKey.exec(value ?? '') ?? []
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
