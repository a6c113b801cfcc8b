import { type DigestRepair, failuresBeforePause } from '../../core/digest.ts'
import type { DigestNotice } from '../../core/digest-delivery.ts'
import { actionIds } from '../action-ids.ts'
import type { CheckedBlock } from '../block-schema.ts'
import type { SlackMessage } from '../check-message.ts'
import { cutText } from '../cut-text.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { escapeWithin } from '../escape-within.ts'
import { fallbackText } from '../fallback-text.ts'
import { buttonRow, type RowButton } from './button-row.ts'
import { deleteDigest } from './delete-digest.ts'
import { repairBlocks, repairButtons, repairTexts } from './repair-blocks.ts'
import { sayBlock, smallPrint } from './say-block.ts'
import { sayTarget } from './say-digest.ts'

const LONGEST_TITLE = 150
const LONGEST_REASON = 500
/** Both statements must fit beside each other; where they do not, a modal has them whole. */
const LONGEST_SQL = 1_500

const resume: RowButton = [actionIds.digestResume, 'Resume', { style: 'primary' }]
const pause: RowButton = [actionIds.digestPause, 'Pause']
const run: RowButton = [actionIds.digestRun, 'Run now']
const edit: RowButton = [actionIds.digestEdit, 'Edit']
const handOver: RowButton = [actionIds.digestHandOver, 'Hand over']
const askAgain: RowButton = [actionIds.digestAskAgain, 'Ask again', { style: 'primary' }]
const compare: RowButton = [actionIds.digestRepair, 'Compare']

/** What the owner of a digest is told alone, with what can be done about it. */
export const digestNotice = (given: DigestNotice): SlackMessage => {
  const { digest, notice } = given
  const title = `“${cutText(digest.title, LONGEST_TITLE)}”`
  const reason = cutText(
    'reason' in notice ? notice.reason : 'Its SQL does not fit the database any more.',
    LONGEST_REASON,
  )
  const say = (
    what: string,
    nextStep: string,
    buttons: readonly RowButton[],
    between: readonly CheckedBlock[] = [],
  ): SlackMessage => ({
    text: fallbackText(`${what} ${reason}`),
    blocks: [
      sayBlock(`${escapeMrkdwn(what)}\n${escapeMrkdwn(reason)}`),
      ...between,
      smallPrint(nextStep.trim() || '–'),
      ...(buttons.length === 0 ? [] : [buttonRow(digest.id, buttons)]),
    ],
  })
  switch (notice.kind) {
    case 'failed':
      return notice.paused
        ? say(
            `Your digest ${title} failed ${failuresBeforePause} times in a row, so it is paused.`,
            escapeWithin(notice.nextStep, LONGEST_REASON),
            [resume, run, edit],
          )
        : say(
            `Your digest ${title} failed.`,
            `${escapeWithin(notice.nextStep, LONGEST_REASON)} It runs again at its next time; after ${failuresBeforePause} failures in a row it is paused.`,
            [run, pause, edit],
          )
    case 'not-allowed':
      return say(
        `Your digest ${title} is paused: you may not see its data there any more.`,
        escapeWithin(notice.nextStep, LONGEST_REASON),
        [resume, edit, handOver],
      )
    case 'repair':
      return repairNotice(given, notice.repair, title)
    case 'unreachable':
      return say(
        `Your digest ${title} is paused: it could not be posted ${digest.target.kind === 'channel' ? 'in its channel' : 'to its person'}.`,
        `It goes ${sayTarget(digest)}. Invite me there with \`/invite @querent\`, or choose another place under Edit; then resume it.`,
        [resume, edit],
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
  const fits = repairTexts(digest, repair).every(sql => escapeMrkdwn(sql).length <= LONGEST_SQL)
  const about = fits
    ? repairBlocks(digest, repair)
    : [
        sayBlock(
          `*${escapeWithin(question?.text || '–', LONGEST_REASON)}*\n${escapeWithin(repair.reason, LONGEST_REASON)}`,
        ),
      ]
  const nextStep =
    repair.statement === null
      ? 'I found nothing that could run in its place. Ask again asks the question where the digest goes, and makes a new digest of the answer. Edit takes it out where there are others. Resume it once the database is as it was, or delete it.'
      : `Nothing else runs until you decide. ${fits ? 'Accept' : 'Compare shows both statements; accepting'} lets the new one run from then on; Refuse keeps the digest paused.`
  return {
    text: fallbackText(`${what} ${repair.reason}`),
    blocks: [
      sayBlock(escapeMrkdwn(what)),
      ...about,
      smallPrint(nextStep),
      ...(repair.statement === null
        ? [buttonRow(digest.id, [askAgain, edit, resume, deleteDigest])]
        : fits
          ? repairButtons(digest, repair)
          : [buttonRow(digest.id, [compare])]),
    ],
  }
}
