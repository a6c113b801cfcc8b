import type { AdminFacts, FailedQuestion, FailedToken } from '../../core/home.ts'
import { longestRuleText, type ProposedRule } from '../../core/proposed-rule.ts'
import type { KeptVerifiedQuery } from '../../core/verified-recheck.ts'
import { actionIds } from '../action-ids.ts'
import type { CheckedBlock } from '../block-schema.ts'
import { cutText } from '../cut-text.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { slackLimits } from '../limits.ts'
import { mention } from '../mention.ts'
import { adminSummary } from './admin-summary.ts'
import { deadJobBlocks } from './dead-jobs.ts'
import { sayBlock, smallPrint } from './say-block.ts'
import { slackDate } from './slack-date.ts'
import { writeStalenessKey } from './staleness-key.ts'
import { threadLink } from './thread-link.ts'

/** Of each list; the command line has all. */
const MOST_LISTED = 5
const LONGEST = longestRuleText

/** What admins see below their own part of App Home, and the buttons that decide. */
export const homeAdminBlocks = (facts: AdminFacts, workspaceUrl: string | null): CheckedBlock[] => [
  { type: 'divider' },
  { type: 'header', text: { type: 'plain_text', text: 'For admins' } },
  sayBlock(adminSummary(facts)),
  ...failedTokenBlocks(facts.failedTokens),
  ...listBlocks('Proposed rules', facts.rules, ruleBlocks, 'querent knowledge list'),
  ...listBlocks(
    'Verified queries that went stale',
    facts.verified.stale,
    staleBlocks,
    'querent verified list',
  ),
  ...failedBlocks(facts.failed, workspaceUrl),
  ...deadJobBlocks(facts.dead),
  ...indexBlocks(facts.databases),
]

const listBlocks = <Item>(
  title: string,
  items: readonly Item[],
  blocksOf: (item: Item) => CheckedBlock[],
  command: string,
): CheckedBlock[] => {
  if (items.length === 0) return []
  const more = items.length - MOST_LISTED
  return [
    sayBlock(`*${title}* (${items.length})`),
    ...items.slice(0, MOST_LISTED).flatMap(blocksOf),
    ...(more > 0 ? [smallPrint(`and ${more} more: \`${command}\``)] : []),
  ]
}

const short = (text: string): string => escapeMrkdwn(cutText(text.replace(/\s+/g, ' '), LONGEST))

/** First of all that is to be done: once a token has expired, a whole workspace is without the bot. */
const failedTokenBlocks = (failed: readonly FailedToken[]): CheckedBlock[] => {
  if (failed.length === 0) return []
  const lines = failed.map(({ teamName, reason, expiresAt }) => {
    const until = expiresAt === null ? '' : `, good until ${slackDate(expiresAt)}`
    return `• ${short(teamName)}${until}: ${short(reason)}`
  })
  return [
    sayBlock(`*Tokens that could not be exchanged*\n${lines.join('\n')}`),
    smallPrint('It is tried again every ten minutes. Where one has expired, install the app there again.'),
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
}: ProposedRule): CheckedBlock[] => {
  const by = proposedBy === null ? '' : ` by ${mention(proposedBy)}`
  const what =
    phrase === null
      ? `“${short(question)}” means ${short(meaning)}`
      : `“${short(phrase)}” is ${short(meaning)}`
  return [
    sayBlock(`• ${what}${sql === null ? '' : `\n\`${short(sql)}\``}`),
    smallPrint(`${escapeMrkdwn(database)}  ·  proposed${by}`),
    buttons([
      { action: actionIds.homeRuleAccept, text: 'Accept', value: id, style: 'primary' },
      { action: actionIds.homeRuleReject, text: 'Reject', value: id },
    ]),
  ]
}

const staleBlocks = ({ id, database, question, staleness }: KeptVerifiedQuery): CheckedBlock[] => {
  if (staleness === null) return []
  const value = writeStalenessKey({ queryId: id, since: staleness.since })
  return [
    sayBlock(`• “${short(question)}”\n${staleness.reasons.slice(0, 3).map(short).join('; ')}`),
    smallPrint(`${escapeMrkdwn(database)}  ·  stale since ${slackDate(staleness.since)}`),
    buttons([
      { action: actionIds.homeStaleKeep, text: 'Keep', value },
      { action: actionIds.homeStaleRemove, text: 'Remove', value },
    ]),
  ]
}

const failedBlocks = (failed: readonly FailedQuestion[], workspaceUrl: string | null): CheckedBlock[] => {
  if (failed.length === 0) return []
  const lines = failed.map(
    ({ text, reason, place, askedAt }) =>
      `• ${threadLink(workspaceUrl, place, cutText(text, 100))}  ·  ${slackDate(askedAt)}\n${short(reason ?? 'The reason is not kept any more.')}`,
  )
  return [sayBlock(`*Last failures*\n${lines.join('\n')}`)]
}

const indexBlocks = (databases: readonly string[]): CheckedBlock[] => {
  const named = databases.filter(({ length }) => length <= slackLimits.buttonValue).slice(0, MOST_LISTED)
  if (named.length === 0) return []
  return named.map(database =>
    buttons([
      {
        action: actionIds.homeRebuild,
        text: cutText(`Rebuild the index of ${database}`, slackLimits.buttonText),
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
): CheckedBlock => ({
  type: 'actions',
  elements: given.map(({ action, text, value, style }) => ({
    type: 'button' as const,
    action_id: action,
    text: { type: 'plain_text' as const, text },
    value,
    ...(style && { style }),
  })),
})
