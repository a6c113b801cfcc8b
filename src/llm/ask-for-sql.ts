import type { AskForSql, DraftedSql } from '../core/model.ts'
import { type AskModel, type AskModelDeps, makeAskModel } from './ask-model.ts'
import { cleanSql } from './clean-sql.ts'
import type { OutputName } from './outputs.ts'

/** What prompts that ask for a statement return. */
const sqlOutputs = [
  'divide-and-conquer',
  'query-plan',
  'drafted-sql',
  'fixed-sql',
] as const satisfies readonly OutputName[]

/** Makes the asker for statements, over a way to ask models or what that needs. */
export const makeAskForSql = (deps: AskModelDeps | AskModel): AskForSql => {
  const askModel = typeof deps === 'function' ? deps : makeAskModel(deps)
  return async request => {
    const { value, ...rest } = await askModel(request, sqlOutputs)
    return { value: toDraft(value), ...rest }
  }
}

const toDraft = ({ sql, assumptions }: DraftedSql): DraftedSql => ({
  sql: cleanSql(sql),
  assumptions: assumptions.map(assumption => assumption.trim()).filter(assumption => assumption !== ''),
})
