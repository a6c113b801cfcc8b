import type { App } from '@slack/bolt'
import { actionIds, callbackIds } from '../action-ids.ts'
import type { AnswerUseCases, SlackUseCases } from '../use-cases.ts'
import {
  makeChangeInterpretation,
  makeExportCsvClick,
  makeRunAgainClick,
  makeShowSqlClick,
  makeStopClick,
} from './answer-buttons.ts'
import { makeAnswerMenuListener } from './answer-menu.ts'
import { makeExampleClick } from './ask-on-behalf.ts'
import type { Background } from './background.ts'
import {
  makeClarificationOptionClick,
  makeSomethingElseClick,
  makeSomethingElseSubmitted,
} from './clarification-replies.ts'
import { makeQuerentCommand } from './command.ts'
import {
  type DigestListenerDeps,
  makeDigestActionClick,
  makeDigestCompareClick,
  makeDigestEditClick,
  makeDigestHandOverClick,
  makeDigestShowSqlClick,
} from './digest-buttons.ts'
import { makeDigestEditSubmitted, makeHandOverSubmitted } from './digest-forms.ts'
import { makeDigestAskAgain, makeRepairDecisionClick } from './digest-notices.ts'
import { makeEditSqlClick, makeSqlSubmitted } from './edit-sql.ts'
import { makeFeedbackSubmitted, makeVoteClick } from './feedback.ts'
import { makeAppHomeOpened, makeShowHome } from './home.ts'
import {
  makeHomeDigestsPage,
  makeHomeExampleClick,
  makeHomeJobClick,
  makeHomeRebuildClick,
  makeHomeRuleClick,
  makeHomeStaleQueryClick,
} from './home-buttons.ts'
import { makeAppUninstalled, makeTokensRevoked } from './installs.ts'
import { makeMentionListener, makeMessageListener, makeReceiveOrReport } from './messages.ts'
import {
  makeRejectSubmitted,
  makeReviewApprove,
  makeReviewFix,
  makeReviewReject,
  makeReviewShowSql,
} from './review-decisions.ts'
import { makeScheduleClick, makeScheduleSubmitted } from './schedule.ts'
import { makeSettleVerifiedClick, makeShowVerifiedSql } from './verified-queries.ts'

/** Ids that end in a number: one listener for the whole family. */
const family = (prefix: string): RegExp => new RegExp(`^${prefix}\\d+$`)

/** Everything the bot reacts to. Nothing else registers a listener; a test compares this with manifest.yml. */
export const registerListeners = (app: App, useCases: SlackUseCases, background: Background): void => {
  const receiveOrReport = makeReceiveOrReport(background, Date.now)
  app.event('app_mention', makeMentionListener(useCases, receiveOrReport))
  app.event('message', makeMessageListener(useCases, receiveOrReport))
  const showHome = makeShowHome(useCases)
  const around = { showHome, background }
  app.event('app_home_opened', makeAppHomeOpened(showHome, background))
  app.event('app_uninstalled', makeAppUninstalled(useCases))
  app.event('tokens_revoked', makeTokensRevoked(useCases))
  app.command('/querent', makeQuerentCommand(useCases, background))
  app.action(family(actionIds.homeExample), makeHomeExampleClick(useCases, around))
  app.action(actionIds.homeRuleAccept, makeHomeRuleClick('accepted', useCases, around))
  app.action(actionIds.homeRuleReject, makeHomeRuleClick('rejected', useCases, around))
  app.action(actionIds.homeStaleKeep, makeHomeStaleQueryClick('keep', useCases, around))
  app.action(actionIds.homeStaleRemove, makeHomeStaleQueryClick('remove', useCases, around))
  app.action(actionIds.homeRebuild, makeHomeRebuildClick(useCases, around))
  app.action(actionIds.homeJobRetry, makeHomeJobClick('retry', useCases, around))
  app.action(actionIds.homeJobDrop, makeHomeJobClick('drop', useCases, around))
  app.action(actionIds.stop, makeStopClick(useCases))
  registerAnswerListeners(app, useCases, background)
  registerDigestListeners(app, useCases, around)
  app.action(family(actionIds.clarifyOption), makeClarificationOptionClick(useCases))
  app.action(actionIds.somethingElse, makeSomethingElseClick(useCases))
  app.action(family(actionIds.askExample), makeExampleClick(useCases))
  app.action(actionIds.verifiedKeep, makeSettleVerifiedClick('keep', useCases, background))
  app.action(actionIds.verifiedRemove, makeSettleVerifiedClick('remove', useCases, background))
  app.action(actionIds.verifiedShowSql, makeShowVerifiedSql(useCases))
  app.view(callbackIds.somethingElse, makeSomethingElseSubmitted(useCases))
}

/** Everything that can be done with an answer. */
const registerAnswerListeners = (
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

/** Everything that can be done with digests, from an answer, their messages and App Home. */
const registerDigestListeners = (
  app: App,
  useCases: Pick<SlackUseCases, 'digests' | 'findAnswered' | 'ask' | 'findAskRefusal' | 'pendingQuestions'>,
  around: DigestListenerDeps,
): void => {
  const { background } = around
  app.action(actionIds.schedule, makeScheduleClick(useCases))
  app.action(actionIds.digestRun, makeDigestActionClick('runNow', useCases, around))
  app.action(actionIds.digestPause, makeDigestActionClick('pause', useCases, around))
  app.action(actionIds.digestResume, makeDigestActionClick('resume', useCases, around))
  app.action(actionIds.digestDelete, makeDigestActionClick('remove', useCases, around))
  app.action(actionIds.digestEdit, makeDigestEditClick(useCases, around))
  app.action(actionIds.digestHandOver, makeDigestHandOverClick(useCases, around))
  app.action(actionIds.digestShowSql, makeDigestShowSqlClick(useCases, around))
  app.action(actionIds.digestAskAgain, makeDigestAskAgain(useCases, around))
  app.action(actionIds.digestRepairCompare, makeDigestCompareClick(useCases, around))
  app.action(actionIds.digestRepairAccept, makeRepairDecisionClick('accept', useCases, background))
  app.action(actionIds.digestRepairAcceptOther, makeRepairDecisionClick('accept-other', useCases, background))
  app.action(actionIds.digestRepairRefuse, makeRepairDecisionClick('refuse', useCases, background))
  app.action(actionIds.homeDigestsPrevious, makeHomeDigestsPage(around))
  app.action(actionIds.homeDigestsNext, makeHomeDigestsPage(around))
  app.view(callbackIds.schedule, makeScheduleSubmitted(useCases, background))
  app.view(callbackIds.digestEdit, makeDigestEditSubmitted(useCases, around))
  app.view(callbackIds.digestHandOver, makeHandOverSubmitted(useCases, around))
}
