import {
  type Digest,
  type ExecutedStatement,
  maxDigestQuestions,
  type RelativeSql,
} from '../../../domain/digest.ts'
import { callbackIds } from '../../action-ids.ts'
import { contextBlock, sectionBlock } from '../../block-kit/blocks.ts'
import { slackLimits } from '../../block-kit/limits.ts'
import type { Modal } from '../../block-kit/modal.ts'
import type { SlackBlock } from '../../block-kit/schema.ts'
import { escapeAndTruncate, escapeMrkdwn, slackDate, truncateText } from '../../block-kit/text.ts'
import { sqlBlocks } from '../sql-modal.ts'
import { type DigestFields, digestFormBlocks, digestFormIds } from './form.ts'
import { formatSchedule, formatTarget } from './format.ts'

/** What the form about a new digest is made of. */
interface ScheduleModalInput {
  readonly questionId: string
  readonly fields: DigestFields
  /** Digests of the person that have room for one more question. */
  readonly existing: readonly Pick<Digest, 'id' | 'title' | 'schedule'>[]
  /** Why the last try did not work. */
  readonly problem?: string
}

/** Makes a digest out of an answer, or adds the answer to a digest that is there. */
export const scheduleModal = ({ questionId, fields, existing, problem }: ScheduleModalInput): Modal => ({
  type: 'modal',
  callback_id: callbackIds.schedule,
  title: { type: 'plain_text', text: 'Schedule' },
  submit: { type: 'plain_text', text: 'Schedule' },
  close: { type: 'plain_text', text: 'Cancel' },
  private_metadata: questionId,
  blocks: [
    ...digestFormBlocks(fields, { alone: 'me', problem }),
    ...existingBlock(existing),
    {
      type: 'context',
      elements: [
        {
          type: 'plain_text',
          text: 'It runs with your rights, checked at each run. A period such as “last week” moves along.',
        },
      ],
    },
  ],
})

const existingBlock = (existing: ScheduleModalInput['existing']): SlackBlock[] => {
  const options = existing.slice(0, slackLimits.selectOptions)
  if (options.length === 0) return []
  return [
    {
      type: 'input',
      block_id: digestFormIds.existing,
      optional: true,
      label: { type: 'plain_text', text: 'Add to a digest that you have' },
      hint: {
        type: 'plain_text',
        text: 'Then its own title, schedule, place and condition hold, and not those above.',
      },
      element: {
        type: 'static_select',
        action_id: digestFormIds.action,
        placeholder: { type: 'plain_text', text: 'A digest of its own' },
        options: options.map(({ id, ...digest }) => ({
          text: { type: 'plain_text', text: formatOption(digest) },
          value: id,
        })),
      },
    },
  ]
}

/** Titles come from questions, so that several digests may have the same: their schedules tell them apart. */
const formatOption = ({ title, schedule }: Pick<Digest, 'title' | 'schedule'>): string => {
  const when = ` · ${truncateText(schedule.words, 35)}`
  return `${truncateText(title || '–', slackLimits.optionText - when.length)}${when}`
}

const TIMES_SHOWN = 3

/** What a digest is now: in words, when it runs next, and what to know about it. */
export const digestSavedModal = ({
  title,
  digest,
  next,
  remarks = [],
}: {
  readonly title: 'Scheduled' | 'Added' | 'Saved' | 'Unchanged'
  readonly digest: Digest
  readonly next: readonly Date[]
  readonly remarks?: readonly string[]
}): Modal => ({
  type: 'modal',
  callback_id: callbackIds.notice,
  title: { type: 'plain_text', text: title },
  close: { type: 'plain_text', text: 'Close' },
  blocks: [
    sectionBlock(
      `*${escapeAndTruncate(digest.title || '–', 1_000)}*\n${formatSchedule(digest)}, ${formatTarget(digest)}`,
    ),
    ...(next.length === 0
      ? []
      : [sectionBlock(`*It runs next*\n${next.slice(0, TIMES_SHOWN).map(slackDate).join('\n')}`)]),
    ...remarks
      .slice(0, 5)
      .map(remark => sectionBlock(`:information_source: ${escapeAndTruncate(remark, 1_000)}`)),
    contextBlock(escapeMrkdwn('My Home tab lists your digests: there you can change, pause or delete them.')),
  ],
})

