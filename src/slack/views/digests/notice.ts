import {
  type Digest,
  type DigestNotice,
  type DigestRepair,
  failuresBeforePause,
} from '../../../domain/digest.ts'
import type { RepairDecision } from '../../../domain/digest-use-cases.ts'
import { actionIds, callbackIds } from '../../action-ids.ts'
import { buttonRow, contextBlock, plainReply, type RowButton, sectionBlock } from '../../block-kit/blocks.ts'
import type { SlackMessage } from '../../block-kit/message.ts'
import type { Modal } from '../../block-kit/modal.ts'
import type { SlackBlock } from '../../block-kit/schema.ts'
import { escapeAndTruncate, escapeMrkdwn, fallbackText, truncateText } from '../../block-kit/text.ts'
import { sqlBlocks } from '../sql-modal.ts'
import { deleteButton, writeRepairKey } from './buttons.ts'
import { formatTarget } from './format.ts'

const LONGEST_TITLE = 150

const LONGEST_REASON = 500

/** Both statements must fit beside each other; where they do not, a modal has them whole. */
const LONGEST_SQL = 1_500

const resumeButton: RowButton = [actionIds.digestResume, 'Resume', { style: 'primary' }]

const pauseButton: RowButton = [actionIds.digestPause, 'Pause']

const runButton: RowButton = [actionIds.digestRun, 'Run now']

const editButton: RowButton = [actionIds.digestEdit, 'Edit']

const handOverButton: RowButton = [actionIds.digestHandOver, 'Hand over']

const askAgainButton: RowButton = [actionIds.digestAskAgain, 'Ask again', { style: 'primary' }]

const compareButton: RowButton = [actionIds.digestRepairCompare, 'Compare']

/** What the owner of a digest is told alone, with what can be done about it. */
export const digestNotice = (given: DigestNotice): SlackMessage => {
  const { digest, notice } = given
  const title = `“${truncateText(digest.title, LONGEST_TITLE)}”`
  const reason = truncateText(
    'reason' in notice ? notice.reason : 'Its SQL does not fit the database any more.',
    LONGEST_REASON,
  )
  const say = (
    what: string,
    nextStep: string,
    buttons: readonly RowButton[],
    between: readonly SlackBlock[] = [],
  ): SlackMessage => ({
    text: fallbackText(`${what} ${reason}`),
    blocks: [
      sectionBlock(`${escapeMrkdwn(what)}\n${escapeMrkdwn(reason)}`),
      ...between,
      contextBlock(nextStep.trim() || '–'),
      ...(buttons.length === 0 ? [] : [buttonRow(digest.id, buttons)]),
    ],
  })
  switch (notice.kind) {
    case 'failed':
      return notice.paused
        ? say(
            `Your digest ${title} failed ${failuresBeforePause} times in a row, so it is paused.`,
            escapeAndTruncate(notice.nextStep, LONGEST_REASON),
            [resumeButton, runButton, editButton],
          )
        : say(
            `Your digest ${title} failed.`,
            `${escapeAndTruncate(notice.nextStep, LONGEST_REASON)} It runs again at its next time; after ${failuresBeforePause} failures in a row it is paused.`,
            [runButton, pauseButton, editButton],
          )
    case 'not-allowed':
      return say(
        `Your digest ${title} is paused: you may not see its data there any more.`,
        escapeAndTruncate(notice.nextStep, LONGEST_REASON),
        [resumeButton, editButton, handOverButton],
      )
    case 'repair':
      return repairNotice(given, notice.repair, title)
    case 'unreachable':
      return say(
        `Your digest ${title} is paused: it could not be posted ${digest.target.kind === 'channel' ? 'in its channel' : 'to its person'}.`,
        `It goes ${formatTarget(digest)}. Invite me there with \`/invite @querent\`, or choose another place under Edit; then resume it.`,
        [resumeButton, editButton],
      )
    default: {
      const never: never = notice
      return never
    }
  }
}

