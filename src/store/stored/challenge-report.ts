import { z } from 'zod'
import type { ChallengeReport, ChallengeVerdict } from '../../core/selector-version.ts'
import { literalUnion } from './literals.ts'

/** Why a challenger was promoted or not, as JSON. */
export const StoredChallengeReport: z.ZodType<ChallengeReport> = z.object({
  against: z.string(),
  verdict: literalUnion<ChallengeVerdict>({
    promoted: true,
    'not-better-on-votes': true,
    'worse-on-benchmark': true,
  }),
  trainedOn: z.object({ questions: z.number(), voters: z.number(), weight: z.number() }),
  heldOut: z.object({
    questions: z.number(),
    champion: z.number(),
    challenger: z.number(),
    gain: z.number(),
    standardError: z.number(),
  }),
  benchmark: z.object({ questions: z.number(), champion: z.number(), challenger: z.number() }),
})
