import type { AnsweredQuestion } from '../../domain/answer.ts'
import { shortfallText } from '../../domain/answer-wording/shortfalls.ts'
import type { Trace } from '../../domain/trace.ts'
import { callbackIds } from '../action-ids.ts'
import { sectionBlock } from '../block-kit/blocks.ts'
import { type Modal, readingModal } from '../block-kit/modal.ts'
import { type SlackBlock, slackLimits } from '../block-kit/schema.ts'
import { escapeAndTruncate, escapeLines } from '../block-kit/text.ts'
import * as copy from '../copy/answer.ts'
import { formatConfidence } from '../copy/answer.ts'
import { andMore } from '../copy/phrases.ts'

/** Of each kind of thing this many are named; the rest is counted. */
const MOST_NAMED = 8

/** How an answer came about: what was read, found, tried and compared. Null: the trace is no longer stored. */
export const traceModal = (answered: AnsweredQuestion, trace: Trace | null): Modal => {
  const { traceTitles: titles } = copy
  return readingModal(
    callbackIds.trace,
    titles.modal,
    trace
      ? [
          ...traceSection(titles.interpretation, formatInterpretation(trace)),
          ...traceSection(titles.confidence, formatSureness(answered)),
          ...traceSection(titles.values, formatValues(trace)),
          ...traceSection(titles.tables, firstItems(trace.schema.map(({ table }) => table)).join(', ')),
          ...traceSection(titles.agents, formatAgents(trace)),
          ...traceSection(titles.queries, formatQueries(trace)),
          ...traceSection(titles.results, formatResults(answered, trace)),
          ...traceSection(titles.comparisons, formatComparisons(trace)),
          ...traceSection(titles.cannotAnswer, formatCannotAnswer(trace)),
          ...traceSection(titles.failures, formatFailures(trace)),
          ...traceSection(
            titles.shortfalls,
            firstItems((trace.shortfalls ?? []).map(one => `• ${shortfallText(one)}`)).join('\n'),
          ),
          ...traceSection(titles.usage, formatUsage(trace)),
          ...traceSection(titles.leftOut, trace.leftOut.join(', ')),
        ]
      : traceSection(titles.gone, copy.traceGoneText),
  )
}

const traceSection = (title: string, text: string): SlackBlock[] =>
  text.trim() === ''
    ? []
    : [
        sectionBlock(
          `*${title}*\n${escapeAndTruncate(text, slackLimits.sectionText - title.length - 3, escapeLines)}`,
        ),
      ]

/** The first few, and how many more there are. */
const firstItems = (items: readonly string[]): string[] => {
  const more = items.length - MOST_NAMED
  return [...items.slice(0, MOST_NAMED), ...(more > 0 ? [andMore(more)] : [])]
}

const formatInterpretation = ({ question, understanding, reply }: Trace): string =>
  [
    understanding?.text || question,
    ...(understanding?.spans ?? []).map(({ phrase, from, until }) => copy.formatPeriod(phrase, from, until)),
    ...(understanding ? [copy.todayIs(understanding.today, understanding.timeZone)] : []),
    ...(reply?.kind === 'text' ? [copy.addedInReply(reply.text)] : []),
  ].join('\n')

/** The confidence of the first answer says nothing about what a person chose or wrote. */
const formatSureness = ({ revision, confidence }: AnsweredQuestion): string =>
  revision ? '' : copy.confidenceWithPercent(formatConfidence(confidence), confidence)

const formatValues = ({ values }: Trace): string =>
  firstItems(
    values.map(({ keyword, table, column, value }) => copy.formatMatch(keyword, value, `${table}.${column}`)),
  ).join('\n')

/** Agents of a published system in the order of their first calls, with how often each was asked. */
const formatAgents = ({ strategy, calls = [] }: Trace): string => {
  if (!strategy || calls.length === 0) return ''
  const asked = [...Map.groupBy(calls, ({ agent }) => agent)].map(
    ([agent, own]) => [agent, own.length] as const,
  )
  return copy.formatAgents(strategy, asked)
}

const formatQueries = ({ candidates }: Trace): string => {
  if (candidates.length === 0) return ''
  const byPath = Map.groupBy(candidates, ({ path }) => path.replaceAll('-', ' '))
  return copy.formatQueries({
    byPath: [...byPath].map(([path, made]) => [path, made.length] as const),
    ran: candidates.filter(({ run }) => run?.status === 'ran').length,
    repaired: candidates.filter(({ repairs }) => repairs.length > 0).length,
  })
}

const formatResults = (answered: AnsweredQuestion, { groups, candidates }: Trace): string => {
  const byId = new Map(candidates.map(candidate => [candidate.id, candidate]))
  const ran = groups.reduce((sum, { candidateIds }) => sum + candidateIds.length, 0)
  return firstItems(
    groups.map(({ candidateIds, representativeId, score, reasons = [] }, i) => {
      const run = byId.get(representativeId)?.run
      return copy.formatTracedResult({
        number: i + 1,
        isAnswer: answered.candidateId !== null && candidateIds.includes(answered.candidateId),
        size: run?.status === 'ran' ? { rows: run.rowCount, columns: run.columnCount } : null,
        agreeing: candidateIds.length,
        ran,
        score,
        reasons,
      })
    }),
  ).join('\n')
}

const formatComparisons = ({ comparisons, groups }: Trace): string => {
  const nameOf = (candidateId: string): string => {
    const at = groups.findIndex(({ candidateIds }) => candidateIds.includes(candidateId))
    return copy.tracedResultName(at === -1 ? null : at + 1)
  }
  return firstItems(
    comparisons.map(({ first, second, winner, by, reason }) => {
      const [won, lost] = winner === 'first' ? [first, second] : [second, first]
      return copy.formatComparison({ winner: nameOf(won), loser: nameOf(lost), by, reason })
    }),
  ).join('\n')
}

const formatCannotAnswer = ({ cannotAnswer }: Trace): string =>
  firstItems(
    cannotAnswer.map(({ path, reason }) => copy.formatCannotAnswer(path.replaceAll('-', ' '), reason)),
  ).join('\n')

const formatFailures = ({ failures }: Trace): string =>
  firstItems(
    failures
      .filter(({ isDeclined }) => !isDeclined)
      .map(({ path, message }) => `• ${path.replaceAll('-', ' ')}: ${message.slice(0, 200)}`),
  ).join('\n')

const formatUsage = ({ usage }: Trace): string =>
  usage.modelCalls === 0
    ? copy.noModelText
    : copy.formatUsage(usage.modelCalls, usage.promptTokens + usage.completionTokens)
