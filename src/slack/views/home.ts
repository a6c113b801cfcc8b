import type { Digest } from '../../domain/digests/digest.ts'
import type { HomeDatabase, HomeFacts, RecentQuestion } from '../../domain/home.ts'
import { actionIds } from '../action-ids.ts'
import {
  button,
  buttonRow,
  contextBlock,
  dividerBlock,
  headerBlock,
  type RowButton,
  sectionBlock,
} from '../block-kit/blocks.ts'
import type { SlackBlock } from '../block-kit/schema.ts'
import {
  escapeAndTruncate,
  escapeMrkdwn,
  escapeSentence,
  mention,
  slackDate,
  threadLink,
  truncateText,
} from '../block-kit/text.ts'
import { noteText } from '../copy/digest.ts'
import {
  digestsTitle,
  emptyQuestion,
  examplesText,
  homeIntro,
  homeTitle,
  lastRead,
  moreTables,
  noDigests,
  noTables,
  notReadYet,
  ownedBy,
  pageRange,
  questionStatusLabels,
  whatYouSee,
  whereToAsk,
  yourQuestionsTitle,
} from '../copy/home.ts'
import { formatCount, formatNumber, labels } from '../copy/phrases.ts'
import { deleteButton, formatSchedule, formatStatus, formatTarget, writeDigestKey } from './digests/format.ts'
import { homeAdminBlocks } from './home-admin.ts'
import { exampleButtons } from './replies.ts'

const TABLES_NAMED = 20

const CHANNELS_NAMED = 8

/** Of a question in a list. */
const LONGEST_QUESTION = 120

/** Of what a person sees of one database. */
const LONGEST_RIGHTS = 800

/** What is shown beside the facts. */
interface HomeContext {
  /** Of the workspace, with a slash at the end, for links; null if it is not known. */
  readonly workspaceUrl: string | null
  /** What was just done, at the top. */
  readonly note?: string
  readonly digests: HomeDigests
}

/** A view of App Home, as `views.publish` takes it. */
interface HomeTab {
  readonly type: 'home'
  readonly blocks: readonly SlackBlock[]
}

/** App Home: what can be asked and where, examples, the person's own questions and digests; for admins, decisions. */
export const homeView = (facts: HomeFacts, { workspaceUrl, note, digests }: HomeContext): HomeTab => ({
  type: 'home',
  blocks: [
    headerBlock(homeTitle),
    ...(note === undefined ? [] : [sectionBlock(noteText(escapeMrkdwn(note)))]),
    ...introBlocks(facts),
    ...facts.databases.flatMap(databaseBlocks),
    ...exampleBlocks(facts.examples),
    ...recentBlocks(facts.recent, workspaceUrl),
    ...(facts.notAllowed !== null && digests.total === 0 ? [] : homeDigestBlocks(digests)),
    ...(facts.admin ? homeAdminBlocks(facts.admin, workspaceUrl) : []),
  ],
})

const introBlocks = ({ notAllowed }: HomeFacts): SlackBlock[] =>
  notAllowed === null
    ? [sectionBlock(homeIntro)]
    : [sectionBlock(escapeMrkdwn(notAllowed.reason)), contextBlock(escapeMrkdwn(notAllowed.nextStep))]

const databaseBlocks = ({
  name,
  description,
  channels,
  direct,
  rights,
  known,
}: HomeDatabase): SlackBlock[] => {
  const about = description === null ? '' : `\n${escapeSentence(truncateText(description, 300))}`
  const where = whereToAsk({
    isDirect: direct,
    channels: channels.slice(0, CHANNELS_NAMED).map(channel => `#${escapeSentence(channel)}`),
    moreChannels: channels.length - CHANNELS_NAMED,
  })
  const seen =
    rights.length === 0
      ? ''
      : `\n${whatYouSee} ${escapeAndTruncate(rights.join(' '), LONGEST_RIGHTS, escapeSentence)}`
  const freshness = known === null ? notReadYet : lastRead(slackDate(known.measuredAt))
  return [
    dividerBlock,
    sectionBlock(
      `*${escapeSentence(name)}*${about}${known === null ? '' : `\n${formatTables(known.tables)}`}${seen}`,
    ),
    contextBlock([where, freshness].filter(part => part !== '').join('  ·  ')),
  ]
}

