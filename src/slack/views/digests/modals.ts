import {
  type Digest,
  type ExecutedStatement,
  maxDigestQuestions,
  type RelativeSql,
} from '../../../domain/digests/digest.ts'
import { callbackIds } from '../../action-ids.ts'
import { contextBlock, plainContextBlock, plainText, sectionBlock } from '../../block-kit/blocks.ts'
import { formModal, type Modal, readingModal } from '../../block-kit/modal.ts'
import { type SlackBlock, slackLimits } from '../../block-kit/schema.ts'
import { escapeAndTruncate, escapeMrkdwn, slackDate, truncateText } from '../../block-kit/text.ts'
import { sqlModalTitle } from '../../copy/answer-actions.ts'
import { noteText } from '../../copy/digest.ts'
import {
  editDigestForm,
  handOverForm,
  movingPeriods,
  savedTexts,
  savedTitles,
  scheduleForm,
} from '../../copy/digest-forms.ts'
import { labels } from '../../copy/phrases.ts'
import { sqlBlocks } from '../sql-modal.ts'
import { type DigestFields, digestFormBlocks, digestFormIds } from './form.ts'
import { formatSchedule, formatTarget } from './format.ts'

/** What the form about a new digest is made of. */
interface ScheduleModalInput {
  readonly questionId: string
  readonly fields: DigestFields
  /** Digests of the person that have room for one more question. */
  readonly existing: readonly Pick<Digest, 'id' | 'title' | 'schedule'>[]
  /** Why the last attempt failed. */
  readonly problem?: string
}

/** Makes a digest of an answer, or adds the answer to an existing digest. */
export const scheduleModal = ({ questionId, fields, existing, problem }: ScheduleModalInput): Modal =>
  formModal({
    callbackId: callbackIds.schedule,
    title: scheduleForm.title,
    submit: labels.schedule,
    metadata: questionId,
    blocks: [
      ...digestFormBlocks(fields, { personOption: 'me', problem }),
      ...existingBlock(existing),
      plainContextBlock(scheduleForm.note),
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
      label: plainText(scheduleForm.existing),
      hint: plainText(scheduleForm.existingHint),
      element: {
        type: 'static_select',
        action_id: digestFormIds.action,
        placeholder: plainText(scheduleForm.newDigest),
        options: options.map(({ id, ...digest }) => ({ text: plainText(formatOption(digest)), value: id })),
      },
    },
  ]
}

/** Titles come from questions, so that several digests can have the same one: the schedule tells them apart. */
const formatOption = ({ title, schedule }: Pick<Digest, 'title' | 'schedule'>): string => {
  const when = ` · ${truncateText(schedule.words, 35)}`
  return `${truncateText(title || '–', slackLimits.optionText - when.length)}${when}`
}

const titleSection = (title: string, most = 1_000): SlackBlock =>
  sectionBlock(`*${escapeAndTruncate(title || '–', most)}*`)

const TIMES_SHOWN = 3

const REMARKS_SHOWN = 5

/** What a digest is now: in words, when it runs next, and what to know about it. */
export const digestSavedModal = ({
  outcome,
  digest,
  next,
  remarks = [],
}: {
  readonly outcome: keyof typeof savedTitles
  readonly digest: Digest
  readonly next: readonly Date[]
  readonly remarks?: readonly string[]
}): Modal =>
  readingModal(callbackIds.notice, savedTitles[outcome], [
    sectionBlock(
      `*${escapeAndTruncate(digest.title || '–', 1_000)}*\n${formatSchedule(digest)}, ${formatTarget(digest)}`,
    ),
    ...(next.length === 0
      ? []
      : [sectionBlock(`*${savedTexts.nextRuns}*\n${next.slice(0, TIMES_SHOWN).map(slackDate).join('\n')}`)]),
    ...remarks.slice(0, REMARKS_SHOWN).map(note => sectionBlock(noteText(escapeAndTruncate(note, 1_000)))),
    contextBlock(escapeMrkdwn(savedTexts.note)),
  ])

/** Changes a digest: its fields, and which of its questions stay. `metadata` says which digest, and where it was clicked. */
export const editDigestModal = (given: {
  readonly digest: Pick<Digest, 'questions'>
  readonly fields: DigestFields
  readonly metadata: string
  readonly problem?: string
}): Modal =>
  formModal({
    callbackId: callbackIds.digestEdit,
    title: editDigestForm.title,
    submit: labels.save,
    metadata: given.metadata,
    blocks: [
      ...digestFormBlocks(given.fields, { personOption: 'owner', problem: given.problem }),
      ...questionBlock(given.digest.questions),
    ],
  })

/** With a single question there is nothing to choose. */
const questionBlock = (questions: Digest['questions']): SlackBlock[] => {
  if (questions.length < 2) return []
  const options = questions.slice(0, maxDigestQuestions).map(({ id, text }) => ({
    text: plainText(truncateText(text || '–', slackLimits.optionText)),
    value: id,
  }))
  return [
    {
      type: 'input',
      block_id: digestFormIds.questions,
      label: plainText(editDigestForm.questions),
      hint: plainText(editDigestForm.questionsHint),
      element: {
        type: 'checkboxes',
        action_id: digestFormIds.action,
        options,
        initial_options: options,
      },
    },
  ]
}

/** Gives a digest to another person, whose permissions count from then on. */
export const handOverModal = ({
  title,
  metadata,
}: {
  readonly title: string
  readonly metadata: string
}): Modal =>
  formModal({
    callbackId: callbackIds.digestHandOver,
    title: handOverForm.title,
    submit: labels.handOver,
    metadata,
    blocks: [
      titleSection(title),
      {
        type: 'input',
        block_id: digestFormIds.person,
        label: plainText(handOverForm.person),
        hint: plainText(handOverForm.personHint),
        element: {
          type: 'users_select',
          action_id: digestFormIds.action,
          placeholder: plainText(handOverForm.choosePerson),
        },
      },
    ],
  })

const MOST_PERIODS = 5

/**
 * What one run of a digest sent to the database. If that is not known, the queries as they were saved, and which periods
 * in them move.
 */
export const digestSqlModal = (
  { questions }: Pick<Digest, 'questions'>,
  ran: readonly ExecutedStatement[] | null,
): Modal => {
  const shown =
    ran?.map(({ periods, ...statement }) => ({ ...statement, note: formatDays(periods) })) ??
    questions.map(({ text, statement }) => ({
      text,
      sql: statement.sql,
      note: formatMovingPeriods(statement),
    }))
  const blocks = shown.flatMap(({ text, sql, note }): SlackBlock[] => [
    ...(shown.length > 1 ? [titleSection(text, 500)] : []),
    ...sqlBlocks(sql),
    ...(note === '' ? [] : [contextBlock(note)]),
  ])
  return readingModal(callbackIds.showSql, sqlModalTitle, blocks.slice(0, slackLimits.blocksPerView))
}

const formatDays = (periods: readonly string[]): string =>
  periods
    .slice(0, MOST_PERIODS)
    .map(period => escapeAndTruncate(period, 200))
    .join('  ·  ')

const formatMovingPeriods = ({ periods }: RelativeSql): string =>
  periods.length === 0
    ? ''
    : movingPeriods(periods.slice(0, MOST_PERIODS).map(({ phrase }) => escapeAndTruncate(phrase, 100)))
