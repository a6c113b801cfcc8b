import type { SlackBlock } from '../block-schema.ts'
import { truncateText } from '../cut-text.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import { slackLimits } from '../limits.ts'
import { conditionKinds, conditionTitles, type DigestFields, digestFormIds } from './digest-form.ts'

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
