import type { CallShortfall } from '../../domain/answer.ts'
import type { AgentCall } from '../../domain/strategies/strategy.ts'
import { formatDays } from '../../lib/format-figure.ts'
import { formatCount } from './phrases.ts'

/** What `ask` writes besides the answer itself. */
export const askCopy = {
  replyPrompt: (defaultOption: number): string =>
    `Reply with a number or in your own words [${defaultOption}]: `,
  noSuchOption: (number: number, count: number): string =>
    `There is no option ${number}. Reply with a number from 1 to ${count}, or in your own words.`,
  noAnswerBefore: (question: string, status: string): string =>
    `The earlier question “${question}” got no answer (${status}). Ask it alone to see why.`,
  callShortfall: ({ estimated, allowed }: CallShortfall): string =>
    `A question may need about ${estimated} model calls in full mode, but budget.modelCallsPerQuestion allows ${allowed}. Once they are used up, votes choose the answer. Raise the limit, or lower drafting.mostDrafts.`,
} as const

/** From this confidence on, an answer is called confident or likely; below, a person should check it. */
const CONFIDENT = 0.8
const LIKELY = 0.5

/** The lines around an answer, a question back and a refusal. */
export const answerCopy = {
  confidence: (share: number): string => {
    const word = share >= CONFIDENT ? 'Confident' : share >= LIKELY ? 'Likely' : 'Please check'
    return `${word} (${Math.round(share * 100)}%)`
  },
  assumed: 'Assumed:',
  alternative: 'It could also mean:',
  sql: 'SQL:',
  howToReply: 'Add --reply with a number, or with your own words.',
  example: 'Try:',
  whoToAsk: 'Who to ask:',
  shownRows: (shown: number, total: number, isCut: boolean): string =>
    `First ${shown.toLocaleString('en-US')} of ${isCut ? 'at least ' : ''}${formatCount(total, 'row')}`,
} as const

/** The lines of the tree that `--explain` draws. */
export const runTreeCopy = {
  root: (question: string, database: string, id: string): string =>
    `“${question}” (${database}, question ${id})`,
  nothingRecorded: (id: string, status: string): readonly string[] => [
    `question ${id}`,
    `└─ ${status}; no steps were recorded`,
  ],
  list: (name: string, items: readonly string[]): string =>
    `${name}: ${items.length > 0 ? items.join(', ') : 'none'}`,
  period: (phrase: string, from: string | null, until: string | null): string =>
    `period: “${phrase}” means ${formatDays(from, until)}`,
  values: (count: number): string => `values (${count})`,
  value: (keyword: string, column: string, value: string, score: number): string =>
    `“${keyword}”: ${column} = '${value}' (${score.toFixed(2)})`,
  more: (count: number): string => `and ${count} more`,
  rounds: 'drafting rounds',
  round: (drafts: readonly string[], probability: number, gain: number | null, reason: string): string => {
    const what = drafts.length === 0 ? 'stop' : drafts.join(', ')
    const expected = gain === null ? '' : `, gain ${gain.toFixed(3)}`
    return `${what} (probability ${probability.toFixed(2)}${expected}): ${reason}`
  },
  agents: (strategy: string): string => `agents of ${strategy}`,
  agent: ({ agent, model, promptTokens, completionTokens, failure }: AgentCall, number: number): string => {
    const by = model === null || model === '' ? '' : ` by ${model}`
    const ended =
      failure === undefined ? `${promptTokens} + ${completionTokens} tokens` : `failed: ${failure}`
    return `${number}. ${agent}${by}: ${ended}`
  },
  cannotAnswer: 'drafts that found no answer',
  noReason: 'no reason given',
  failedDrafts: 'failed drafts',
  declinedDrafts: 'left to other paths',
  shortfalls: 'left out',
  candidates: (count: number): string => `candidates (${count})`,
  candidate: (id: string, prior: number, result: string, isChosen: boolean): string =>
    `${isChosen ? 'chosen ' : ''}${id}, prior ${prior.toFixed(2)}: ${result}`,
  repair: (round: number, errorClass: string, message: string): string =>
    `repaired ${round}: ${errorClass}: ${message}`,
  decision: (phrase: string, label: string): string => `“${phrase}” is ${label}`,
  unused: (words: readonly string[]): string => `not used: ${words.join(', ')}`,
  notRun: 'not run',
  ran: (group: string | undefined, rows: number, columns: number, milliseconds: number): string =>
    `${group === undefined ? '' : `group ${group}, `}${formatCount(rows, 'row')}, ${formatCount(columns, 'column')}, ${Math.round(milliseconds)} ms`,
  groups: (count: number): string => `groups (${count})`,
  group: (letter: string, score: number, candidates: number): string =>
    `${letter}: score ${score.toFixed(2)}, ${formatCount(candidates, 'candidate')}`,
  reasons: (reasons: readonly string[]): string => `reasons: ${reasons.join('; ')}`,
  rowsShown: (shown: number, total: number): string => `… ${shown} of ${formatCount(total, 'row')}`,
  comparisons: (count: number): string => `comparisons (${count})`,
  comparison: (first: string, second: string, winner: string, by: string, reason: string): string =>
    `${first} or ${second}: ${winner} wins, by the ${by}: ${reason}`,
  step: (step: string, milliseconds: number, times: number, longest: number): string =>
    `${step} ${Math.round(milliseconds)} ms${times > 1 ? ` (${times} times, longest ${Math.round(longest)} ms)` : ''}`,
  cost: (
    modelCalls: number,
    tokens: number,
    money: number | null | undefined,
    steps: readonly string[],
  ): string =>
    `cost: ${formatCount(modelCalls, 'model call')}, ${formatCount(tokens, 'token')}${money ? `, price ${money.toPrecision(2)}` : ''}; ${steps.join('; ')}`,
  omitted: (what: readonly string[]): string => `not shown: ${what.join(', ')}`,
  noDecision: 'decision: none; the run failed here',
  answered: (letter: string, confidence: number): string =>
    `decision: answered${letter === '' ? '' : ` with ${letter}`}, ${Math.round(confidence * 100)}% sure`,
  askedBack: (question: string): string => `decision: asked back: ${question}`,
  stopped: (status: string, reason: string): string => `decision: ${status}: ${reason}`,
} as const

