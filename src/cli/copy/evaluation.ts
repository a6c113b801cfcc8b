import type { TrainingSummary } from '../../evaluation/training-pairs.ts'
import { formatCount, listWith } from './phrases.ts'

/** What the `eval` and `bench` commands write besides tables. */
export const evaluationCopy = {
  asking: (done: number, total: number, database: string): string => `${done} of ${total} (${database})`,
  runningCandidates: (done: number, total: number): string => `Candidates of ${done} of ${total} questions`,
  failedGolds: (count: number, examples: readonly string[]): string =>
    `${formatCount(count, 'known answer')} did not run and ${count === 1 ? 'counts' : 'count'} as wrong:\n${examples.join('\n')}`,
  failedGold: (id: string, error: string | null): string => `${id}: ${error}`,
  pairsWritten: ({ lines, pairs, questions, databases, firstWins }: TrainingSummary): string =>
    `Training data: ${formatCount(lines, 'line')} from ${formatCount(pairs, 'pair')} of ${formatCount(questions, 'question')} on ${formatCount(databases, 'database')}. The first statement is right in ${Math.round(firstWins * 100)}%.`,
  reportTitle: (file: string, questions: number): string => `${file}, ${formatCount(questions, 'question')}`,
  againstWithoutReport: '--against needs --report. To compare two files in the terminal, use eval diff.',
  notAPool: (model: string): string =>
    `“${model}” does not name a pool. Write pool:FILE#POOL, such as pool:candidates.jsonl.gz#gpt4_10+dailsql10.`,
  reportEnding: (file: string): string => `--report must end in .md or .html, not “${file}”.`,
  unknownSelector: (name: string, known: readonly string[]): string =>
    `There is no selector “${name}”. Use ${listWith('or', known)}.`,
  urlWithoutId: '--databases needs {db_id} in its URL, such as postgres://HOST/{db_id}.',
  noDatabase: (id: string, files: readonly string[]): string =>
    `There is no database for ${id}. Tried ${files.join(' and ')}.`,
  badQuery: (line: number): string =>
    `Line ${line} of the queries must be {"kind": "...", "target": "...", "keyword": "..."}.`,
} as const

/** Titles of the charts in a report. */
export const chartCopy = {
  byDifficulty: { title: 'EX by difficulty', xTitle: 'difficulty', yTitle: 'EX' },
  coverage: {
    title: 'Precision and coverage',
    xTitle: 'share of questions with an answer',
    yTitle: 'share of these that are right',
  },
  calls: { title: 'Model calls per question', xTitle: 'model calls', yTitle: 'questions' },
} as const

/** The figures of `bench values`. */
export const benchCopy = {
  index: (values: number, seconds: number, bytes: number): string =>
    `${formatCount(values, 'value')} indexed in ${seconds.toFixed(2)} s; ${(bytes / 1e6).toFixed(1)} MB without the texts`,
  lookup: (median: number, p95: number): string =>
    `a lookup takes ${median.toFixed(2)} ms (median), ${p95.toFixed(2)} ms (95th percentile)`,
  recall: (share: number): string => `the right value is among the first ten: ${share.toFixed(4)}`,
  recallOfKind: (kind: string, share: number): string => `  ${kind}: ${share.toFixed(4)}`,
} as const

/** What is wrong with `--strategy` and `--set`. */
export const strategyCopy = {
  unknownStrategy: (name: string, known: readonly string[]): string =>
    `There is no strategy “${name}”. Use ${listWith('or', known)}.`,
  needsSeveral:
    'eval compare needs at least two different strategies: --strategies adaptive,mac-sql, or --strategies all.',
  noSettings: (name: string): string =>
    `The strategy ${name} has no settings of its own. Leave out --set, or choose another --strategy.`,
  notASetting: (text: string): string => `--set takes NAME=VALUE, not “${text}”. For example: --set shots=1`,
  wrongSetting: (name: string, problem: string, known: readonly string[]): string =>
    `A setting of ${name} is wrong.\n${problem}\nIt has these settings: ${known.join(', ')}.`,
} as const
