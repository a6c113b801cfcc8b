import type { Digest } from '../../domain/digest.ts'
import type { HomeDatabase, HomeFacts, RecentQuestion } from '../../domain/home.ts'
import type { QuestionStatus } from '../../domain/question.ts'
import { actionIds } from '../action-ids.ts'
import { buttonRow, contextBlock, type RowButton, sectionBlock } from '../block-kit/blocks.ts'
import { slackLimits } from '../block-kit/limits.ts'
import type { SlackBlock } from '../block-kit/schema.ts'
import {
  escapeAndTruncate,
  escapeMrkdwn,
  mention,
  slackDate,
  threadLink,
  truncateText,
} from '../block-kit/text.ts'
import { deleteButton, writeDigestKey } from './digests/buttons.ts'
import { formatSchedule, formatStatus, formatTarget } from './digests/format.ts'
import { homeAdminBlocks } from './home-admin.ts'

const TABLES_NAMED = 20

const CHANNELS_NAMED = 8

const EXAMPLES = 4

/** Of a question in a list. */
const LONGEST_QUESTION = 120

/** What is shown beside the facts. */
interface HomeContext {
  /** Of the workspace, with a slash at the end, for links; null where it is not known. */
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

/** App Home: what may be asked and where, what to ask, what one has asked; and for admins what there is to decide. */
export const homeView = (facts: HomeFacts, { workspaceUrl, note, digests }: HomeContext): HomeTab => ({
  type: 'home',
  blocks: [
    { type: 'header', text: { type: 'plain_text', text: 'Querent' } },
    ...(note === undefined ? [] : [sectionBlock(`:information_source: ${escapeMrkdwn(note)}`)]),
    ...intro(facts),
    ...facts.databases.flatMap(databaseBlocks),
    ...exampleBlocks(facts.examples),
    ...recentBlocks(facts.recent, workspaceUrl),
    ...(facts.notAllowed !== null && digests.total === 0 ? [] : homeDigestBlocks(digests)),
    ...(facts.admin ? homeAdminBlocks(facts.admin, workspaceUrl) : []),
  ],
})

const intro = ({ notAllowed }: HomeFacts): SlackBlock[] =>
  notAllowed === null
    ? [
        sectionBlock(
          'Ask me a question about your data: mention me in a channel, write to me, or use `/querent ask`.',
        ),
      ]
    : [sectionBlock(escapeMrkdwn(notAllowed.reason)), contextBlock(escapeMrkdwn(notAllowed.nextStep))]

const databaseBlocks = ({ name, description, channels, direct, known }: HomeDatabase): SlackBlock[] => {
  const about = description === null ? '' : `\n${escapeMrkdwn(truncateText(description, 300))}`
  const named = channels.slice(0, CHANNELS_NAMED).map(channel => `#${escapeMrkdwn(channel)}`)
  const more = channels.length - named.length
  const places = [
    ...(direct ? ['here'] : []),
    ...named,
    ...(more > 0 ? [`${more} more ${more === 1 ? 'channel' : 'channels'}`] : []),
  ]
  const where = places.length === 0 ? '' : `Ask it ${direct ? '' : 'in '}${places.join(', ')}.`
  const fresh =
    known === null
      ? 'It is being read for the first time, or cannot be reached; open this tab again in a minute.'
      : `Read ${slackDate(known.measuredAt)}.`
  return [
    { type: 'divider' },
    sectionBlock(`*${escapeMrkdwn(name)}*${about}${known === null ? '' : `\n${tablesOf(known.tables)}`}`),
    contextBlock([where, fresh].filter(part => part !== '').join('  ·  ')),
  ]
}

const tablesOf = (tables: NonNullable<HomeDatabase['known']>['tables']): string => {
  if (tables.length === 0) return 'No tables.'
  const named = tables
    .slice(0, TABLES_NAMED)
    .map(
      ({ name, rows }) =>
        `\`${escapeMrkdwn(truncateText(name, 80))}\`${rows === null ? '' : ` (${formatCount(rows, 'row')})`}`,
    )
  const more = tables.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more; \`/querent schema\` lists all` : ''}`
}

const exampleBlocks = (examples: readonly string[]): SlackBlock[] => {
  const shown = examples.filter(({ length }) => length <= slackLimits.buttonValue).slice(0, EXAMPLES)
  if (shown.length === 0) return []
  return [
    { type: 'divider' },
    sectionBlock('*Try one of these*\nThe answer comes into your messages with me.'),
    {
      type: 'actions',
      elements: shown.map((example, i) => ({
        type: 'button' as const,
        action_id: `${actionIds.homeExample}${i + 1}`,
        text: { type: 'plain_text' as const, text: truncateText(example, slackLimits.buttonText) },
        value: example,
      })),
    },
  ]
}

const recentBlocks = (recent: readonly RecentQuestion[], workspaceUrl: string | null): SlackBlock[] => {
  if (recent.length === 0) return []
  const lines = recent.map(({ text, status, location: place, askedAt }) => {
    const question = text === '' ? '(a mention without a question)' : truncateText(text, LONGEST_QUESTION)
    return `• ${threadLink(workspaceUrl, place, question)}  ·  ${statusLabels[status]}, ${slackDate(askedAt)}`
  })
  return [{ type: 'divider' }, sectionBlock(`*Your questions*\n${lines.join('\n')}`)]
}

const statusLabels: Readonly<Record<QuestionStatus, string>> = {
  queued: 'waits for its turn',
  working: 'is being worked on',
  waiting: 'waits for your reply',
  stopping: 'is being stopped',
  answered: 'answered',
  refused: 'not answered',
  failed: 'failed',
  stopped: 'stopped',
}

const formatCount = (n: number, what: string): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? what : `${what}s`}`

/** Digests on one page of App Home: of twice as many, a view would soon be full. */
export const digestsPerPage = 10

/** One page of digests. `all`: they are of everybody, for an admin. */
export interface HomeDigests {
  readonly digests: readonly Digest[]
  readonly total: number
  readonly offset: number
  readonly all: boolean
}

/** The digests of whoever looks, or everybody's for an admin: the next due first, each with what can be done with it. */
export const homeDigestBlocks = ({ digests, total, offset, all }: HomeDigests): SlackBlock[] => {
  const title = all ? '*Digests of everybody*' : '*Your digests*'
  if (total === 0)
    return [
      { type: 'divider' },
      sectionBlock(`${title}\nNone yet. Press _Schedule_ under an answer to have it again and again.`),
    ]
  return [
    { type: 'divider' },
    sectionBlock(`${title} (${total.toLocaleString('en-US')})`),
    ...digests.slice(0, digestsPerPage).flatMap(digest => digestBlocks(digest, { offset, all })),
    ...pageBlocks({ digests, total, offset, all }),
  ]
}

const digestBlocks = (
  digest: Digest,
  { offset, all }: { readonly offset: number; readonly all: boolean },
): SlackBlock[] => {
  const { id, title, questions, owner } = digest
  const many = questions.length > 1 ? `  ·  ${questions.length} questions` : ''
  const whose = all ? `  ·  of ${mention(owner)}` : ''
  return [
    sectionBlock(
      `*${escapeAndTruncate(title || '–', 300)}*${many}${whose}\n${formatSchedule(digest)}, ${formatTarget(digest)}${digest.pause === null ? '  ·  ' : '\n'}${formatStatus(digest)}`,
    ),
    buttonRow(writeDigestKey({ digestId: id, offset, run: null }), digestButtons(digest)),
  ]
}

const digestButtons = ({ pause, repair }: Digest): readonly RowButton[] => [
  ...(repair === null ? [] : [[actionIds.digestRepairCompare, 'Decide', { style: 'primary' }] as const]),
  [actionIds.digestEdit, 'Edit'],
  pause === null ? [actionIds.digestPause, 'Pause'] : [actionIds.digestResume, 'Resume'],
  [actionIds.digestRun, 'Run now'],
  [actionIds.digestHandOver, 'Hand over'],
  deleteButton,
]

const pageBlocks = ({ digests, total, offset }: HomeDigests): SlackBlock[] => {
  if (total <= digestsPerPage && offset === 0) return []
  const last = offset + digests.length
  const before = Math.max(0, offset - digestsPerPage)
  const buttons = [
    ...(offset > 0 ? [pageButton(actionIds.homeDigestsPrevious, 'Previous', before)] : []),
    ...(last < total ? [pageButton(actionIds.homeDigestsNext, 'Next', offset + digestsPerPage)] : []),
  ]
  const shown = digests.length === 0 ? 'None on this page' : `${offset + 1} to ${last}`
  return [
    contextBlock(`${shown} of ${total.toLocaleString('en-US')}`),
    ...(buttons.length === 0 ? [] : [{ type: 'actions' as const, elements: buttons }]),
  ]
}

const pageButton = (actionId: string, says: string, offset: number) => ({
  type: 'button' as const,
  action_id: actionId,
  text: { type: 'plain_text' as const, text: says },
  value: String(offset),
})
