import { difficultyLevels } from './difficulty.ts'
import type { EvaluatedQuestion } from './out-file.ts'
import { percentile } from './statistics.ts'

/** From here on an answer counts as confident. */
const CONFIDENT = 0.8

/**
 * What `eval questions --json` prints. Shares are from 0 to 1 of all answerable questions (`questions`), times are
 * milliseconds, the rest are counts. Null: nothing to compute it from.
 */
export interface EvaluationSummary {
  readonly questions: number
  readonly ex: number | null
  readonly exAnyOrder: number | null
  readonly softF1: number | null
  readonly oracle: number | null
  readonly answered: number
  readonly refused: number
  readonly clarified: number
  readonly failed: number
  /** Share of right ones among the answers given at a confidence of .8 or more. */
  readonly precisionConfident: number | null
  /** Share of the questions that got such an answer. */
  readonly coverageConfident: number | null
  /** Right ones by difficulty, the easiest first; empty where it is not known. */
  readonly byDifficulty: readonly DifficultySummary[]
  /** BIRD's reward-based efficiency score; null if it was not measured. */
  readonly rves: number | null
  readonly modelCalls: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly p50: number | null
  readonly p95: number | null
  readonly indexMilliseconds: number | null
  /** Questions that the database cannot answer, and how many of them were refused. */
  readonly unanswerable: { readonly questions: number; readonly refused: number }
}

/** The questions of one difficulty. */
interface DifficultySummary {
  readonly difficulty: string
  readonly questions: number
  readonly ex: number
  readonly exAnyOrder: number
}

/** Sums a run up. Refused, asked back and failed count as wrong. */
export const summarizeRun = (
  evaluated: readonly EvaluatedQuestion[],
  indexMilliseconds: number | null,
): EvaluationSummary => {
  const answerable = evaluated.filter(question => question.answerable)
  const unanswerable = evaluated.filter(question => !question.answerable)
  const confident = answerable.filter(
    ({ outcome, confidence }) => outcome === 'answered' && confidence !== null && confidence >= CONFIDENT,
  )
  const times = answerable.map(question => question.milliseconds)
  const count = (outcome: EvaluatedQuestion['outcome']) =>
    answerable.filter(question => question.outcome === outcome).length
  return {
    questions: answerable.length,
    ex: mean(answerable, question => Number(question.ex)),
    exAnyOrder: mean(answerable, question => Number(question.exAnyOrder)),
    softF1: mean(answerable, question => question.softF1 ?? 0),
    oracle: mean(answerable, question => Number(question.oracle)),
    answered: count('answered'),
    refused: count('refused'),
    clarified: count('clarified'),
    failed: count('failed'),
    precisionConfident: mean(confident, question => Number(question.ex)),
    coverageConfident: answerable.length === 0 ? null : confident.length / answerable.length,
    byDifficulty: byDifficulty(answerable),
    rves: answerable.every(({ rves }) => rves !== null)
      ? mean(answerable, question => question.rves ?? 0)
      : null,
    modelCalls: total(answerable, question => question.modelCalls),
    promptTokens: total(answerable, question => question.promptTokens),
    completionTokens: total(answerable, question => question.completionTokens),
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    indexMilliseconds,
    unanswerable: {
      questions: unanswerable.length,
      refused: unanswerable.filter(question => question.outcome === 'refused').length,
    },
  }
}

const byDifficulty = (questions: readonly EvaluatedQuestion[]): DifficultySummary[] =>
  [...Map.groupBy(questions, ({ difficulty }) => difficulty)]
    .flatMap(([difficulty, own]) =>
      difficulty === null
        ? []
        : [
            {
              difficulty,
              questions: own.length,
              ex: mean(own, question => Number(question.ex)) ?? 0,
              exAnyOrder: mean(own, question => Number(question.exAnyOrder)) ?? 0,
            },
          ],
    )
    .sort((a, b) => rankOf(a.difficulty) - rankOf(b.difficulty))

const rankOf = (difficulty: string): number => {
  const rank = difficultyLevels.indexOf(difficulty)
  return rank < 0 ? difficultyLevels.length : rank
}

type Measure = (question: EvaluatedQuestion) => number

const total = (questions: readonly EvaluatedQuestion[], measure: Measure): number =>
  questions.reduce((sum, question) => sum + measure(question), 0)

const mean = (questions: readonly EvaluatedQuestion[], measure: Measure): number | null =>
  questions.length === 0 ? null : total(questions, measure) / questions.length

/** The summary as a Markdown table, for the terminal. */
export const renderSummary = (summary: EvaluationSummary): string => renderTable(summaryRows(summary))

/** The figures of a summary with their names, as a person reads them. */
export const summaryRows = (summary: EvaluationSummary): readonly (readonly [string, string])[] => {
  const { questions, unanswerable } = summary
  const ofQuestions = (count: number) =>
    `${count} (${formatShare(questions === 0 ? null : count / questions)})`
  const perQuestion = (sum: number) =>
    `${sum} (${questions === 0 ? '-' : (sum / questions).toFixed(1)} per question)`
  const rows: [string, string][] = [
    ['questions', String(questions)],
    ['EX', formatShare(summary.ex)],
    ['EX, columns in any order', formatShare(summary.exAnyOrder)],
    ['soft F1', formatShare(summary.softF1)],
    ...(summary.rves === null ? [] : [['R-VES', formatShare(summary.rves)] as [string, string]]),
    ['oracle over the candidates', formatShare(summary.oracle)],
    ...summary.byDifficulty.map(({ difficulty, questions, ex }): [string, string] => [
      `EX, ${difficulty} (${questions})`,
      formatShare(ex),
    ]),
    ['answered', ofQuestions(summary.answered)],
    ['asked back', ofQuestions(summary.clarified)],
    ['refused', ofQuestions(summary.refused)],
    ['failed', ofQuestions(summary.failed)],
    ['precision at confidence >= .8', formatShare(summary.precisionConfident)],
    ['coverage at confidence >= .8', formatShare(summary.coverageConfident)],
    ['model calls', perQuestion(summary.modelCalls)],
    ['prompt tokens', perQuestion(summary.promptTokens)],
    ['time, median', formatMilliseconds(summary.p50)],
    ['time, 95th percentile', formatMilliseconds(summary.p95)],
    ['indexing, total', formatMilliseconds(summary.indexMilliseconds)],
  ]
  if (unanswerable.questions > 0) {
    rows.push(['unanswerable, refused', `${unanswerable.refused} of ${unanswerable.questions}`])
  }
  return rows
}

const renderTable = (rows: readonly (readonly [string, string])[]): string => {
  const left = Math.max(...rows.map(([name]) => name.length))
  const right = Math.max(...rows.map(([, value]) => value.length))
  const line = (name: string, value: string) => `| ${name.padEnd(left)} | ${value.padStart(right)} |`
  return [
    line('measure', 'value'),
    `|${'-'.repeat(left + 2)}|${'-'.repeat(right + 1)}:|`,
    ...rows.map(([name, value]) => line(name, value)),
  ].join('\n')
}

/** Milliseconds for a person: `7 ms`, `1.2 s`. */
export const formatMilliseconds = (milliseconds: number | null): string => {
  if (milliseconds === null) return '-'
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}

/** A share from 0 to 1 as per cent with one digit, for a person. */
export const formatShare = (share: number | null): string =>
  share === null ? '-' : `${(share * 100).toFixed(1)} %`