const formatTables = (tables: NonNullable<HomeDatabase['known']>['tables']): string => {
  if (tables.length === 0) return noTables
  const named = tables
    .slice(0, TABLES_NAMED)
    .map(
      ({ name, rows }) =>
        `\`${escapeSentence(truncateText(name, 80))}\`${rows === null ? '' : ` (${formatCount(rows, 'row')})`}`,
    )
  const more = tables.length - named.length
  return `${named.join(', ')}${more > 0 ? moreTables(more) : ''}`
}

const exampleBlocks = (examples: readonly string[]): SlackBlock[] => {
  const buttons = exampleButtons(examples, actionIds.homeExample)
  return buttons.length === 0 ? [] : [dividerBlock, sectionBlock(examplesText), ...buttons]
}

const recentBlocks = (recent: readonly RecentQuestion[], workspaceUrl: string | null): SlackBlock[] => {
  if (recent.length === 0) return []
  const lines = recent.map(({ text, status, location, askedAt }) => {
    const question = text === '' ? emptyQuestion : truncateText(text, LONGEST_QUESTION)
    return `• ${threadLink(workspaceUrl, location, question)}  ·  ${questionStatusLabels[status]}, ${slackDate(askedAt)}`
  })
  return [dividerBlock, sectionBlock(`*${yourQuestionsTitle}*\n${lines.join('\n')}`)]
}

/** Digests on one page of App Home: with twice as many, a view would soon be full. */
export const digestsPerPage = 10

/** One page of digests. `all`: everyone's, for an admin. */
export interface HomeDigests {
  readonly digests: readonly Digest[]
  readonly total: number
  readonly offset: number
  readonly all: boolean
}

/** A person's digests, or everyone's for an admin: the next due first, each with what can be done with it. */
export const homeDigestBlocks = ({ digests, total, offset, all }: HomeDigests): SlackBlock[] => {
  const title = `*${digestsTitle({ isEveryones: all })}*`
  if (total === 0) return [dividerBlock, sectionBlock(`${title}\n${noDigests}`)]
  return [
    dividerBlock,
    sectionBlock(`${title} (${formatNumber(total)})`),
    ...digests.slice(0, digestsPerPage).flatMap(digest => digestBlocks(digest, { offset, all })),
    ...pageBlocks({ digests, total, offset, all }),
  ]
}

const digestBlocks = (
  digest: Digest,
  { offset, all }: { readonly offset: number; readonly all: boolean },
): SlackBlock[] => {
  const { id, title, questions, owner, pause } = digest
  const heading = [
    `*${escapeAndTruncate(title || '–', 300)}*`,
    ...(questions.length > 1 ? [formatCount(questions.length, 'question')] : []),
    ...(all ? [ownedBy(mention(owner))] : []),
  ]
  return [
    sectionBlock(
      `${heading.join('  ·  ')}\n${formatSchedule(digest)}, ${formatTarget(digest)}${pause === null ? '  ·  ' : '\n'}${formatStatus(digest)}`,
    ),
    buttonRow(writeDigestKey({ digestId: id, offset, run: null }), digestButtons(digest)),
  ]
}

const digestButtons = ({ pause, repair }: Digest): readonly RowButton[] => [
  ...(repair === null ? [] : [[actionIds.digestRepairCompare, labels.decide, { style: 'primary' }] as const]),
  [actionIds.digestEdit, labels.edit],
  pause === null ? [actionIds.digestPause, labels.pause] : [actionIds.digestResume, labels.resume],
  [actionIds.digestRun, labels.runNow],
  [actionIds.digestHandOver, labels.handOver],
  deleteButton,
]

const pageBlocks = ({ digests, total, offset }: HomeDigests): SlackBlock[] => {
  if (total <= digestsPerPage && offset === 0) return []
  const last = offset + digests.length
  const previous = Math.max(0, offset - digestsPerPage)
  const buttons = [
    ...(offset > 0 ? [button(actionIds.homeDigestsPrevious, labels.previous, String(previous))] : []),
    ...(last < total
      ? [button(actionIds.homeDigestsNext, labels.next, String(offset + digestsPerPage))]
      : []),
  ]
  return [
    contextBlock(pageRange(digests.length === 0 ? null : { from: offset + 1, to: last }, total)),
    ...(buttons.length === 0 ? [] : [{ type: 'actions' as const, elements: buttons }]),
  ]
}
