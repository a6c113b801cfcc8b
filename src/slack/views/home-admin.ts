import type { AdminFacts, FailedQuestion, FailedToken } from '../../domain/home.ts'
import { maxRuleTextLength, type ProposedRule } from '../../domain/knowledge.ts'
import type { DeadJob } from '../../domain/operations/jobs.ts'
import type { StoredVerifiedQuery } from '../../domain/verified-query.ts'
import { actionIds } from '../action-ids.ts'
import { contextBlock, sectionBlock } from '../block-kit/blocks.ts'
import { slackLimits } from '../block-kit/limits.ts'
import type { SlackBlock } from '../block-kit/schema.ts'
import { escapeMrkdwn, mention, slackDate, threadLink, truncateText } from '../block-kit/text.ts'
import { writeStalenessKey } from './verified-query.ts'

/** Of each list; the command line has all. */
const MOST_LISTED = 5

const LONGEST_TEXT = maxRuleTextLength

/** What admins see below their own part of App Home, and the buttons that decide. */
export const homeAdminBlocks = (facts: AdminFacts, workspaceUrl: string | null): SlackBlock[] => [
  { type: 'divider' },
  { type: 'header', text: { type: 'plain_text', text: 'For admins' } },
  sectionBlock(adminSummary(facts)),
  ...failedTokenBlocks(facts.failedTokens),
  ...listBlocks('Proposed rules', facts.rules, ruleBlocks, 'querent knowledge list'),
  ...listBlocks(
    'Verified queries that went stale',
    facts.verified.stale,
    staleBlocks,
    'querent verified list',
  ),
  ...failedQuestionBlocks(facts.failed, workspaceUrl),
  ...failedJobBlocks(facts.dead),
  ...indexBlocks(facts.databases),
]

const listBlocks = <Item>(
  title: string,
  items: readonly Item[],
  blocksOf: (item: Item) => SlackBlock[],
  command: string,
): SlackBlock[] => {
  if (items.length === 0) return []
  const more = items.length - MOST_LISTED
  return [
    sectionBlock(`*${title}* (${items.length})`),
    ...items.slice(0, MOST_LISTED).flatMap(blocksOf),
    ...(more > 0 ? [contextBlock(`and ${more} more: \`${command}\``)] : []),
  ]
}

const shorten = (text: string): string => escapeMrkdwn(truncateText(text.replace(/\s+/g, ' '), LONGEST_TEXT))

/** First of all that is to be done: once a token has expired, a whole workspace is without the bot. */
const failedTokenBlocks = (failed: readonly FailedToken[]): SlackBlock[] => {
  if (failed.length === 0) return []
  const lines = failed.map(({ teamName, reason, expiresAt }) => {
    const until = expiresAt === null ? '' : `, good until ${slackDate(expiresAt)}`
    return `• ${shorten(teamName)}${until}: ${shorten(reason)}`
  })
  return [
    sectionBlock(`*Tokens that could not be exchanged*\n${lines.join('\n')}`),
    contextBlock('It is tried again every ten minutes. Where one has expired, install the app there again.'),
  ]
}

