import { z } from 'zod'
import type { RateFit } from '../../core/answerability.ts'
import { answerabilityFeatures, measureAnswerability } from './measure-fit.ts'
import trained from './trained-fit.json' with { type: 'json' }

/** Made by `npm run bench:triage -- --out`; figures in docs/evaluation.md. */
const { weights } = z.looseObject({ weights: z.record(z.string(), z.number()) }).parse(trained)

/** Rates by the logistic model that ships. */
export const rateAnswerability: RateFit = (text, catalog, accounted) => {
  const measures = measureAnswerability(text, catalog, accounted)
  const logit = answerabilityFeatures.reduce(
    (sum, name, i) => sum + (weights[name] ?? 0) * (measures[i] ?? 0),
    0,
  )
  return 1 / (1 + Math.exp(-logit))
}
