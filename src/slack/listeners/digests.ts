import type { App } from '@slack/bolt'
import { actionIds, callbackIds } from '../action-ids.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { makeDigestAskAgain } from './actions/digest-ask-again.ts'
import {
  makeDigestActionClick,
  makeDigestCompareClick,
  makeDigestEditClick,
  makeDigestHandOverClick,
  makeDigestShowSqlClick,
} from './actions/digest-buttons.ts'
import { makeRepairDecisionClick } from './actions/digest-repair.ts'
import { makeHomeDigestsPage } from './actions/home-digests-page.ts'
import { makeScheduleClick } from './actions/schedule-answer.ts'
import type { DigestListenerDeps } from './digest-click.ts'
import { makeDigestEditSubmitted } from './views/digest-edit-submitted.ts'
import { makeHandOverSubmitted } from './views/hand-over-submitted.ts'
import { makeScheduleSubmitted } from './views/schedule-submitted.ts'

/** Everything that can be done with digests, from an answer, their messages and App Home. */
export const registerDigestListeners = (
  app: App,
  useCases: Pick<SlackUseCases, 'digests' | 'findAnswered' | 'ask' | 'whyMayNotAsk' | 'promises'>,
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
