import type { Digest, DigestCondition } from '../../../domain/digest.ts'
import type { DigestRefusal } from '../../../domain/digest-use-cases.ts'
import { escapeAndTruncate, escapeMrkdwn, mention, slackDate } from '../../block-kit/text.ts'

const LONGEST_AMOUNT = 26

const LONGEST_WORDS = 300

/** A digest in words of mrkdwn, for messages, App Home and the command. */

/** "every weekday at 09:00 (Europe/Berlin), only when it changed". */
export const formatSchedule = ({ schedule, condition }: Pick<Digest, 'schedule' | 'condition'>): string => {
  const when = `${formatScheduleWords(schedule)} (${escapeMrkdwn(schedule.timeZone)})`
  const only = formatCondition(condition)
  return only === null ? when : `${when}, ${only}`
}

/** The words; of long ones the beginning, and the whole line of cron that they stand for. */
const formatScheduleWords = ({ words, cron }: Digest['schedule']): string => {
  const whole = escapeMrkdwn(words)
  if (whole.length <= LONGEST_WORDS) return whole
  const line = ` (cron ${escapeMrkdwn(cron)})`
  return `${escapeAndTruncate(words.replace(/ \(cron [^()]+\)$/, ''), LONGEST_WORDS - line.length)}${line}`
}

/** Null where it is always posted. */
export const formatCondition = (condition: DigestCondition): string | null => {
  switch (condition.kind) {
    case 'always':
      return null
    case 'changed':
      return 'only when it changed'
    case 'above':
      return `only above ${formatAmount(condition.value)}`
    case 'below':
      return `only below ${formatAmount(condition.value)}`
    case 'moved':
      return `only when it moved by ${formatAmount(condition.percent)} % or more`
    default: {
      const never: never = condition
      return never
    }
  }
}

/** Whole: what is said of a digest can be typed again. Very small and very large numbers are said with an exponent. */
const formatAmount = (value: number): string => {
  const said = value.toLocaleString('en-US', { maximumFractionDigits: 20 })
  return said.length < LONGEST_AMOUNT && Object.is(Number(said.replaceAll(',', '')), value)
    ? said
    : String(value)
}

/** Where it goes. */
export const formatTarget = ({ target }: Pick<Digest, 'target'>): string =>
  target.kind === 'channel' ? `in <#${escapeMrkdwn(target.channel)}>` : `to ${mention(target.person)} alone`

/** Whether it runs, and when next; else why not and what to do. */
export const formatStatus = ({ pause, nextDue, failures, repair }: Digest): string => {
  if (pause === null) {
    const next = nextDue === null ? 'no further run' : `next ${slackDate(nextDue)}`
    const failed = failures === 1 ? 'the last run failed' : `the last ${failures} runs failed`
    return failures === 0 ? next : `${next}, :warning: ${failed}`
  }
  const short = (reason: string): string => escapeAndTruncate(reason.replace(/\s+/g, ' '), 200)
  switch (pause.why) {
    case 'by-person':
      return `paused by ${mention(pause.by)}`
    case 'failed':
      return `:warning: paused, it failed too often: ${short(pause.reason)}`
    case 'not-allowed':
      return `:warning: paused: ${short(pause.reason)}`
    case 'schema':
      return repair === null
        ? `:warning: paused, its SQL does not fit the database any more: ${short(pause.reason)}`
        : `:warning: paused until a repair is decided: ${short(pause.reason)}`
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
      return `${refusal.reason} ${refusal.nextStep}`
    case 'gone':
      return 'It is not there any more.'
    case 'unfit':
      return refusal.reason
    default: {
      const never: never = refusal
      return never
    }
  }
}