const ruleBlocks = ({
  id,
  database,
  question,
  phrase,
  meaning,
  sql,
  proposedBy,
}: ProposedRule): SlackBlock[] => {
  const by = proposedBy === null ? '' : ` by ${mention(proposedBy)}`
  const what =
    phrase === null
      ? `“${shorten(question)}” means ${shorten(meaning)}`
      : `“${shorten(phrase)}” is ${shorten(meaning)}`
  return [
    sectionBlock(`• ${what}${sql === null ? '' : `\n\`${shorten(sql)}\``}`),
    contextBlock(`${escapeMrkdwn(database)}  ·  proposed${by}`),
    buttons([
      { action: actionIds.homeRuleAccept, text: 'Accept', value: id, style: 'primary' },
      { action: actionIds.homeRuleReject, text: 'Reject', value: id },
    ]),
  ]
}

const staleBlocks = ({ id, database, question, staleness }: StoredVerifiedQuery): SlackBlock[] => {
  if (staleness === null) return []
  const value = writeStalenessKey({ queryId: id, since: staleness.since })
  return [
    sectionBlock(`• “${shorten(question)}”\n${staleness.reasons.slice(0, 3).map(shorten).join('; ')}`),
    contextBlock(`${escapeMrkdwn(database)}  ·  stale since ${slackDate(staleness.since)}`),
    buttons([
      { action: actionIds.homeStaleKeep, text: 'Keep', value },
      { action: actionIds.homeStaleRemove, text: 'Remove', value },
    ]),
  ]
}

const failedQuestionBlocks = (
  failed: readonly FailedQuestion[],
  workspaceUrl: string | null,
): SlackBlock[] => {
  if (failed.length === 0) return []
  const lines = failed.map(
    ({ text, reason, location: place, askedAt }) =>
      `• ${threadLink(workspaceUrl, place, truncateText(text, 100))}  ·  ${slackDate(askedAt)}\n${shorten(reason ?? 'The reason is not kept any more.')}`,
  )
  return [sectionBlock(`*Last failures*\n${lines.join('\n')}`)]
}

const indexBlocks = (databases: readonly string[]): SlackBlock[] => {
  const named = databases.filter(({ length }) => length <= slackLimits.buttonValue).slice(0, MOST_LISTED)
  if (named.length === 0) return []
  return named.map(database =>
    buttons([
      {
        action: actionIds.homeRebuild,
        text: truncateText(`Rebuild the index of ${database}`, slackLimits.buttonText),
        value: database,
      },
    ]),
  )
}

const buttons = (
  given: readonly {
    readonly action: string
    readonly text: string
    readonly value: string
    readonly style?: 'primary'
  }[],
): SlackBlock => ({
  type: 'actions',
  elements: given.map(({ action, text, value, style }) => ({
    type: 'button' as const,
    action_id: action,
    text: { type: 'plain_text' as const, text },
    value,
    ...(style && { style }),
  })),
})

const LONGEST_REASON = 200

/** Jobs that failed for good, with what an admin can do about each. Nothing where there are none. */
const failedJobBlocks = ({ jobs, total }: AdminFacts['dead']): SlackBlock[] => {
  if (jobs.length === 0) return []
  const more = total - jobs.length
  return [
    sectionBlock(`*Jobs that failed for good* (${total})`),
    ...jobs.flatMap(jobBlocks),
    ...(more > 0 ? [contextBlock(`and ${more} more: decide on these, and they come up`)] : []),
  ]
}

const jobBlocks = ({ id, queue, failedAt, attempts, code, reason }: DeadJob): SlackBlock[] => [
  sectionBlock(
    `• \`${escapeMrkdwn(queue)}\`  ·  ${slackDate(failedAt)}  ·  ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${code === null ? '' : `  ·  ${escapeMrkdwn(code)}`}\n${escapeMrkdwn(truncateText(reason.replace(/\s+/g, ' '), LONGEST_REASON))}`,
  ),
  {
    type: 'actions',
    elements: [
      {
        type: 'button',
        action_id: actionIds.homeJobRetry,
        text: { type: 'plain_text', text: 'Retry' },
        value: id,
      },
      {
        type: 'button',
        action_id: actionIds.homeJobDrop,
        text: { type: 'plain_text', text: 'Drop' },
        value: id,
      },
    ],
  },
]

/** How the bot does, in lines of mrkdwn: for App Home and for the command. */
export const adminSummary = ({ questions, votes, selector, verified, rules }: AdminFacts): string =>
  [
    `*Questions*: ${formatNumber(questions.answered)} answered, ${formatNumber(questions.refused)} not answered, ${formatNumber(questions.failed)} failed`,
    `*Votes*: ${formatNumber(votes.up)} found right, ${formatNumber(votes.down)} found wrong`,
    `*Selector*: ${formatSelector(selector)}`,
    `*Verified queries*: ${formatNumber(verified.accepted)} in use, ${formatNumber(verified.proposed)} proposed, ${formatNumber(verified.stale.length)} stale`,
    `*Proposed rules*: ${formatNumber(rules.length)}`,
  ].join('\n')

/** The measured lift of the one in use over the one before, on votes it had not seen and on the shipped benchmark. */
const formatSelector = ({ version, report }: AdminFacts['selector']): string => {
  if (report === null)
    return `${escapeMrkdwn(version)}, as Querent comes; nothing learned here has beaten it yet`
  const { heldOut, benchmark, against } = report
  const lift = `loss on ${formatNumber(heldOut.questions)} held-out questions ${heldOut.champion.toFixed(3)} → ${heldOut.challenger.toFixed(3)} (gain ${heldOut.gain.toFixed(3)} ± ${heldOut.standardError.toFixed(3)})`
  const kept = `benchmark ${formatNumber(benchmark.champion)} → ${formatNumber(benchmark.challenger)} of ${formatNumber(benchmark.questions)} right`
  return `${escapeMrkdwn(version)}, learned here; against ${escapeMrkdwn(against)}: ${lift}; ${kept}`
}

const formatNumber = (count: number): string => count.toLocaleString('en-US')
