import type { AdminFacts, FailedQuestion, FailedToken } from '../../domain/home.ts'
import { maxRuleTextLength, type ProposedRule } from '../../domain/knowledge.ts'
import type { DeadJob } from '../../domain/operations/jobs.ts'
import type { StoredVerifiedQuery } from '../../domain/verified-query.ts'
import { actionIds } from '../action-ids.ts'
import { buttonRow, contextBlock, dividerBlock, headerBlock, sectionBlock } from '../block-kit/blocks.ts'
import { type SlackBlock, slackLimits } from '../block-kit/schema.ts'
import { escapeMrkdwn, mention, slackDate, threadLink, truncateText } from '../block-kit/text.ts'
import { adminHome, adminSummaryText, learnedSelector, shippedSelector } from '../copy/home.ts'
import { andMore, labels } from '../copy/phrases.ts'
import { writeStalenessKey } from './verified-query.ts'

/** Of each list; the command line has all. */
const MOST_LISTED = 5

const LONGEST_TEXT = maxRuleTextLength

const LONGEST_REASON = 200

/** What admins see below their own part of App Home, and the buttons that decide. */
export const homeAdminBlocks = (facts: AdminFacts, workspaceUrl: string | null): SlackBlock[] => [
  dividerBlock,
  headerBlock(adminHome.title),
  sectionBlock(adminSummary(facts)),
  ...failedTokenBlocks(facts.failedTokens),
  ...listBlocks(adminHome.rules, facts.rules, ruleBlocks, adminHome.rulesCommand),
  ...listBlocks(adminHome.staleQueries, facts.verified.stale, staleBlocks, adminHome.staleQueriesCommand),
  ...failedQuestionBlocks(facts.failed, workspaceUrl),
  ...failedJobBlocks(facts.dead),
  ...indexBlocks(facts.databases),
]

const listTitle = (title: string, count: number): SlackBlock => sectionBlock(`*${title}* (${count})`)

const listBlocks = <Item>(
  title: string,
  items: readonly Item[],
  blocksOf: (item: Item) => SlackBlock[],
  command: string,
): SlackBlock[] => {
  if (items.length === 0) return []
  const more = items.length - MOST_LISTED
  return [
    listTitle(title, items.length),
    ...items.slice(0, MOST_LISTED).flatMap(blocksOf),
    ...(more > 0 ? [contextBlock(adminHome.moreInCommand(andMore(more), command))] : []),
  ]
}

const shorten = (text: string, most = LONGEST_TEXT): string =>
  escapeMrkdwn(truncateText(text.replace(/\s+/g, ' '), most))

/** First in the list: once a token has expired, a whole workspace is without the bot. */
const failedTokenBlocks = (failed: readonly FailedToken[]): SlackBlock[] => {
  if (failed.length === 0) return []
  const lines = failed.map(({ teamName, reason, expiresAt }) =>
    adminHome.tokenLine(shorten(teamName), shorten(reason), expiresAt === null ? null : slackDate(expiresAt)),
  )
  return [sectionBlock(`*${adminHome.tokens}*\n${lines.join('\n')}`), contextBlock(adminHome.tokensNote)]
}

const ruleBlocks = (rule: ProposedRule): SlackBlock[] => {
  const { id, database, question, phrase, meaning, sql, proposedBy } = rule
  const line = adminHome.ruleLine(shorten(phrase ?? question), shorten(meaning))
  return [
    sectionBlock(`${line}${sql === null ? '' : `\n\`${shorten(sql)}\``}`),
    contextBlock(
      adminHome.proposedBy(escapeMrkdwn(database), proposedBy === null ? null : mention(proposedBy)),
    ),
    buttonRow(id, [
      [actionIds.homeRuleAccept, labels.accept, { style: 'primary' }],
      [actionIds.homeRuleReject, labels.reject],
    ]),
  ]
}

const staleBlocks = ({ id, database, question, staleness }: StoredVerifiedQuery): SlackBlock[] => {
  if (staleness === null) return []
  const reasons = staleness.reasons.slice(0, 3).map(reason => shorten(reason))
  return [
    sectionBlock(`• “${shorten(question)}”\n${reasons.join('; ')}`),
    contextBlock(adminHome.staleSince(escapeMrkdwn(database), slackDate(staleness.since))),
    buttonRow(writeStalenessKey({ queryId: id, since: staleness.since }), [
      [actionIds.homeStaleKeep, labels.keep],
      [actionIds.homeStaleRemove, labels.remove],
    ]),
  ]
}

const failedQuestionBlocks = (
  failed: readonly FailedQuestion[],
  workspaceUrl: string | null,
): SlackBlock[] => {
  if (failed.length === 0) return []
  const lines = failed.map(({ text, reason, location, askedAt }) => {
    const question = threadLink(workspaceUrl, location, truncateText(text, 100))
    return `• ${question}  ·  ${slackDate(askedAt)}\n${shorten(reason ?? adminHome.reasonGone)}`
  })
  return [sectionBlock(`*${adminHome.failures}*\n${lines.join('\n')}`)]
}

const indexBlocks = (databases: readonly string[]): SlackBlock[] =>
  databases
    .filter(({ length }) => length <= slackLimits.buttonValue)
    .slice(0, MOST_LISTED)
    .map(database =>
      buttonRow(database, [
        [actionIds.homeRebuild, truncateText(adminHome.rebuildIndex(database), slackLimits.buttonText)],
      ]),
    )

/** Jobs that failed for good, with what an admin can do about each. Nothing if there are none. */
const failedJobBlocks = ({ jobs, total }: AdminFacts['dead']): SlackBlock[] => {
  if (jobs.length === 0) return []
  const more = total - jobs.length
  return [
    listTitle(adminHome.jobs, total),
    ...jobs.flatMap(jobBlocks),
    ...(more > 0 ? [contextBlock(adminHome.moreJobs(andMore(more)))] : []),
  ]
}

const jobBlocks = ({ id, queue, failedAt, attempts, code, reason }: DeadJob): SlackBlock[] => {
  const facts = [
    `\`${escapeMrkdwn(queue)}\``,
    slackDate(failedAt),
    adminHome.attempts(attempts),
    ...(code === null ? [] : [escapeMrkdwn(code)]),
  ]
  return [
    sectionBlock(`• ${facts.join('  ·  ')}\n${shorten(reason, LONGEST_REASON)}`),
    buttonRow(id, [
      [actionIds.homeJobRetry, labels.retry],
      [actionIds.homeJobDrop, labels.discard],
    ]),
  ]
}

/** How the bot is doing, in lines of mrkdwn: for App Home and for the command. */
export const adminSummary = ({ questions, votes, selector, verified, rules }: AdminFacts): string =>
  adminSummaryText({
    questions,
    votes,
    selector: formatSelector(selector),
    verified: { ...verified, stale: verified.stale.length },
    rules: rules.length,
  })

const formatSelector = ({ version, report }: AdminFacts['selector']): string =>
  report === null
    ? shippedSelector(escapeMrkdwn(version))
    : learnedSelector({ ...report, version: escapeMrkdwn(version), against: escapeMrkdwn(report.against) })
