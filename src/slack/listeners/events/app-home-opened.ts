import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import type { Background } from '../background.ts'
import type { ShowHome } from '../show-home.ts'

/** Somebody opened our Home tab. What it shows may take longer to find than Slack waits. */
export const makeAppHomeOpened =
  (showHome: ShowHome, background: Background) =>
  async ({
    event,
    body,
    client,
  }: SlackEventMiddlewareArgs<'app_home_opened'> & AllMiddlewareArgs): Promise<void> => {
    if (event.tab !== 'home') return
    background.run('showing Home', () => showHome(client, { person: event.user, team: body.team_id }))
  }
