import type { App } from '@slack/bolt'
import { actionIds, callbackIds } from '../action-ids.ts'
import type { AnswerUseCases } from '../answer-use-cases.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { makeChangeInterpretation } from './actions/change-reading.ts'
import { makeEditSqlClick } from './actions/edit-sql.ts'
import { makeExportCsvClick } from './actions/export-csv.ts'
import {
  makeReviewApprove,
  makeReviewFix,
  makeReviewReject,
  makeReviewShowSql,
} from './actions/human-decisions.ts'
import { makeAnswerMenuListener } from './actions/more.ts'
import { makeRunAgainClick } from './actions/run-again.ts'
import { makeShowSqlClick } from './actions/show-sql.ts'
import { makeVoteClick } from './actions/vote.ts'
import type { Background } from './background.ts'
import { makeFeedbackSubmitted } from './views/feedback-submitted.ts'
import { makeRejectSubmitted } from './views/reject-submitted.ts'
import { makeSqlSubmitted } from './views/sql-submitted.ts'

/** Everything that can be done with an answer. */
export const registerAnswerListeners = (
  app: App,
  useCases: AnswerUseCases & Pick<SlackUseCases, 'delivery' | 'runAgain' | 'sendExport'>,
  background: Background,
): void => {
  app.action(actionIds.showSql, makeShowSqlClick(useCases))
  app.action(actionIds.exportCsv, makeExportCsvClick(useCases))
  app.action(actionIds.editSql, makeEditSqlClick(useCases))
  app.action(actionIds.runAgain, makeRunAgainClick(useCases))
  app.action(actionIds.answerMenu, makeAnswerMenuListener(useCases, background))
  app.action(actionIds.changeInterpretation, makeChangeInterpretation(useCases))
  app.action(actionIds.vote, makeVoteClick(useCases, background))
  app.action(actionIds.reviewApprove, makeReviewApprove(useCases, background))
  app.action(actionIds.reviewFix, makeReviewFix(useCases))
  app.action(actionIds.reviewReject, makeReviewReject(useCases))
  app.action(actionIds.reviewShowSql, makeReviewShowSql(useCases))
  app.view(callbackIds.editSql, makeSqlSubmitted('edit', useCases))
  app.view(callbackIds.reviewFix, makeSqlSubmitted('fix', useCases))
  app.view(callbackIds.feedback, makeFeedbackSubmitted(useCases))
  app.view(callbackIds.reviewReject, makeRejectSubmitted(useCases, background))
}
