import type { AnsweredQuestion } from '../../core/answered-question.ts'
import type { Trace } from '../../core/trace.ts'
import { callbackIds } from '../action-ids.ts'
import type { CheckedBlock } from '../block-schema.ts'
import { escapeWithin } from '../escape-within.ts'
import { slackLimits } from '../limits.ts'
import type { Modal } from './modal.ts'

/** Of each kind of thing this many are named; the rest is counted. */
const MOST_NAMED = 8

/** How an answer came about: what was read, found, tried, agreed on and compared. Null: the trace is no longer kept. */
export const howModal = (answered: AnsweredQuestion, trace: Trace | null): Modal => ({
  type: 'modal',
  callback_id: callbackIds.how,
  title: { type: 'plain_text', text: 'How I got this' },
  close: { type: 'plain_text', text: 'Close' },
  blocks: trace
    ? [
        ...part('Read as', readAs(trace)),
        ...part('Values found', valuesFound(trace)),
        ...part('Tables looked at', named(trace.schema.map(({ table }) => table)).join(', ')),
        ...part('Queries', queries(trace)),
        ...part('Results', results(answered, trace)),
        ...part('Comparisons', comparisons(trace)),
        ...part('What did not work', failures(trace)),
        ...part('Cost', cost(trace)),
        ...part('Left out here for length', trace.leftOut.join(', ')),
      ]
    : [
        ...part(
          'No longer kept',
          'How this answer came about is kept for a week. Ask again to see it; Show SQL still has the query.',
        ),
      ],
})

const part = (title: string, said: string): CheckedBlock[] =>
  said.trim() === ''
    ? []
    : [
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            verbatim: true,
            text: `*${title}*\n${escapeWithin(said, slackLimits.sectionText - title.length - 3)}`,
          },
        },
      ]

/** The first few, and how many more there are. */
const named = (things: readonly string[]): string[] => {
  const more = things.length - MOST_NAMED
  return [...things.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])]
}

const readAs = ({ question, understanding, reply }: Trace): string =>
  [
    understanding?.text || question,
    ...(understanding?.spans ?? []).map(
      ({ phrase, from, until }) => `“${phrase}”: from ${from ?? 'the beginning'} until ${until ?? 'now'}`,
    ),
    ...(understanding ? [`Today is ${understanding.today} in ${understanding.timeZone}.`] : []),
    ...(reply?.kind === 'text' ? [`You added: ${reply.text}`] : []),
  ].join('\n')

const valuesFound = ({ values }: Trace): string =>
  named(
    values.map(({ keyword, table, column, value }) => `“${keyword}” is ${value} in ${table}.${column}`),
  ).join('\n')

const queries = ({ candidates }: Trace): string => {
  if (candidates.length === 0) return ''
  const byPath = Map.groupBy(candidates, ({ path }) => path.replaceAll('-', ' '))
  const ways = [...byPath].map(([path, made]) => `${made.length} by ${path}`).join(', ')
  const ran = candidates.filter(({ run }) => run?.status === 'ran').length
  const repaired = candidates.filter(({ repairs }) => repairs.length > 0).length
  return `${candidates.length} written: ${ways}. ${ran} ran${repaired > 0 ? `, ${repaired} after repair` : ''}.`
}

const results = (answered: AnsweredQuestion, { groups, candidates }: Trace): string => {
  const byId = new Map(candidates.map(candidate => [candidate.id, candidate]))
  const ran = groups.reduce((sum, { candidateIds }) => sum + candidateIds.length, 0)
  return named(
    groups.map(({ candidateIds, representativeId, score, reasons = [] }, i) => {
      const run = byId.get(representativeId)?.run
      const size =
        run?.status === 'ran' ? `: ${count(run.rowCount, 'row')} × ${count(run.columnCount, 'column')}` : ''
      const isAnswer = answered.candidateId !== null && candidateIds.includes(answered.candidateId)
      return `• Result ${i + 1}${size}. ${candidateIds.length} of ${ran} agree on it, ${Math.round(score * 100)} % likely${isAnswer ? ' (the answer)' : ''}${whatWeighed(reasons)}`
    }),
  ).join('\n')
}

/** What the selector went by; nothing where it had no say or nothing to compare with. */
const whatWeighed = (reasons: readonly string[]): string =>
  reasons.length === 0 ? '' : `. What weighed: ${reasons.join('; ')}`

const count = (n: number, what: string): string => `${n.toLocaleString('en-US')} ${what}${n === 1 ? '' : 's'}`

const decider = {
  model: 'a model',
  scorer: 'the local scorer',
  probe: 'a look at both results',
  vote: 'the vote',
} as const

const comparisons = ({ comparisons: made, groups }: Trace): string => {
  const nameOf = (candidateId: string): string => {
    const at = groups.findIndex(({ candidateIds }) => candidateIds.includes(candidateId))
    return at === -1 ? 'another result' : `result ${at + 1}`
  }
  return named(
    made.map(({ first, second, winner, by, reason }) => {
      const [won, lost] = winner === 'first' ? [first, second] : [second, first]
      return `• ${nameOf(won)} over ${nameOf(lost)}, said ${decider[by]}${reason ? `: ${reason}` : ''}`
    }),
  ).join('\n')
}

const failures = ({ failures: failed }: Trace): string =>
  named(failed.map(({ path, message }) => `• ${path.replaceAll('-', ' ')}: ${message.slice(0, 200)}`)).join(
    '\n',
  )

const cost = ({ usage }: Trace): string =>
  usage.modelCalls === 0
    ? 'No model was asked.'
    : `${usage.modelCalls} model calls, ${(usage.promptTokens + usage.completionTokens).toLocaleString('en-US')} tokens.`
