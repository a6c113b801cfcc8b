import { difficultyLevels } from './difficulty.ts'
import type { EvaluatedQuestion } from './evaluated-question.ts'
import { percentile } from './percentile.ts'

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
  /** BIRD's reward-based efficiency score; null where it was not measured. */
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
export interface DifficultySummary {
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
