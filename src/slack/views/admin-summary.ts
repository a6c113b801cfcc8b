import type { AdminFacts } from '../../core/home.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'

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
