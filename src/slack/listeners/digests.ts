import type { App } from '@slack/bolt'
import { actionIds, callbackIds } from '../action-ids.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { makeDigestAskAgain } from './actions/digest-ask-again.ts'
import {
  makeDigestButton,
  makeDigestCompare,
  makeDigestEdit,
  makeDigestHandOver,
  makeDigestShowSql,
} from './actions/digest-buttons.ts'
import { makeDigestRepair } from './actions/digest-repair.ts'
import { makeHomeDigestsPage } from './actions/home-digests-page.ts'
import { makeScheduleAnswer } from './actions/schedule-answer.ts'
import type { AroundDigests } from './digest-click.ts'
import { makeDigestEditSubmitted } from './views/digest-edit-submitted.ts'
import { makeHandOverSubmitted } from './views/hand-over-submitted.ts'
import { makeScheduleSubmitted } from './views/schedule-submitted.ts'

/** Everything that can be done with digests, from an answer, their messages and App Home. */
export const registerDigestListeners = (
  app: App,
  useCases: Pick<SlackUseCases, 'digests' | 'findAnswered' | 'ask' | 'whyMayNotAsk' | 'promises'>,
  around: AroundDigests,
): void => {
  const { background } = around
  app.action(actionIds.schedule, makeScheduleAnswer(useCases))
  app.action(actionIds.digestRun, makeDigestButton('runNow', useCases, around))
  app.action(actionIds.digestPause, makeDigestButton('pause', useCases, around))
  app.action(actionIds.digestResume, makeDigestButton('resume', useCases, around))
  app.action(actionIds.digestDelete, makeDigestButton('remove', useCases, around))
  app.action(actionIds.digestEdit, makeDigestEdit(useCases, around))
  app.action(actionIds.digestHandOver, makeDigestHandOver(useCases, around))
  app.action(actionIds.digestShowSql, makeDigestShowSql(useCases, around))
  app.action(actionIds.digestAskAgain, makeDigestAskAgain(useCases, around))
  app.action(actionIds.digestRepair, makeDigestCompare(useCases, around))
  app.action(actionIds.digestRepairAccept, makeDigestRepair('accept', useCases, background))
  app.action(actionIds.digestRepairAcceptOther, makeDigestRepair('accept-other', useCases, background))
  app.action(actionIds.digestRepairRefuse, makeDigestRepair('refuse', useCases, background))
  app.action(actionIds.homeDigestsBack, makeHomeDigestsPage(around))
  app.action(actionIds.homeDigestsOn, makeHomeDigestsPage(around))
  app.view(callbackIds.schedule, makeScheduleSubmitted(useCases, background))
  app.view(callbackIds.digestEdit, makeDigestEditSubmitted(useCases, around))
  app.view(callbackIds.digestHandOver, makeHandOverSubmitted(useCases, around))
}
