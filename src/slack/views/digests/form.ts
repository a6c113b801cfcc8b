import type { Digest, DigestCondition, DigestTarget } from '../../../domain/digest.ts'
import { plainText, sectionBlock } from '../../block-kit/blocks.ts'
import { slackLimits } from '../../block-kit/limits.ts'
import type { SlackBlock } from '../../block-kit/schema.ts'
import { escapeAndTruncate, truncateText } from '../../block-kit/text.ts'
import { conditionLabels } from '../../copy/digest.ts'
import { digestFields as copy, formProblem } from '../../copy/digest-forms.ts'

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

export const conditionKinds = Object.keys(conditionLabels) as DigestCondition['kind'][]

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

const textField = (
  block: string,
  label: string,
  value: string,
  {
    maxLength,
    hint,
    optional,
  }: { readonly maxLength: number; readonly hint?: string; readonly optional?: boolean },
): SlackBlock => ({
  type: 'input',
  block_id: block,
  ...(optional ? { optional } : {}),
  label: plainText(label),
  ...(hint === undefined ? {} : { hint: plainText(hint) }),
  element: {
    type: 'plain_text_input',
    action_id: digestFormIds.action,
    max_length: maxLength,
    ...(value === '' ? {} : { initial_value: truncateText(value, maxLength) }),
  },
})
