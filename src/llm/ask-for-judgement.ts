import type { AskForJudgment } from '../core/model.ts'
import type { AskModel } from './ask-model.ts'

/** Makes the asker for judgements of two statements. */
export const makeAskForJudgement =
  (askModel: AskModel): AskForJudgment =>
  async request => {
    const { value, usage } = await askModel(request, ['judgement'])
    return { value: { winner: value.winner, reason: value.reason.replace(/\s+/g, ' ').trim() }, usage }
  }
