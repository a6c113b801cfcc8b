import {
  type Digest,
  type DigestNotice,
  type DigestRepair,
  failuresBeforePause,
} from '../../../domain/digests/digest.ts'
import type { DigestRequestOutcome, RepairDecision } from '../../../domain/digests/use-cases.ts'
import { actionIds, callbackIds } from '../../action-ids.ts'
import {
  buttonRow,
  contextBlock,
  plainReply,
  type RowButton,
  type SlackMessage,
  sectionBlock,
} from '../../block-kit/blocks.ts'
import { type Modal, readingModal } from '../../block-kit/modal.ts'
import type { SlackBlock } from '../../block-kit/schema.ts'
import {
  escapeAndTruncate,
  escapeMrkdwn,
  escapeSentence,
  fallbackText,
  mention,
  slackDate,
  truncateText,
} from '../../block-kit/text.ts'
import { digestListTexts, noteText, requestedDigestTexts, withheldDigestText } from '../../copy/digest.ts'
import { noticeTexts, repairDecisionTexts, repairTitles } from '../../copy/digest-forms.ts'
import { digestHelpNote, digestHelpSummary, digestHelpText, unknownDigestCommand } from '../../copy/help.ts'
import { digestsTitle, ownedBy } from '../../copy/home.ts'
import { andMore, formatNumber, labels } from '../../copy/phrases.ts'
import { sqlBlocks } from '../sql-modal.ts'
import {
  deleteButton,
  formatDigestRefusal,
  formatSchedule,
  formatStatus,
  formatTarget,
  writeRepairKey,
} from './format.ts'

const LONGEST_TITLE = 150

const LONGEST_REASON = 500

/** Both queries must fit into one message; if they do not, a modal shows them whole. */
const LONGEST_SQL = 1_500

const resumeButton: RowButton = [actionIds.digestResume, labels.resume, { style: 'primary' }]

const pauseButton: RowButton = [actionIds.digestPause, labels.pause]

const runButton: RowButton = [actionIds.digestRun, labels.runNow]

const editButton: RowButton = [actionIds.digestEdit, labels.edit]

const handOverButton: RowButton = [actionIds.digestHandOver, labels.handOver]

const askAgainButton: RowButton = [actionIds.digestAskAgain, labels.askAgain, { style: 'primary' }]

const compareButton: RowButton = [actionIds.digestRepairCompare, labels.compare]

/** What the owner of a digest is told, with buttons for what can be done. */
export const digestNotice = (given: DigestNotice): SlackMessage => {
  const { digest, notice } = given
  const title = `“${truncateText(digest.title, LONGEST_TITLE)}”`
  const reason = truncateText(
    'reason' in notice ? notice.reason : noticeTexts.sqlNoLongerFits,
    LONGEST_REASON,
  )
  const noticeOf = (what: string, nextStep: string, buttons: readonly RowButton[]): SlackMessage => ({
    text: fallbackText(`${what} ${reason}`),
    blocks: [
      sectionBlock(`${escapeSentence(what)}\n${escapeSentence(reason)}`),
      contextBlock(nextStep.trim() || '–'),
      buttonRow(digest.id, buttons),
    ],
  })
  switch (notice.kind) {
    case 'failed': {
      const nextStep = escapeAndTruncate(notice.nextStep, LONGEST_REASON)
      return notice.paused
        ? noticeOf(noticeTexts.failedAndPaused(title, failuresBeforePause), nextStep, [
            resumeButton,
            runButton,
            editButton,
          ])
        : noticeOf(noticeTexts.failed(title), noticeTexts.failedNextStep(nextStep, failuresBeforePause), [
            runButton,
            pauseButton,
            editButton,
          ])
    }
    case 'not-allowed':
      return noticeOf(noticeTexts.notAllowed(title), escapeAndTruncate(notice.nextStep, LONGEST_REASON), [
        resumeButton,
        editButton,
        handOverButton,
      ])
    case 'repair':
      return repairNotice(given, notice.repair, title)
    case 'unreachable': {
      const { kind } = digest.target
      const nextStep = noticeTexts.unreachableNextStep(formatTarget(digest), kind)
      return noticeOf(noticeTexts.unreachable(title, kind), nextStep, [resumeButton, editButton])
    }
    default: {
      const never: never = notice
      return never
    }
  }
}

const repairNotice = ({ digest }: DigestNotice, repair: DigestRepair, title: string): SlackMessage => {
  const what = noticeTexts.repair(title)
  const fits = repairSqlTexts(digest, repair).every(sql => escapeMrkdwn(sql).length <= LONGEST_SQL)
  const canAccept = repair.statement !== null
  return {
    text: fallbackText(`${what} ${repair.reason}`),
    blocks: [
      sectionBlock(escapeSentence(what)),
      ...(fits ? repairBlocks(digest, repair) : [repairReason(digest, repair)]),
      contextBlock(
        canAccept ? (fits ? noticeTexts.acceptHere : noticeTexts.acceptInModal) : noticeTexts.noRepair,
      ),
      ...(canAccept
        ? fits
          ? repairButtons(digest, repair)
          : [buttonRow(digest.id, [compareButton])]
        : [buttonRow(digest.id, [askAgainButton, editButton, resumeButton, deleteButton])]),
    ],
  }
}

const repairReason = ({ questions }: Digest, { questionId, reason }: DigestRepair): SlackBlock => {
  const question = questions.find(({ id }) => id === questionId)
  return sectionBlock(
    `*${escapeAndTruncate(question?.text || '–', LONGEST_REASON)}*\n${escapeAndTruncate(reason, LONGEST_REASON)}`,
  )
}

/** Lines that are shown of what is different; a wide query may have more. */
const MOST_LINES = 6

const LONGEST_LINE = 300

