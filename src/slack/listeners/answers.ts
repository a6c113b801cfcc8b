import type { App } from '@slack/bolt'
import { actionIds, callbackIds } from '../action-ids.ts'
import type { AnswerUseCases } from '../answer-use-cases.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { makeChangeReading } from './actions/change-reading.ts'
import { makeEditSql } from './actions/edit-sql.ts'
import { makeExportCsv } from './actions/export-csv.ts'
import {
  makeHumanApprove,
  makeHumanFix,
  makeHumanReject,
  makeHumanShowSql,
} from './actions/human-decisions.ts'
import { makeMore } from './actions/more.ts'
import { makeRunAgainClick } from './actions/run-again.ts'
import { makeShowSql } from './actions/show-sql.ts'
import { makeVote } from './actions/vote.ts'
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
  app.action(actionIds.showSql, makeShowSql(useCases))
  app.action(actionIds.exportCsv, makeExportCsv(useCases))
  app.action(actionIds.editSql, makeEditSql(useCases))
  app.action(actionIds.runAgain, makeRunAgainClick(useCases))
  app.action(actionIds.more, makeMore(useCases, background))
  app.action(actionIds.changeReading, makeChangeReading(useCases))
  app.action(actionIds.vote, makeVote(useCases, background))
  app.action(actionIds.humanApprove, makeHumanApprove(useCases, background))
  app.action(actionIds.humanFix, makeHumanFix(useCases))
  app.action(actionIds.humanReject, makeHumanReject(useCases))
  app.action(actionIds.humanShowSql, makeHumanShowSql(useCases))
  app.view(callbackIds.editSql, makeSqlSubmitted('edit', useCases))
  app.view(callbackIds.humanFix, makeSqlSubmitted('fix', useCases))
  app.view(callbackIds.feedback, makeFeedbackSubmitted(useCases))
  app.view(callbackIds.humanReject, makeRejectSubmitted(useCases, background))
}
