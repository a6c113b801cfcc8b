import { hiddenValue } from '../../domain/access/sees-value.ts'
import type { AdminFacts, FailedQuestion, FailedToken } from '../../domain/home.ts'
import { maxRuleTextLength, type ProposedRule } from '../../domain/knowledge.ts'
import type { LayerProposal, ProposalKey, ProposalWords } from '../../domain/metrics/layer-decision.ts'
import type { DeadJob } from '../../domain/operations/jobs.ts'
import type { StoredVerifiedQuery } from '../../domain/verified-query.ts'
import { actionIds, callbackIds } from '../action-ids.ts'
import { buttonRow, contextBlock, dividerBlock, headerBlock, sectionBlock } from '../block-kit/blocks.ts'
import { formModal, type Modal, textField } from '../block-kit/modal.ts'
import { type SlackBlock, slackLimits } from '../block-kit/schema.ts'
import { escapeMrkdwn, mention, slackDate, threadLink, truncateText } from '../block-kit/text.ts'
import { adminHome, adminSummaryText, learnedSelector, proposalForm, shippedSelector } from '../copy/home.ts'
import { andMore, labels } from '../copy/phrases.ts'
import { writeStalenessKey } from './verified-query.ts'

/** Of each list; the command line has all. */
const MOST_LISTED = 5

/** Of the lists of what is to be decided together: Slack takes no more blocks. */
const MOST_DECISIONS = 10

const LONGEST_TEXT = maxRuleTextLength

const LONGEST_REASON = 200

/** What admins see below their own part of App Home, and the buttons that decide. */
export const homeAdminBlocks = (facts: AdminFacts, workspaceUrl: string | null): SlackBlock[] => {
  const { rules, verified } = facts
  // The key of a proposal may not fit into a button; then it is left to the command.
  const proposals = (facts.proposals ?? []).filter(
    one => writeProposalKey(one).length <= slackLimits.buttonValue,
  )
  const [ofRules, ofProposed, ofProposals, ofStale] = shareOut([
    rules.length,
    verified.proposed.length,
    proposals.length,
    verified.stale.length,
  ])
  return [
    dividerBlock,
    headerBlock(adminHome.title),
    sectionBlock(adminSummary(facts)),
    ...failedTokenBlocks(facts.failedTokens),
    ...listBlocks(
      { title: listTitle(adminHome.rules, rules.length), most: ofRules, command: adminHome.rulesCommand },
      rules,
      ruleBlocks,
    ),
    ...listBlocks(
      {
        title: listTitle(adminHome.proposedQueries, verified.proposed.length),
        most: ofProposed,
        command: adminHome.proposedQueriesCommand,
      },
      verified.proposed,
      proposedQueryBlocks,
    ),
    ...listBlocks(
      {
        title: listTitle(adminHome.proposals, proposals.length, adminHome.proposalsNote),
        most: ofProposals,
        command: adminHome.proposalsCommand,
      },
      proposals,
      proposalBlocks,
    ),
    ...listBlocks(
      {
        title: listTitle(adminHome.staleQueries, verified.stale.length),
        most: ofStale,
        command: adminHome.staleQueriesCommand,
      },
      verified.stale,
      staleBlocks,
    ),
    ...failedQuestionBlocks(facts.failed, workspaceUrl),
    ...failedJobBlocks(facts.dead),
    ...indexBlocks(facts.databases),
  ]
}

const listTitle = (title: string, count: number, note?: string): SlackBlock =>
  sectionBlock(`*${title}* (${count})${note === undefined ? '' : `\n${note}`}`)

type Four = readonly [number, number, number, number]

/** How many of each list are shown: what the longest ones lack comes up when the first are decided. */
const shareOut = (counts: Four): Four => {
  const most = counts.map(count => Math.min(count, MOST_LISTED))
  while (most.reduce((sum, one) => sum + one, 0) > MOST_DECISIONS) {
    const longest = most.lastIndexOf(Math.max(...most))
    most[longest] = (most[longest] ?? 1) - 1
  }
  const [first = 0, second = 0, third = 0, fourth = 0] = most
  return [first, second, third, fourth]
}

