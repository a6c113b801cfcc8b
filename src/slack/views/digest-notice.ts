import { type DigestRepair, failuresBeforePause } from '../../core/digest.ts'
import type { DigestNotice } from '../../core/digest-delivery.ts'
import { actionIds } from '../action-ids.ts'
import type { SlackBlock } from '../block-schema.ts'
import type { SlackMessage } from '../check-message.ts'
import { truncateText } from '../cut-text.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import { fallbackText } from '../fallback-text.ts'
import { buttonRow, type RowButton } from './button-row.ts'
import { deleteButton } from './delete-digest.ts'
import { repairBlocks, repairButtons, repairSqlTexts } from './repair-blocks.ts'
import { contextBlock, sectionBlock } from './say-block.ts'
import { formatTarget } from './say-digest.ts'

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
