import type { App } from '@slack/bolt'
import { actionIds, callbackIds } from '../action-ids.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { makeAskExample } from './actions/ask-example.ts'
import { makeClarifyElse } from './actions/clarify-else.ts'
import { makeClarifyOption } from './actions/clarify-option.ts'
import { makeHomeAsk, makeHomeRebuild, makeHomeRule, makeHomeStale } from './actions/home-buttons.ts'
import { makeHomeJob } from './actions/home-job.ts'
import { makeSettleVerifiedClick } from './actions/settle-verified.ts'
import { makeShowVerifiedSql } from './actions/show-verified-sql.ts'
import { makeStop } from './actions/stop.ts'
import { registerAnswerListeners } from './answers.ts'
import type { Background } from './background.ts'
import { makeQuerentCommand } from './commands/querent.ts'
import { registerDigestListeners } from './digests.ts'
import { makeAppHomeOpened } from './events/app-home-opened.ts'
import { makeAppMention } from './events/app-mention.ts'
import { makeAppUninstalled, makeTokensRevoked } from './events/app-removed.ts'
import { makeMessage } from './events/message.ts'
import { makeHearOrSay } from './hear-or-say.ts'
import { makeShowHome } from './show-home.ts'
import { makeClarifyElseSubmitted } from './views/clarify-else-submitted.ts'

/** Ids that end in a number: one listener for the whole family. */
const family = (prefix: string): RegExp => new RegExp(`^${prefix}\\d+$`)

/** Everything the bot reacts to. Nothing else registers a listener; a test compares this with manifest.yml. */
export const registerListeners = (app: App, useCases: SlackUseCases, background: Background): void => {
  const hearOrSay = makeHearOrSay(background, Date.now)
  app.event('app_mention', makeAppMention(useCases, hearOrSay))
  app.event('message', makeMessage(useCases, hearOrSay))
  const showHome = makeShowHome(useCases)
  const around = { showHome, background }
  app.event('app_home_opened', makeAppHomeOpened(showHome, background))
  app.event('app_uninstalled', makeAppUninstalled(useCases))
  app.event('tokens_revoked', makeTokensRevoked(useCases))
  app.command('/querent', makeQuerentCommand(useCases, background))
  app.action(family(actionIds.homeAsk), makeHomeAsk(useCases, around))
  app.action(actionIds.homeRuleAccept, makeHomeRule('accepted', useCases, around))
  app.action(actionIds.homeRuleReject, makeHomeRule('rejected', useCases, around))
  app.action(actionIds.homeStaleKeep, makeHomeStale('keep', useCases, around))
  app.action(actionIds.homeStaleRemove, makeHomeStale('remove', useCases, around))
  app.action(actionIds.homeRebuild, makeHomeRebuild(useCases, around))
  app.action(actionIds.homeJobRetry, makeHomeJob('retry', useCases, around))
  app.action(actionIds.homeJobDrop, makeHomeJob('drop', useCases, around))
  app.action(actionIds.stop, makeStop(useCases))
  registerAnswerListeners(app, useCases, background)
  registerDigestListeners(app, useCases, around)
  app.action(family(actionIds.clarifyOption), makeClarifyOption(useCases))
  app.action(actionIds.clarifyElse, makeClarifyElse(useCases))
  app.action(family(actionIds.askExample), makeAskExample(useCases))
  app.action(actionIds.verifiedKeep, makeSettleVerifiedClick('keep', useCases, background))
  app.action(actionIds.verifiedRemove, makeSettleVerifiedClick('remove', useCases, background))
  app.action(actionIds.verifiedShowSql, makeShowVerifiedSql(useCases))
  app.view(callbackIds.clarifyElse, makeClarifyElseSubmitted(useCases))
}