const listBlocks = <Item>(
  { title, most, command }: { readonly title: SlackBlock; readonly most: number; readonly command: string },
  items: readonly Item[],
  blocksOf: (item: Item) => SlackBlock[],
): SlackBlock[] => {
  if (items.length === 0) return []
  const more = items.length - most
  return [
    title,
    ...items.slice(0, most).flatMap(blocksOf),
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

const proposedQueryBlocks = ({ id, database, question, sql, savedBy }: StoredVerifiedQuery): SlackBlock[] => [
  sectionBlock(`• “${shorten(question)}”\n\`${shorten(sql)}\``),
  contextBlock(adminHome.proposedBy(escapeMrkdwn(database), savedBy === null ? null : mention(savedBy))),
  buttonRow(id, [
    [actionIds.homeVerifiedAccept, labels.accept, { style: 'primary' }],
    [actionIds.homeVerifiedRemove, labels.reject],
  ]),
]

const proposalBlocks = (proposal: LayerProposal): SlackBlock[] => {
  const { database, kind, label, synonyms, meaning } = proposal
  const line = adminHome.proposalLine(kind, shorten(label), shorten(meaning))
  const words = synonyms.slice(0, MOST_SYNONYMS).map(word => shorten(word, 60))
  return [
    sectionBlock(`• ${line}\n${adminHome.proposalOf(escapeMrkdwn(database), kind, words)}`),
    buttonRow(writeProposalKey(proposal), [
      [actionIds.homeProposalAccept, labels.accept, { style: 'primary' }],
      [actionIds.homeProposalEdit, labels.edit],
      [actionIds.homeProposalReject, labels.reject],
    ]),
  ]
}

const MOST_SYNONYMS = 8

/** Which proposal a button or form is about, as one text. */
export const writeProposalKey = ({ database, kind, name }: ProposalKey): string =>
  [kind, name, database].join('\n')

/** Null for a text that names none. */
export const readProposalKey = (text: string): ProposalKey | null => {
  const [kind, name, database] = text.split('\n')
  return (kind === 'metric' || kind === 'segment') && name && database ? { database, kind, name } : null
}

/** Block ids of the form about a proposal. */
export const proposalFormIds = { label: 'proposal_label', synonyms: 'proposal_synonyms' } as const

/** An admin who may not read the words of a proposal gives it words of their own. */
const knownWords = ({ label, synonyms }: LayerProposal): ProposalWords => ({
  label: label === hiddenValue ? '' : label,
  synonyms,
})

/** Asks for other words for a proposal. `words`: those that a refused form came with. */
export const proposalModal = (proposal: LayerProposal, words: ProposalWords = knownWords(proposal)): Modal =>
  formModal({
    callbackId: callbackIds.proposal,
    title: proposalForm.title,
    submit: labels.accept,
    metadata: writeProposalKey(proposal),
    blocks: [
      sectionBlock(adminHome.proposalLine(proposal.kind, shorten(proposal.label), shorten(proposal.meaning))),
      textField(proposalFormIds.label, proposalForm.label, words.label, {
        maxLength: 80,
        hint: proposalForm.labelHint,
      }),
      textField(proposalFormIds.synonyms, proposalForm.synonyms, words.synonyms.join(', '), {
        maxLength: 500,
        hint: proposalForm.synonymsHint,
        optional: true,
      }),
    ],
  })

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
export const adminSummary = ({
  questions,
  votes,
  selector,
  verified,
  rules,
  proposals,
}: AdminFacts): string =>
  adminSummaryText({
    questions,
    votes,
    selector: formatSelector(selector),
    verified: { ...verified, proposed: verified.proposed.length, stale: verified.stale.length },
    rules: rules.length,
    proposals: proposals?.length ?? null,
  })

const formatSelector = ({ version, report }: AdminFacts['selector']): string =>
  report === null
    ? shippedSelector(escapeMrkdwn(version))
    : learnedSelector({ ...report, version: escapeMrkdwn(version), against: escapeMrkdwn(report.against) })