/** Changes a digest: its fields, and which of its questions stay. `metadata` says which digest, and where it was clicked. */
export const editDigestModal = (given: {
  readonly digest: Pick<Digest, 'questions'>
  readonly fields: DigestFields
  readonly metadata: string
  readonly problem?: string
}): Modal => ({
  type: 'modal',
  callback_id: callbackIds.digestEdit,
  title: { type: 'plain_text', text: 'Edit digest' },
  submit: { type: 'plain_text', text: 'Save' },
  close: { type: 'plain_text', text: 'Cancel' },
  private_metadata: given.metadata,
  blocks: [
    ...digestFormBlocks(given.fields, { alone: 'owner', problem: given.problem }),
    ...questionBlock(given.digest.questions),
  ],
})

/** Of a single question there is nothing to choose. */
const questionBlock = (questions: Digest['questions']): SlackBlock[] => {
  if (questions.length < 2) return []
  const options = questions.slice(0, maxDigestQuestions).map(({ id, text }) => ({
    text: { type: 'plain_text' as const, text: truncateText(text || '–', slackLimits.optionText) },
    value: id,
  }))
  return [
    {
      type: 'input',
      block_id: digestFormIds.questions,
      label: { type: 'plain_text', text: 'Its questions' },
      hint: { type: 'plain_text', text: 'Those without a tick are taken out.' },
      element: {
        type: 'checkboxes',
        action_id: digestFormIds.action,
        options,
        initial_options: options,
      },
    },
  ]
}

/** Gives a digest to somebody else, whose rights count from then on. */
export const handOverModal = ({
  title,
  metadata,
}: {
  readonly title: string
  readonly metadata: string
}): Modal => ({
  type: 'modal',
  callback_id: callbackIds.digestHandOver,
  title: { type: 'plain_text', text: 'Hand over' },
  submit: { type: 'plain_text', text: 'Hand over' },
  close: { type: 'plain_text', text: 'Cancel' },
  private_metadata: metadata,
  blocks: [
    {
      type: 'section',
      text: { type: 'mrkdwn', verbatim: true, text: `*${escapeAndTruncate(title || '–', 1_000)}*` },
    },
    {
      type: 'input',
      block_id: digestFormIds.person,
      label: { type: 'plain_text', text: 'To whom' },
      hint: {
        type: 'plain_text',
        text: 'It runs with their rights from then on, and notices about it go to them.',
      },
      element: {
        type: 'users_select',
        action_id: digestFormIds.action,
        placeholder: { type: 'plain_text', text: 'Choose a person' },
      },
    },
  ],
})

const MOST_PERIODS = 5

/**
 * What one run of a digest sent to the database. Where that is not known, the statements as they were saved, and which
 * periods in them move.
 */
export const digestSqlModal = (
  { questions }: Pick<Digest, 'questions'>,
  ran: readonly ExecutedStatement[] | null,
): Modal => {
  const shown =
    ran?.map(({ periods, ...one }) => ({ ...one, note: formatDays(periods) })) ??
    questions.map(({ text, statement }) => ({
      text,
      sql: statement.sql,
      note: formatMovingPeriods(statement),
    }))
  return {
    type: 'modal',
    callback_id: callbackIds.showSql,
    title: { type: 'plain_text', text: 'SQL' },
    close: { type: 'plain_text', text: 'Close' },
    blocks: shown
      .flatMap(({ text, sql, note }): SlackBlock[] => [
        ...(shown.length > 1 ? [sectionBlock(`*${escapeAndTruncate(text || '–', 500)}*`)] : []),
        ...sqlBlocks(sql),
        ...(note === '' ? [] : [contextBlock(note)]),
      ])
      .slice(0, slackLimits.blocksPerView),
  }
}

const formatDays = (periods: readonly string[]): string =>
  periods
    .slice(0, MOST_PERIODS)
    .map(period => escapeAndTruncate(period, 200))
    .join('  ·  ')

const formatMovingPeriods = ({ periods }: RelativeSql): string => {
  const moving = periods
    .slice(0, MOST_PERIODS)
    .map(({ phrase }) => `“${escapeAndTruncate(phrase, 100)}”`)
    .join(', ')
  return moving === '' ? '' : `As it was saved. The days of ${moving} move along: each run has its own.`
}