/** A query of a digest as it is now, and as it would be: each of them whole. Without a repair, only as it is now. */
const repairBlocks = (digest: Digest, repair: DigestRepair): SlackBlock[] => {
  const question = digest.questions.find(({ id }) => id === repair.questionId)
  const { statement, says = [], other } = repair
  return [
    repairReason(digest, repair),
    ...(question ? [sectionBlock(`*${repairTitles.before}*`), ...sqlBlocks(question.statement.sql)] : []),
    ...(statement ? proposalBlocks(repairTitles.proposed, says ?? [], statement.sql) : []),
    ...(other ? proposalBlocks(repairTitles.alternative, other.says, other.statement.sql) : []),
  ]
}

const proposalBlocks = (title: string, changes: readonly string[], sql: string): SlackBlock[] => {
  const lines = changes.slice(0, MOST_LINES).map(line => `\n• ${escapeAndTruncate(line, LONGEST_LINE)}`)
  return [sectionBlock(`*${title}*${lines.join('')}`), ...sqlBlocks(sql)]
}

/** All the SQL that `repairBlocks` shows. */
const repairSqlTexts = (digest: Digest, repair: DigestRepair): readonly string[] => [
  digest.questions.find(({ id }) => id === repair.questionId)?.statement.sql ?? '',
  repair.statement?.sql ?? '',
  repair.other?.statement.sql ?? '',
]

/** `Accept`, for one of two proposals if there are two, and `Refuse`. None if there is nothing to accept. */
const repairButtons = (digest: Digest, repair: DigestRepair): SlackBlock[] =>
  repair.statement === null
    ? []
    : [
        buttonRow(writeRepairKey({ digestId: digest.id, proposedAt: repair.proposedAt }), [
          [
            actionIds.digestRepairAccept,
            repair.other ? labels.acceptFirst : labels.accept,
            { style: 'primary' },
          ],
          ...(repair.other ? [[actionIds.digestRepairAcceptOther, labels.acceptSecond] as const] : []),
          [actionIds.digestRepairRefuse, labels.refuse],
        ]),
      ]

/** A proposed repair with both queries whole, and the buttons that decide. */
export const repairModal = (digest: Digest, repair: DigestRepair): Modal =>
  readingModal(callbackIds.digestRepair, repairTitles.modal, [
    ...repairBlocks(digest, repair),
    ...repairButtons(digest, repair),
  ])

/** What replaces a proposal once it is decided. */
export const repairDecisionView = (
  title: string,
  decision: RepairDecision,
  after: { readonly isPaused: boolean },
): SlackMessage => plainReply(repairDecisionTexts(title, decision, after))

/** What the command can do with digests; after words that it does not know, with what was typed. */
export const digestHelpView = (typed: string | null): SlackMessage => ({
  text: fallbackText(digestHelpSummary),
  blocks: [
    ...(typed === null ? [] : [sectionBlock(unknownDigestCommand(escapeAndTruncate(typed, 300)))]),
    sectionBlock(digestHelpText),
    contextBlock(digestHelpNote),
  ],
})

/** Digests with their ids. `all`: everyone's, for an admin. */
export const digestListView = ({
  digests,
  total,
  all,
}: {
  readonly digests: readonly Digest[]
  readonly total: number
  readonly all: boolean
}): SlackMessage => {
  const title = digestsTitle({ isEveryones: all })
  const text = fallbackText(digestListTexts.summary(title, total))
  if (total === 0) return { text, blocks: [sectionBlock(`*${title}*\n${digestListTexts.none}`)] }
  const more = total - digests.length
  return {
    text,
    blocks: [
      sectionBlock(`*${title}* (${formatNumber(total)})`),
      ...digests.map(digest => sectionBlock(formatListed(digest, { all }))),
      ...(more > 0 ? [contextBlock(digestListTexts.more(andMore(more)))] : []),
    ],
  }
}

const formatListed = (digest: Digest, { all }: { readonly all: boolean }): string => {
  const heading = `*${escapeAndTruncate(digest.title || '–', 150)}*  \`${digest.id}\`${all ? `  ·  ${ownedBy(mention(digest.owner))}` : ''}`
  return `${heading}\n${formatSchedule(digest)}, ${formatTarget(digest)}\n${formatStatus(digest)}`
}

const TIMES_SHOWN = 3

const REMARKS_SHOWN = 5

/** What became of a digest that was asked for together with its question, for the question's thread. */
export const requestedDigestView = (outcome: DigestRequestOutcome): SlackMessage => {
  switch (outcome.status) {
    case 'scheduled': {
      const { digest, next, notes: remarks } = outcome
      const { words, timeZone } = digest.schedule
      const times = next.slice(0, TIMES_SHOWN).map(slackDate)
      return {
        text: fallbackText(requestedDigestTexts.summary(words, timeZone)),
        blocks: [
          sectionBlock(requestedDigestTexts.scheduled(formatSchedule(digest), formatTarget(digest), times)),
          ...remarks
            .slice(0, REMARKS_SHOWN)
            .map(note => sectionBlock(noteText(escapeAndTruncate(note, 1_000)))),
          contextBlock(requestedDigestTexts.note),
        ],
      }
    }
    case 'unfit':
      return plainReply(requestedDigestTexts.refused(formatDigestRefusal(outcome.refusal)))
    case 'unanswered':
      return plainReply(requestedDigestTexts.unanswered(outcome.end))
    case 'broken':
      return plainReply(requestedDigestTexts.broken)
    default: {
      const never: never = outcome
      return never
    }
  }
}

/** In place of a run of a digest, once somebody is in the channel who may not see its rows. */
export const withheldDigestView = (): SlackMessage => ({
  text: withheldDigestText,
  blocks: [sectionBlock(withheldDigestText)],
})
