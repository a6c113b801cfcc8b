import type { AdminFacts, FailedQuestion, FailedToken } from '../../core/home.ts'
import { maxRuleTextLength, type ProposedRule } from '../../core/proposed-rule.ts'
import type { StoredVerifiedQuery } from '../../core/verified-recheck.ts'
import { actionIds } from '../action-ids.ts'
import type { SlackBlock } from '../block-schema.ts'
import { truncateText } from '../cut-text.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { slackLimits } from '../limits.ts'
import { mention } from '../mention.ts'
import { adminSummary } from './admin-summary.ts'
import { failedJobBlocks } from './dead-jobs.ts'
import { contextBlock, sectionBlock } from './say-block.ts'
import { slackDate } from './slack-date.ts'
import { writeStalenessKey } from './staleness-key.ts'
import { threadLink } from './thread-link.ts'

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
    ({ text, reason, place, askedAt }) =>
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
