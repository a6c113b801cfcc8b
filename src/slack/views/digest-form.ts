import type { Digest, DigestCondition, DigestTarget } from '../../core/digest.ts'

/** Block and action ids of the forms about digests. */
export const digestFormIds = {
  title: 'digest_title',
  schedule: 'digest_schedule',
  timeZone: 'digest_zone',
  where: 'digest_where',
  channel: 'digest_channel',
  condition: 'digest_condition',
  value: 'digest_value',
  existing: 'digest_existing',
  questions: 'digest_questions',
  person: 'digest_person',
  action: 'given',
} as const

/** What stands in the fields of the form, as it was typed and chosen. */
export interface DigestFields {
  readonly title: string
  readonly schedule: string
  readonly timeZone: string
  readonly where: DigestTarget['kind']
  /** Null where none is chosen. */
  readonly channel: string | null
  readonly condition: DigestCondition['kind']
  readonly value: string
}

/** The words for each condition, in the order in which they are offered. */
export const conditionTitles: Readonly<Record<DigestCondition['kind'], string>> = {
  always: 'Always',
  changed: 'Only when it changed',
  above: 'Only when it is above a value',
  below: 'Only when it is below a value',
  moved: 'Only when it moved by some percent, up or down',
}

export const conditionKinds = Object.keys(conditionTitles) as DigestCondition['kind'][]

/**
 * A digest as its own form shows it. `readsBack`: its words are read as what they say, so that an unchanged form changes
 * nothing; else the cron line stands there, which always is.
 */
export const digestToFields = (
  { title, schedule, target, condition }: Digest,
  { readsBack }: { readonly readsBack: boolean },
): DigestFields => ({
  title,
  schedule: readsBack ? schedule.words : schedule.cron,
  timeZone: schedule.timeZone,
  where: target.kind,
  channel: target.kind === 'channel' ? target.channel : null,
  condition: condition.kind,
  value: formatThreshold(condition),
})

const formatThreshold = (condition: DigestCondition): string => {
  switch (condition.kind) {
    case 'always':
    case 'changed':
      return ''
    case 'above':
    case 'below':
      return String(condition.value)
    case 'moved':
      return String(condition.percent)
    default: {
      const never: never = condition
      return never
    }
  }
}
