import type { AllMiddlewareArgs, App, SlackEventMiddlewareArgs } from '@slack/bolt'
import { actionIds, callbackIds } from '../action-ids.ts'
import type { AnswerUseCases, SlackUseCases } from '../use-cases.ts'
import {
  makeChangeInterpretation,
  makeClarificationOptionClick,
  makeExportCsvClick,
  makePostToThreadClick,
  makeRunAgainClick,
  makeShowSqlClick,
  makeSomethingElseClick,
  makeSomethingElseSubmitted,
  makeStopClick,
} from './answer-buttons.ts'
import { makeAnswerMenuListener } from './answer-menu.ts'
import { makeExampleClick } from './ask-on-behalf.ts'
import type { Background } from './clicks-and-forms.ts'
import { makeQuerentCommand } from './command.ts'
import {
  makeDigestActionClick,
  makeDigestCompareClick,
  makeDigestEditClick,
  makeDigestHandOverClick,
  makeDigestShowSqlClick,
} from './digest-buttons.ts'
import {
  makeDigestEditSubmitted,
  makeHandOverSubmitted,
  makeScheduleClick,
  makeScheduleSubmitted,
} from './digest-forms.ts'
import { makeDigestAskAgain, makeRepairDecisionClick } from './digest-notices.ts'
import { makeEditSqlClick, makeSqlSubmitted } from './edit-sql.ts'
import { makeFeedbackSubmitted, makeVoteClick } from './feedback.ts'
import {
  type HomeListenerDeps,
  makeAppHomeOpened,
  makeHomeDigestsPage,
  makeHomeExampleClick,
  makeHomeJobClick,
  makeHomeProposalClick,
  makeHomeProposalEdit,
  makeHomeProposalSubmitted,
  makeHomeProposedQueryClick,
  makeHomeRebuildClick,
  makeHomeRuleClick,
  makeHomeStaleQueryClick,
  makeShowHome,
} from './home.ts'
import {
  makeMemberJoined,
  makeMentionListener,
  makeMessageListener,
  makeReceiveOrReport,
} from './messages.ts'
import {
  makeRejectSubmitted,
  makeReviewApprove,
  makeReviewFix,
  makeReviewReject,
  makeReviewShowSql,
} from './review-decisions.ts'
import { makeSuggestPrompts } from './suggest-prompts.ts'
import { makeSettleVerifiedClick, makeShowVerifiedSql } from './verified-queries.ts'

/** Matches ids that end in a number: one listener for all of them. */
const family = (prefix: string): RegExp => new RegExp(`^${prefix}\\d+$`)

/** Registers everything the bot reacts to. A test compares this with manifest.yml. */
export const registerListeners = (app: App, useCases: SlackUseCases, background: Background): void => {
  const receiveOrReport = makeReceiveOrReport(background, Date.now)
  app.event('app_mention', makeMentionListener(useCases, receiveOrReport))
  app.event('message', makeMessageListener(useCases, receiveOrReport))
  const showHome = makeShowHome(useCases)
  const home = { showHome, background }
  app.event('app_home_opened', makeAppHomeOpened(showHome, makeSuggestPrompts(useCases), background))
  app.event('member_joined_channel', makeMemberJoined(useCases))
  app.event('app_uninstalled', makeAppUninstalled(useCases))
  app.event('tokens_revoked', makeTokensRevoked(useCases))
  app.command('/querent', makeQuerentCommand(useCases, background))
  app.action(family(actionIds.homeExample), makeHomeExampleClick(useCases, home))
  app.action(actionIds.homeRuleAccept, makeHomeRuleClick('accepted', useCases, home))
  app.action(actionIds.homeRuleReject, makeHomeRuleClick('rejected', useCases, home))
  app.action(actionIds.homeProposalAccept, makeHomeProposalClick('accepted', useCases, home))
  app.action(actionIds.homeProposalReject, makeHomeProposalClick('rejected', useCases, home))
  app.action(actionIds.homeProposalEdit, makeHomeProposalEdit(useCases, home))
  app.view(callbackIds.proposal, makeHomeProposalSubmitted(useCases, home))
  app.action(actionIds.homeVerifiedAccept, makeHomeProposedQueryClick('accept', useCases, home))
  app.action(actionIds.homeVerifiedRemove, makeHomeProposedQueryClick('remove', useCases, home))
  app.action(actionIds.homeStaleKeep, makeHomeStaleQueryClick('keep', useCases, home))
  app.action(actionIds.homeStaleRemove, makeHomeStaleQueryClick('remove', useCases, home))
  app.action(actionIds.homeRebuild, makeHomeRebuildClick(useCases, home))
  app.action(actionIds.homeJobRetry, makeHomeJobClick('retry', useCases, home))
  app.action(actionIds.homeJobDrop, makeHomeJobClick('drop', useCases, home))
  app.action(actionIds.stop, makeStopClick(useCases))
  registerAnswerListeners(app, useCases, background)
  registerDigestListeners(app, useCases, home)
  app.action(family(actionIds.clarifyOption), makeClarificationOptionClick(useCases))
  app.action(actionIds.somethingElse, makeSomethingElseClick(useCases))
  app.action(family(actionIds.askExample), makeExampleClick(useCases))
  app.action(actionIds.verifiedKeep, makeSettleVerifiedClick('keep', useCases, background))
  app.action(actionIds.verifiedRemove, makeSettleVerifiedClick('remove', useCases, background))
  app.action(actionIds.verifiedShowSql, makeShowVerifiedSql(useCases))
  app.view(callbackIds.somethingElse, makeSomethingElseSubmitted(useCases))
}

