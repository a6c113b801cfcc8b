import type { Digest, DigestCondition, DigestTarget } from '../../../domain/digest.ts'
import { slackLimits } from '../../block-kit/limits.ts'
import type { SlackBlock } from '../../block-kit/schema.ts'
import { escapeAndTruncate, truncateText } from '../../block-kit/text.ts'

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
const conditionTitles: Readonly<Record<DigestCondition['kind'], string>> = {
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

/** The fields that a new digest and a changed one have in common, filled with what is known. */
export const digestFormBlocks = (
  fields: DigestFields,
  { alone, problem }: { readonly alone: 'me' | 'owner'; readonly problem?: string | undefined },
): SlackBlock[] => [
  ...(problem === undefined
    ? []
    : [
        {
          type: 'section' as const,
          text: {
            type: 'mrkdwn' as const,
            verbatim: true,
            text: `:warning: ${escapeAndTruncate(problem, 1_500)}`,
          },
        },
      ]),
  textField(digestFormIds.title, 'Title', fields.title, { most: slackLimits.headerText }),
  textField(digestFormIds.schedule, 'When', fields.schedule, {
    most: 200,
    hint: 'In words or as cron: every weekday at 09:00, mondays 8:30, first of the month at 7am, 0 9 * * 1-5.',
  }),
  textField(digestFormIds.timeZone, 'Time zone', fields.timeZone, {
    most: 60,
    hint: 'A name such as Europe/Berlin. Its clock counts, daylight saving time included.',
  }),
  {
    type: 'input',
    block_id: digestFormIds.where,
    label: { type: 'plain_text', text: 'Where' },
    element: {
      type: 'radio_buttons',
      action_id: digestFormIds.action,
      options: [targetOptions.channel, targetOptions[alone]],
      initial_option: fields.where === 'channel' ? targetOptions.channel : targetOptions[alone],
    },
  },
  {
    type: 'input',
    block_id: digestFormIds.channel,
    optional: true,
    label: { type: 'plain_text', text: 'Channel' },
    hint: {
      type: 'plain_text',
      text: `${alone === 'me' ? 'You' : 'Its owner'} and I have to be in it. Everyone there sees the rows.`,
    },
    element: {
      type: 'conversations_select',
      action_id: digestFormIds.action,
      placeholder: { type: 'plain_text', text: 'Choose a channel' },
      filter: { include: ['public', 'private'] },
      ...(fields.channel === null ? {} : { initial_conversation: fields.channel }),
    },
  },
  {
    type: 'input',
    block_id: digestFormIds.condition,
    label: { type: 'plain_text', text: 'Post it' },
    element: {
      type: 'static_select',
      action_id: digestFormIds.action,
      options: conditionKinds.map(conditionOption),
      initial_option: conditionOption(fields.condition),
    },
  },
  textField(digestFormIds.value, 'Value, or percent', fields.value, {
    most: 40,
    optional: true,
    hint: 'For the last three choices. It is compared with the first number of the result.',
  }),
]

const targetOptions = {
  channel: { text: { type: 'plain_text', text: 'In a channel' }, value: 'channel' },
  me: { text: { type: 'plain_text', text: 'To me alone' }, value: 'person' },
  owner: { text: { type: 'plain_text', text: 'To its owner alone' }, value: 'person' },
} as const

const conditionOption = (kind: DigestFields['condition']) => ({
  text: { type: 'plain_text' as const, text: conditionTitles[kind] },
  value: kind,
})

const textField = (
  block: string,
  label: string,
  value: string,
  { most, hint, optional }: { readonly most: number; readonly hint?: string; readonly optional?: boolean },
): SlackBlock => ({
  type: 'input',
  block_id: block,
  ...(optional ? { optional } : {}),
  label: { type: 'plain_text', text: label },
  ...(hint === undefined ? {} : { hint: { type: 'plain_text', text: hint } }),
  element: {
    type: 'plain_text_input',
    action_id: digestFormIds.action,
    max_length: most,
    ...(value === '' ? {} : { initial_value: truncateText(value, most) }),
  },
})
