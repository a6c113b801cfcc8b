import { z } from 'zod'
import { countSetting, switchSetting, temperatureSetting } from './settings.ts'

/**
 * Settings of CHASE-SQL (Pourreza et al.); the defaults are the paper's. The switches leave out what its ablations leave
 * out (tables 4, 5 and 7).
 */
export const chaseSettings = z.strictObject({
  mode: z
    .enum(['full', 'adaptive'])
    .default('full')
    .meta({
      description:
        'full: all drafts at once, as in the paper. adaptive: in rounds, while another draft is worth its cost.',
      expects: 'full or adaptive',
      examples: ['full'],
    }),
  samples: countSetting(1, 7, { description: 'Drafts of each path.', standard: 7 }),
  divideAndConquer: switchSetting('Whether drafts are made by divide and conquer.'),
  queryPlan: switchSetting('Whether drafts are made by query plans.'),
  onlineSynthetic: switchSetting('Whether drafts are made with examples that are made for the question.'),
  divideAndConquerTemperature: temperatureSetting('The temperature of divide and conquer.', 0.5),
  queryPlanTemperature: temperatureSetting('The temperature of query plans.', 0.5),
  onlineSyntheticTemperature: temperatureSetting('The temperature of drafts with examples.', 0.5),
  values: switchSetting('Whether a model is asked which words of the question may be values.'),
  fixer: switchSetting('Whether a model repairs drafts that fail or find nothing.'),
  freeReadings: switchSetting(
    'Whether what is read without a model counts as evidence beside the drafts. The paper has nothing like it.',
  ),
  selection: z
    .enum(['pairwise', 'ranker', 'vote'])
    .default('pairwise')
    .meta({
      description:
        'pairwise: a model compares results in pairs. ranker: the trained ranker alone. vote: the result that most drafts agree on.',
      expects: 'pairwise, ranker or vote',
      examples: ['pairwise'],
    }),
})

export type ChaseSettings = z.output<typeof chaseSettings>
