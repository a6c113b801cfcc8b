import type { App } from '@slack/bolt'
import { actionIds, callbackIds } from '../action-ids.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { makeExampleClick } from './actions/ask-example.ts'
import { makeSomethingElseClick } from './actions/clarify-else.ts'
import { makeClarificationOptionClick } from './actions/clarify-option.ts'
import {
  makeHomeExampleClick,
  makeHomeRebuildClick,
  makeHomeRuleClick,
  makeHomeStaleQueryClick,
} from './actions/home-buttons.ts'
import { makeHomeJobClick } from './actions/home-job.ts'
import { makeSettleVerifiedClick } from './actions/settle-verified.ts'
import { makeShowVerifiedSql } from './actions/show-verified-sql.ts'
import { makeStopClick } from './actions/stop.ts'
import { registerAnswerListeners } from './answers.ts'
import type { Background } from './background.ts'
import { makeQuerentCommand } from './commands/querent.ts'
import { registerDigestListeners } from './digests.ts'
import { makeAppHomeOpened } from './events/app-home-opened.ts'
import { makeMentionListener } from './events/app-mention.ts'
import { makeAppUninstalled, makeTokensRevoked } from './events/app-removed.ts'
import { makeMessageListener } from './events/message.ts'
import { makeReceiveOrReport } from './hear-or-say.ts'
import { makeShowHome } from './show-home.ts'
import { makeSomethingElseSubmitted } from './views/clarify-else-submitted.ts'

/** Ids that end in a number: one listener for the whole family. */
const family = (prefix: string): RegExp => new RegExp(`^${prefix}\\d+$`)

/** Everything the bot reacts to. Nothing else registers a listener; a test compares this with manifest.yml. */
export const registerListeners = (app: App, useCases: SlackUseCases, background: Background): void => {
  const hearOrSay = makeReceiveOrReport(background, Date.now)
  app.event('app_mention', makeMentionListener(useCases, hearOrSay))
  app.event('message', makeMessageListener(useCases, hearOrSay))
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
