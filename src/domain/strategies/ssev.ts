import { z } from 'zod'
import { statementReply } from './replies.ts'
import { confidenceSetting, countSetting, switchSetting, temperatureSetting } from './settings.ts'

/** Settings of SSEV (section 3.1 and 3.2 of its paper); the defaults are those of its fourth stage. */
export const ssevSettings = z.strictObject({
  experts: z
    .array(z.string().min(1))
    .max(12)
    .default([])
    .meta({
      description:
        'The models that are experts, each once. Default: the models that draft. A single model plays several experts.',
      expects: 'names of models',
      examples: [['gpt-5', 'claude-sonnet-5']],
    }),
  styles: countSetting(1, 5, {
    description: 'Experts that a single model plays, each told another way to work.',
    standard: 3,
  }),
  shots: countSetting(0, 20, {
    description: 'Verified questions of the database that are shown as examples, the nearest ones.',
    standard: 9,
  }),
  sampleRows: countSetting(0, 10, {
    description: 'Rows of each table that experts are shown. None if models may not see rows.',
    standard: 3,
  }),
  linking: z
    .enum(['none', 'union', 'vote'])
    .default('union')
    .meta({
      description:
        'Which schema the second statement of each expert is written on. union: what the first statements of all experts use. vote: what those with the winning result use. none: there is no second statement.',
      expects: 'none, union or vote',
      examples: ['union'],
    }),
  refinements: countSetting(0, 10, {
    description: 'How often an expert may mend a statement that fails or finds nothing. 0: never.',
    standard: 3,
  }),
  vote: z
    .enum(['wma', 'rwma', 'naive'])
    .default('wma')
    .meta({
      description:
        'wma: the result with most weight behind it. rwma: that of one expert, drawn by weight. naive: the result of most experts.',
      expects: 'wma, rwma or naive',
      examples: ['wma'],
    }),
  learns: switchSetting('Whether what people do about answers changes the weights of experts.'),
  expectedQuestions: countSetting(1, 1_000_000, {
    description:
      'Judged questions after which the weights should fit best: a mistake costs the share sqrt(ln experts / this), at most one half.',
    standard: 1000,
  }),
  epsilon: z
    .number()
    .min(0)
    .max(0.5)
    .nullable()
    .default(null)
    .meta({
      description: 'The share of its weight that an expert loses by a mistake, in place of the above.',
      expects: 'a number from 0 to 0.5, or null',
      examples: [0.1],
    }),
  temperature: temperatureSetting('The temperature of the experts.', 0),
  confidence: confidenceSetting(
    0.844,
    '0.844, the accuracy that the paper reports for this on the development set of Spider; the weight behind a result counts if it is lower',
  ),
})

export type SsevSettings = z.output<typeof ssevSettings>

/** What the experts of SSEV reply. */
export const ssevReplies = {
  'ssev-statement': z.object({
    plan: z
      .string()
      .describe('Which tables and columns are needed, and how they join. One or two sentences.'),
    ...statementReply,
  }),
  'ssev-refinement': z.object({
    cause: z.string().describe('Why the statement failed or found nothing. One or two sentences.'),
    ...statementReply,
  }),
} as const