const repairNotice = ({ digest }: DigestNotice, repair: DigestRepair, title: string): SlackMessage => {
  const what = `Your digest ${title} is paused: a statement of it does not fit the database any more.`
  const question = digest.questions.find(({ id }) => id === repair.questionId)
  const fits = repairSqlTexts(digest, repair).every(sql => escapeMrkdwn(sql).length <= LONGEST_SQL)
  const about = fits
    ? repairBlocks(digest, repair)
    : [
        sectionBlock(
          `*${escapeAndTruncate(question?.text || '–', LONGEST_REASON)}*\n${escapeAndTruncate(repair.reason, LONGEST_REASON)}`,
        ),
      ]
  const nextStep =
    repair.statement === null
      ? 'I found nothing that could run in its place. Ask again asks the question where the digest goes, and makes a new digest of the answer. Edit takes it out where there are others. Resume it once the database is as it was, or delete it.'
      : `Nothing else runs until you decide. ${fits ? 'Accept' : 'Compare shows both statements; accepting'} lets the new one run from then on; Refuse keeps the digest paused.`
  return {
    text: fallbackText(`${what} ${repair.reason}`),
    blocks: [
      sectionBlock(escapeMrkdwn(what)),
      ...about,
      contextBlock(nextStep),
      ...(repair.statement === null
        ? [buttonRow(digest.id, [askAgainButton, editButton, resumeButton, deleteButton])]
        : fits
          ? repairButtons(digest, repair)
          : [buttonRow(digest.id, [compareButton])]),
    ],
  }
}

/** Lines that are shown of what is different; a wide statement may have more. */
const MOST_LINES = 6

const LONGEST_LINE = 300

/** What a statement of a digest is now, and what it would be: the whole of each. Without a repair, what is now. */
const repairBlocks = (digest: Digest, repair: DigestRepair): SlackBlock[] => {
  const question = digest.questions.find(({ id }) => id === repair.questionId)
  return [
    sectionBlock(
      `*${escapeAndTruncate(question?.text || '–', 500)}*\n${escapeAndTruncate(repair.reason, 500)}`,
    ),
    ...(question ? [sectionBlock('*It was*'), ...sqlBlocks(question.statement.sql)] : []),
    ...(repair.statement ? proposalBlocks('It would be', repair.says ?? [], repair.statement.sql) : []),
    ...(repair.other
      ? proposalBlocks('Or, just as likely', repair.other.says, repair.other.statement.sql)
      : []),
  ]
}

const proposalBlocks = (title: string, says: readonly string[], sql: string): SlackBlock[] => {
  const lines = says.slice(0, MOST_LINES).map(line => `\n• ${escapeAndTruncate(line, LONGEST_LINE)}`)
  return [sectionBlock(`*${title}*${lines.join('')}`), ...sqlBlocks(sql)]
}

/** All the SQL that `repairBlocks` shows. */
const repairSqlTexts = (digest: Digest, repair: DigestRepair): readonly string[] => [
  digest.questions.find(({ id }) => id === repair.questionId)?.statement.sql ?? '',
  repair.statement?.sql ?? '',
  repair.other?.statement.sql ?? '',
]

/** `Accept`, of two the one or the other, and `Refuse`. None where there is nothing to accept. */
const repairButtons = (digest: Digest, repair: DigestRepair): SlackBlock[] =>
  repair.statement === null
    ? []
    : [
        buttonRow(writeRepairKey({ digestId: digest.id, proposedAt: repair.proposedAt }), [
          [actionIds.digestRepairAccept, repair.other ? 'Accept the first' : 'Accept', { style: 'primary' }],
          ...(repair.other ? [[actionIds.digestRepairAcceptOther, 'Accept the second'] as const] : []),
          [actionIds.digestRepairRefuse, 'Refuse'],
        ]),
      ]

/** A proposed repair with both statements whole, and the buttons that decide. */
export const repairModal = (digest: Digest, repair: DigestRepair): Modal => ({
  type: 'modal',
  callback_id: callbackIds.digestRepair,
  title: { type: 'plain_text', text: 'Repair of a digest' },
  close: { type: 'plain_text', text: 'Close' },
  blocks: [...repairBlocks(digest, repair), ...repairButtons(digest, repair)],
})

/** What stands in the place of a proposal once it is decided. */
export const repairDecisionView = (
  title: string,
  decision: RepairDecision,
  { isPaused }: { readonly isPaused: boolean },
): SlackMessage =>
  decision !== 'refuse'
    ? plainReply(
        `The repair of “${title}” is accepted.`,
        isPaused
          ? 'The digest stays paused, as it was before: resume it in my Home tab.'
          : 'The digest runs again, from its next time on.',
      )
    : plainReply(
        `The repair of “${title}” is refused.`,
        'The digest stays paused. My Home tab has it, to resume or to delete.',
      )
