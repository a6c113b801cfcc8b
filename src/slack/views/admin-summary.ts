import type { AdminFacts } from '../../core/home.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'

/** How the bot does, in lines of mrkdwn: for App Home and for the command. */
export const adminSummary = ({ questions, votes, selector, verified, rules }: AdminFacts): string =>
  [
    `*Questions*: ${n(questions.answered)} answered, ${n(questions.refused)} not answered, ${n(questions.failed)} failed`,
    `*Votes*: ${n(votes.up)} found right, ${n(votes.down)} found wrong`,
    `*Selector*: ${saySelector(selector)}`,
    `*Verified queries*: ${n(verified.accepted)} in use, ${n(verified.proposed)} proposed, ${n(verified.stale.length)} stale`,
    `*Proposed rules*: ${n(rules.length)}`,
  ].join('\n')

/** The measured lift of the one in use over the one before, on votes it had not seen and on the shipped benchmark. */
const saySelector = ({ version, report }: AdminFacts['selector']): string => {
  if (report === null)
    return `${escapeMrkdwn(version)}, as Querent comes; nothing learned here has beaten it yet`
  const { heldOut, benchmark, against } = report
  const lift = `loss on ${n(heldOut.questions)} held-out questions ${heldOut.champion.toFixed(3)} → ${heldOut.challenger.toFixed(3)} (gain ${heldOut.gain.toFixed(3)} ± ${heldOut.standardError.toFixed(3)})`
  const kept = `benchmark ${n(benchmark.champion)} → ${n(benchmark.challenger)} of ${n(benchmark.questions)} right`
  return `${escapeMrkdwn(version)}, learned here; against ${escapeMrkdwn(against)}: ${lift}; ${kept}`
}

const n = (count: number): string => count.toLocaleString('en-US')
