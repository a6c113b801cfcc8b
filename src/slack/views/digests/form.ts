import type { Digest, DigestCondition, DigestTarget } from '../../../domain/digests/digest.ts'
import type { DigestForm } from '../../../domain/digests/use-cases.ts'
import { plainText, sectionBlock } from '../../block-kit/blocks.ts'
import { fieldAction, textField } from '../../block-kit/modal.ts'
import { type SlackBlock, slackLimits } from '../../block-kit/schema.ts'
import { escapeAndTruncate } from '../../block-kit/text.ts'
import { conditionLabels } from '../../copy/digest.ts'
import { digestFields as copy, fieldErrors, formProblem } from '../../copy/digest-forms.ts'

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
  action: fieldAction,
} as const

/** The fields of the form, as they were typed and chosen. */
export interface DigestFields {
  readonly title: string
  readonly schedule: string
  readonly timeZone: string
  readonly where: DigestTarget['kind']
  /** Null if none is chosen. */
  readonly channel: string | null
  readonly condition: DigestCondition['kind']
  readonly value: string
}

const conditionKinds = Object.keys(conditionLabels) as DigestCondition['kind'][]

/**
 * A digest as its own form shows it. `readsBack`: its schedule in words is read back as the same schedule, so that an
 * unchanged form changes nothing. Otherwise the form shows the cron line, which always is.
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

/** The fields that a new digest and a changed one have in common, filled with what is known. */
export const digestFormBlocks = (
  fields: DigestFields,
  { personOption, problem }: { readonly personOption: 'me' | 'owner'; readonly problem?: string | undefined },
): SlackBlock[] => [
  ...(problem === undefined ? [] : [sectionBlock(formProblem(escapeAndTruncate(problem, 1_500)))]),
  textField(digestFormIds.title, copy.title, fields.title, { maxLength: slackLimits.headerText }),
  textField(digestFormIds.schedule, copy.schedule, fields.schedule, {
    maxLength: 200,
    hint: copy.scheduleHint,
  }),
  textField(digestFormIds.timeZone, copy.timeZone, fields.timeZone, {
    maxLength: 60,
    hint: copy.timeZoneHint,
  }),
  {
    type: 'input',
    block_id: digestFormIds.where,
    label: plainText(copy.where),
    element: {
      type: 'radio_buttons',
      action_id: digestFormIds.action,
      options: [targetOptions.channel, targetOptions[personOption]],
      initial_option: fields.where === 'channel' ? targetOptions.channel : targetOptions[personOption],
    },
  },
  {
    type: 'input',
    block_id: digestFormIds.channel,
    optional: true,
    label: plainText(copy.channel),
    hint: plainText(copy.channelHint(personOption === 'me' ? 'you' : 'owner')),
    element: {
      type: 'conversations_select',
      action_id: digestFormIds.action,
      placeholder: plainText(copy.chooseChannel),
      filter: { include: ['public', 'private'] },
      ...(fields.channel === null ? {} : { initial_conversation: fields.channel }),
    },
  },
  {
    type: 'input',
    block_id: digestFormIds.condition,
    label: plainText(copy.condition),
    element: {
      type: 'static_select',
      action_id: digestFormIds.action,
      options: conditionKinds.map(conditionOption),
      initial_option: conditionOption(fields.condition),
    },
  },
  textField(digestFormIds.value, copy.value, fields.value, {
    maxLength: 40,
    optional: true,
    hint: copy.valueHint,
  }),
]

const targetOptions = {
  channel: { text: plainText(copy.inChannel), value: 'channel' },
  me: { text: plainText(copy.onlyToMe), value: 'person' },
  owner: { text: plainText(copy.onlyToOwner), value: 'person' },
} as const

const conditionOption = (kind: DigestFields['condition']) => ({
  text: plainText(conditionLabels[kind]),
  value: kind,
})

/** What a submitted form holds, by block and action. */
type SubmittedValues = Readonly<
  Record<
    string,
    Readonly<
      Record<
        string,
        {
          readonly value?: string | null | undefined
          readonly selected_option?: { readonly value: string } | null | undefined
          readonly selected_options?: readonly { readonly value: string }[] | undefined
          readonly selected_conversation?: string | null | undefined
          readonly selected_user?: string | null | undefined
        }
      >
    >
  >
>

/** The field of a block; undefined if the form has no such block. */
export const findField = (values: SubmittedValues, block: string) => values[block]?.[digestFormIds.action]

/** The fields as they are, valid or not. */
export const readDigestFields = (values: SubmittedValues): DigestFields => {
  const text = (block: string): string => findField(values, block)?.value?.trim() ?? ''
  const kind = findField(values, digestFormIds.condition)?.selected_option?.value
  return {
    title: text(digestFormIds.title),
    schedule: text(digestFormIds.schedule),
    timeZone: text(digestFormIds.timeZone),
    where: findField(values, digestFormIds.where)?.selected_option?.value === 'person' ? 'person' : 'channel',
    channel: findField(values, digestFormIds.channel)?.selected_conversation ?? null,
    condition: conditionKinds.find(known => known === kind) ?? 'always',
    value: text(digestFormIds.value),
  }
}

/** The digest that a form describes, or what is wrong with it, by block. The use case decides whether the schedule can be read. */
export const readDigestForm = (
  fields: DigestFields,
  person: string,
):
  | { readonly status: 'read'; readonly form: DigestForm }
  | { readonly status: 'unfit'; readonly errors: Readonly<Record<string, string>> } => {
  const target = targetOf(fields, person)
  const condition = conditionOf(fields)
  const errors: Record<string, string> = {}
  if (fields.schedule === '') errors[digestFormIds.schedule] = fieldErrors.noSchedule
  if (!isTimeZone(fields.timeZone)) errors[digestFormIds.timeZone] = fieldErrors.unknownTimeZone
  if (target === null) errors[digestFormIds.channel] = fieldErrors.noChannel
  if (condition === null) errors[digestFormIds.value] = thresholdProblem(fields)
  else if (fields.value !== '' && (condition.kind === 'always' || condition.kind === 'changed'))
    errors[digestFormIds.value] = fieldErrors.unusedValue
  if (target === null || condition === null || Object.keys(errors).length > 0)
    return { status: 'unfit', errors }
  const { title, schedule, timeZone } = fields
  return { status: 'read', form: { ...(title && { title }), schedule, timeZone, condition, target } }
}

const thresholdProblem = ({ condition, value }: DigestFields): string => {
  if (condition === 'moved') return fieldErrors.noPercentage
  return value === '' ? fieldErrors.noValue : fieldErrors.unreadableValue
}

const targetOf = ({ where, channel }: DigestFields, person: string): DigestTarget | null => {
  if (where === 'person') return { kind: 'person', person }
  return channel === null ? null : { kind: 'channel', channel }
}

const conditionOf = ({ condition, value }: DigestFields): DigestCondition | null => {
  if (condition === 'always' || condition === 'changed') return { kind: condition }
  const number = readThreshold(value)
  if (number === null) return null
  // A change of 0 percent would always be met.
  if (condition === 'moved') return number > 0 ? { kind: 'moved', percent: number } : null
  return { kind: condition, value: number }
}

/** `1000`, `1,000`, `-12.5` and `10 %`; null for anything else. A comma counts only between groups of three. */
const readThreshold = (text: string): number | null => {
  const plain = text.replace(/\s*%$/, '').replace('−', '-')
  if (!/^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(plain)) return null
  const number = Number(plain.replaceAll(',', ''))
  return Number.isFinite(number) ? number : null
}

const isTimeZone = (name: string): boolean => {
  try {
    return /^[A-Z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}
