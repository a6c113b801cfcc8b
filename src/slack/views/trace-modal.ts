import type { AnsweredQuestion } from '../../domain/answer.ts'
import type { Trace } from '../../domain/trace.ts'
import { callbackIds } from '../action-ids.ts'
import { slackLimits } from '../block-kit/limits.ts'
import type { Modal } from '../block-kit/modal.ts'
import type { SlackBlock } from '../block-kit/schema.ts'
import { escapeAndTruncate } from '../block-kit/text.ts'

/** Of each kind of thing this many are named; the rest is counted. */
const MOST_NAMED = 8

/** How an answer came about: what was read, found, tried, agreed on and compared. Null: the trace is no longer kept. */
export const traceModal = (answered: AnsweredQuestion, trace: Trace | null): Modal => ({
  type: 'modal',
  callback_id: callbackIds.trace,
  title: { type: 'plain_text', text: 'How I got this' },
  close: { type: 'plain_text', text: 'Close' },
  blocks: trace
    ? [
        ...traceSection('Read as', formatInterpretation(trace)),
        ...traceSection('Values found', formatValues(trace)),
        ...traceSection('Tables looked at', firstNames(trace.schema.map(({ table }) => table)).join(', ')),
        ...traceSection('Queries', formatQueries(trace)),
        ...traceSection('Results', formatResults(answered, trace)),
        ...traceSection('Comparisons', formatComparisons(trace)),
        ...traceSection('What did not work', formatFailures(trace)),
        ...traceSection('Cost', formatCost(trace)),
        ...traceSection('Left out here for length', trace.leftOut.join(', ')),
      ]
    : [
        ...traceSection(
          'No longer kept',
          'How this answer came about is kept for a week. Ask again to see it; Show SQL still has the query.',
        ),
      ],
})

const traceSection = (title: string, said: string): SlackBlock[] =>
  said.trim() === ''
    ? []
    : [
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            verbatim: true,
            text: `*${title}*\n${escapeAndTruncate(said, slackLimits.sectionText - title.length - 3)}`,
          },
        },
      ]

/** The first few, and how many more there are. */
const firstNames = (things: readonly string[]): string[] => {
  const more = things.length - MOST_NAMED
  return [...things.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])]
}

const formatInterpretation = ({ question, understanding, reply }: Trace): string =>
  [
    understanding?.text || question,
    ...(understanding?.spans ?? []).map(
      ({ phrase, from, until }) => `“${phrase}”: from ${from ?? 'the beginning'} until ${until ?? 'now'}`,
    ),
    ...(understanding ? [`Today is ${understanding.today} in ${understanding.timeZone}.`] : []),
    ...(reply?.kind === 'text' ? [`You added: ${reply.text}`] : []),
  ].join('\n')

const formatValues = ({ values }: Trace): string =>
  firstNames(
    values.map(({ keyword, table, column, value }) => `“${keyword}” is ${value} in ${table}.${column}`),
  ).join('\n')

const formatQueries = ({ candidates }: Trace): string => {
  if (candidates.length === 0) return ''
  const byPath = Map.groupBy(candidates, ({ path }) => path.replaceAll('-', ' '))
  const ways = [...byPath].map(([path, made]) => `${made.length} by ${path}`).join(', ')
  const ran = candidates.filter(({ run }) => run?.status === 'ran').length
  const repaired = candidates.filter(({ repairs }) => repairs.length > 0).length
  return `${candidates.length} written: ${ways}. ${ran} ran${repaired > 0 ? `, ${repaired} after repair` : ''}.`
}

const formatResults = (answered: AnsweredQuestion, { groups, candidates }: Trace): string => {
  const byId = new Map(candidates.map(candidate => [candidate.id, candidate]))
  const ran = groups.reduce((sum, { candidateIds }) => sum + candidateIds.length, 0)
  return firstNames(
    groups.map(({ candidateIds, representativeId, score, reasons = [] }, i) => {
      const run = byId.get(representativeId)?.run
      const size =
        run?.status === 'ran'
          ? `: ${formatCount(run.rowCount, 'row')} × ${formatCount(run.columnCount, 'column')}`
          : ''
      const isAnswer = answered.candidateId !== null && candidateIds.includes(answered.candidateId)
      return `• Result ${i + 1}${size}. ${candidateIds.length} of ${ran} agree on it, ${Math.round(score * 100)} % likely${isAnswer ? ' (the answer)' : ''}${formatReasons(reasons)}`
    }),
  ).join('\n')
}

/** What the selector went by; nothing where it had no say or nothing to compare with. */
const formatReasons = (reasons: readonly string[]): string =>
  reasons.length === 0 ? '' : `. What weighed: ${reasons.join('; ')}`

const formatCount = (n: number, what: string): string =>
  `${n.toLocaleString('en-US')} ${what}${n === 1 ? '' : 's'}`

const deciderNames = {
  model: 'a model',
  scorer: 'the local scorer',
  probe: 'a look at both results',
  vote: 'the vote',
} as const

const formatComparisons = ({ comparisons: made, groups }: Trace): string => {
  const nameOf = (candidateId: string): string => {
    const at = groups.findIndex(({ candidateIds }) => candidateIds.includes(candidateId))
    return at === -1 ? 'another result' : `result ${at + 1}`
  }
  return firstNames(
    made.map(({ first, second, winner, by, reason }) => {
      const [won, lost] = winner === 'first' ? [first, second] : [second, first]
      return `• ${nameOf(won)} over ${nameOf(lost)}, said ${deciderNames[by]}${reason ? `: ${reason}` : ''}`
    }),
  ).join('\n')
}

const formatFailures = ({ failures: failed }: Trace): string =>
  firstNames(
    failed.map(({ path, message }) => `• ${path.replaceAll('-', ' ')}: ${message.slice(0, 200)}`),
  ).join('\n')

const formatCost = ({ usage }: Trace): string =>
  usage.modelCalls === 0
    ? 'No model was asked.'
    : `${usage.modelCalls} model calls, ${(usage.promptTokens + usage.completionTokens).toLocaleString('en-US')} tokens.`
