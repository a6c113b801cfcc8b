import type { SsevSettings } from '../../../src/domain/strategies/ssev.ts'

/** One voice of the vote: a model, or one of the ways in which a single model works. */
export interface Expert {
  /** Its name in votes and in the record of mistakes. */
  readonly name: string
  readonly model: string
  /** What it is told about how to work; ends its prompt's fixed part. */
  readonly style: string
}

const plainStyle = 'Work in whatever way suits the question.'

/** Ways to work, for experts that are one model: each leads to other mistakes. */
const styles: readonly (readonly [name: string, text: string])[] = [
  ['plain', plainStyle],
  [
    'result-first',
    'Begin with the result: name its columns and what one row of it stands for. Then find where each column comes from.',
  ],
  [
    'joins-first',
    'Begin with the tables: name the fewest that hold all that is asked for, and the keys that join them. Then say which joins repeat rows.',
  ],
  [
    'step-by-step',
    'Break the question into small steps, solve each one as a named subquery with WITH, and build the result from them.',
  ],
  [
    'values-first',
    'Begin with the conditions: for each word of the question that limits rows, find the column and the exact spelling of the value.',
  ],
]

/**
 * The experts: the models of the settings or those that draft, each once; several styles of one model if there is just
 * one. The paper has several models; styles are what a single one can offer.
 */
export const expertsOf = (
  { experts, styles: count }: Pick<SsevSettings, 'experts' | 'styles'>,
  drafters: readonly string[],
): readonly Expert[] => {
  const models = [...new Set(experts.length > 0 ? experts : drafters)]
  const [only, ...others] = models
  if (only === undefined || others.length > 0 || count === 1)
    return models.map(model => ({ name: model, model, style: plainStyle }))
  return styles.slice(0, count).map(([name, style]) => ({ name: `${only}/${name}`, model: only, style }))
}