/** Registers everything people can do with an answer. */
const registerAnswerListeners = (
  app: App,
  useCases: AnswerUseCases & Pick<SlackUseCases, 'delivery' | 'runAgain' | 'sendExport'>,
  background: Background,
): void => {
  app.action(actionIds.showSql, makeShowSqlClick(useCases))
  app.action(actionIds.exportCsv, makeExportCsvClick(useCases))
  app.action(actionIds.editSql, makeEditSqlClick(useCases))
  app.action(actionIds.runAgain, makeRunAgainClick(useCases))
  app.action(actionIds.postToThread, makePostToThreadClick(useCases, background))
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

/** Registers everything people can do with digests: from an answer, in their messages and in App Home. */
const registerDigestListeners = (
  app: App,
  useCases: Pick<
    SlackUseCases,
    'digests' | 'findAnswered' | 'findRefusal' | 'ask' | 'findAskRefusal' | 'pendingQuestions'
  >,
  home: HomeListenerDeps,
): void => {
  const { background } = home
  app.action(actionIds.schedule, makeScheduleClick(useCases))
  app.action(actionIds.digestRun, makeDigestActionClick('runNow', useCases, home))
  app.action(actionIds.digestPause, makeDigestActionClick('pause', useCases, home))
  app.action(actionIds.digestResume, makeDigestActionClick('resume', useCases, home))
  app.action(actionIds.digestDelete, makeDigestActionClick('remove', useCases, home))
  app.action(actionIds.digestEdit, makeDigestEditClick(useCases, home))
  app.action(actionIds.digestHandOver, makeDigestHandOverClick(useCases, home))
  app.action(actionIds.digestShowSql, makeDigestShowSqlClick(useCases, home))
  app.action(actionIds.digestAskAgain, makeDigestAskAgain(useCases, home))
  app.action(actionIds.digestRepairCompare, makeDigestCompareClick(useCases, home))
  app.action(actionIds.digestRepairAccept, makeRepairDecisionClick('accept', useCases, background))
  app.action(actionIds.digestRepairAcceptOther, makeRepairDecisionClick('accept-other', useCases, background))
  app.action(actionIds.digestRepairRefuse, makeRepairDecisionClick('refuse', useCases, background))
  app.action(actionIds.homeDigestsPrevious, makeHomeDigestsPage(home))
  app.action(actionIds.homeDigestsNext, makeHomeDigestsPage(home))
  app.view(callbackIds.schedule, makeScheduleSubmitted(useCases, background))
  app.view(callbackIds.digestEdit, makeDigestEditSubmitted(useCases, home))
  app.view(callbackIds.digestHandOver, makeHandOverSubmitted(useCases, home))
}

/** A workspace has removed the app. */
const makeAppUninstalled =
  ({ removeInstallation }: Pick<SlackUseCases, 'removeInstallation'>) =>
  async ({ body }: SlackEventMiddlewareArgs<'app_uninstalled'> & AllMiddlewareArgs): Promise<void> => {
    await removeInstallation(body.team_id, removalTime(body.event_time))
  }

/** Tokens of the app were revoked in a workspace; without the bot's token it can do nothing there. */
const makeTokensRevoked =
  ({ removeInstallation }: Pick<SlackUseCases, 'removeInstallation'>) =>
  async ({ body, event }: SlackEventMiddlewareArgs<'tokens_revoked'> & AllMiddlewareArgs): Promise<void> => {
    if ((event.tokens.bot ?? []).length > 0)
      await removeInstallation(body.team_id, removalTime(body.event_time))
  }

/** Slack rounds down to seconds: an installation in the same second is older than its removal. */
const removalTime = (seconds: number): Date => new Date((seconds + 1) * 1000)
