import type { HomeDatabase, HomeFacts, RecentQuestion } from '../../core/home.ts'
import type { QuestionStatus } from '../../core/question.ts'
import { actionIds } from '../action-ids.ts'
import type { CheckedBlock } from '../block-schema.ts'
import { cutText } from '../cut-text.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { slackLimits } from '../limits.ts'
import { homeAdminBlocks } from './home-admin.ts'
import { type HomeDigests, homeDigestBlocks } from './home-digests.ts'
import { sayBlock, smallPrint } from './say-block.ts'
import { slackDate } from './slack-date.ts'
import { threadLink } from './thread-link.ts'

const TABLES_NAMED = 20
const CHANNELS_NAMED = 8
const EXAMPLES = 4
/** Of a question in a list. */
const LONGEST_QUESTION = 120

/** What is shown beside the facts. */
export interface HomeSurroundings {
  /** Of the workspace, with a slash at the end, for links; null where it is not known. */
  readonly workspaceUrl: string | null
  /** What was just done, at the top. */
  readonly note?: string
  readonly digests: HomeDigests
}

/** A view of App Home, as `views.publish` takes it. */
export interface HomeView {
  readonly type: 'home'
  readonly blocks: readonly CheckedBlock[]
}

/** App Home: what may be asked and where, what to ask, what one has asked; and for admins what there is to decide. */
export const homeView = (facts: HomeFacts, { workspaceUrl, note, digests }: HomeSurroundings): HomeView => ({
  type: 'home',
  blocks: [
    { type: 'header', text: { type: 'plain_text', text: 'Querent' } },
    ...(note === undefined ? [] : [sayBlock(`:information_source: ${escapeMrkdwn(note)}`)]),
    ...intro(facts),
    ...facts.databases.flatMap(databaseBlocks),
    ...exampleBlocks(facts.examples),
    ...recentBlocks(facts.recent, workspaceUrl),
    ...(facts.notAllowed !== null && digests.total === 0 ? [] : homeDigestBlocks(digests)),
    ...(facts.admin ? homeAdminBlocks(facts.admin, workspaceUrl) : []),
  ],
})

const intro = ({ notAllowed }: HomeFacts): CheckedBlock[] =>
  notAllowed === null
    ? [
        sayBlock(
          'Ask me a question about your data: mention me in a channel, write to me, or use `/querent ask`.',
        ),
      ]
    : [sayBlock(escapeMrkdwn(notAllowed.reason)), smallPrint(escapeMrkdwn(notAllowed.nextStep))]

const databaseBlocks = ({ name, description, channels, direct, known }: HomeDatabase): CheckedBlock[] => {
  const about = description === null ? '' : `\n${escapeMrkdwn(cutText(description, 300))}`
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
    sayBlock(`*${escapeMrkdwn(name)}*${about}${known === null ? '' : `\n${tablesOf(known.tables)}`}`),
    smallPrint([where, fresh].filter(part => part !== '').join('  ·  ')),
  ]
}

const tablesOf = (tables: NonNullable<HomeDatabase['known']>['tables']): string => {
  if (tables.length === 0) return 'No tables.'
  const named = tables
    .slice(0, TABLES_NAMED)
    .map(
      ({ name, rows }) =>
        `\`${escapeMrkdwn(cutText(name, 80))}\`${rows === null ? '' : ` (${count(rows, 'row')})`}`,
    )
  const more = tables.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more; \`/querent schema\` lists all` : ''}`
}

const exampleBlocks = (examples: readonly string[]): CheckedBlock[] => {
  const shown = examples.filter(({ length }) => length <= slackLimits.buttonValue).slice(0, EXAMPLES)
  if (shown.length === 0) return []
  return [
    { type: 'divider' },
    sayBlock('*Try one of these*\nThe answer comes into your messages with me.'),
    {
      type: 'actions',
      elements: shown.map((example, i) => ({
        type: 'button' as const,
        action_id: `${actionIds.homeAsk}${i + 1}`,
        text: { type: 'plain_text' as const, text: cutText(example, slackLimits.buttonText) },
        value: example,
      })),
    },
  ]
}

const recentBlocks = (recent: readonly RecentQuestion[], workspaceUrl: string | null): CheckedBlock[] => {
  if (recent.length === 0) return []
  const lines = recent.map(({ text, status, place, askedAt }) => {
    const question = text === '' ? '(a mention without a question)' : cutText(text, LONGEST_QUESTION)
    return `• ${threadLink(workspaceUrl, place, question)}  ·  ${statusWords[status]}, ${slackDate(askedAt)}`
  })
  return [{ type: 'divider' }, sayBlock(`*Your questions*\n${lines.join('\n')}`)]
}

const statusWords: Readonly<Record<QuestionStatus, string>> = {
  queued: 'waits for its turn',
  working: 'is being worked on',
  waiting: 'waits for your reply',
  stopping: 'is being stopped',
  answered: 'answered',
  refused: 'not answered',
  failed: 'failed',
  stopped: 'stopped',
}

const count = (n: number, what: string): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? what : `${what}s`}`
