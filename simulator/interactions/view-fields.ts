import type { OpenView } from '../shapes/view.ts'
import type { Workspace } from '../workspace.ts'

/** A view as the bot sees it in responses and interactions. */
export const viewFields = (
  open: OpenView,
  { bot, team }: Pick<Workspace, 'bot' | 'team'>,
): Record<string, unknown> => ({
  private_metadata: '',
  callback_id: '',
  external_id: '',
  title: null,
  submit: null,
  close: null,
  clear_on_close: false,
  notify_on_close: false,
  ...open.view,
  id: open.id,
  team_id: team.id,
  state: { values: open.state },
  hash: open.hash,
  previous_view_id: open.previousId,
  root_view_id: open.rootId,
  app_id: bot.appId,
  app_installed_team_id: team.id,
  bot_id: bot.botId,
})