/** What `guard` writes besides verdicts. */
export const guardCopy = {
  unknownDialect: (given: string, known: readonly string[]): string =>
    `There is no dialect “${given}”. Use one of ${known.join(', ')}.`,
  otherDialect: (asked: string, spoken: string): string =>
    `it is ${asked}, but the database speaks ${spoken}`,
  badLine: (number: number, dialects: readonly string[]): string =>
    `Line ${number} must be {"id": ..., "sql": "...", "dialect": "..."}. The dialect may be left out, or is one of ${dialects.join(', ')}.`,
} as const

/** What `index` writes. */
export const indexCopy = {
  report: (tables: number, columns: number, values: number, milliseconds: number): string =>
    `${formatCount(tables, 'table')}, ${formatCount(columns, 'column')} and ${formatCount(values, 'value')} in ${(milliseconds / 1000).toFixed(1)} s`,
  size: 'value index',
  megabytes: (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`,
  needsModel: '--describe needs a model. Name one with --model, or set models.describer in querent.yml.',
  described: (tables: number, columns: number, file: string): string =>
    `Described ${formatCount(tables, 'table')} and ${formatCount(columns, 'column')} in ${file}. Read it, correct it, commit it.`,
  usage: (calls: number, tokens: number): string =>
    `${formatCount(calls, 'model call')}, ${formatCount(tokens, 'token')}`,
  notDescribedTitle: 'Not described:',
  notDescribed: (table: string, why: string): string => `${table}: ${why}`,
  keysTitle: 'Foreign keys found by names and values, not declared in the schema:',
  key: (from: string, to: string, share: number): string =>
    `${from} -> ${to} (${Math.floor(share * 100)}% of the values match)`,
  omittedTitle: 'Not indexed:',
  omitted: (what: string, why: string): string => `${what}: ${why}`,
  problemsTitle: "Ignored, because it is wrong in the team's knowledge:",
  problem: (file: string, line: number, message: string): string => `${file}:${line}: ${message}`,
  more: (count: number): string => `and ${count} more`,
} as const

/** What `values` writes. */
export const valuesCopy = {
  none: 'No value of this database matches the keyword.',
  head: ['score', 'table', 'column', 'value'],
} as const
