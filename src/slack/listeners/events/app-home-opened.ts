import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import type { View } from '@slack/types'
import type { SlackUseCases } from '../../use-cases.ts'
import { homeView } from '../../views/home.ts'

/** Somebody opened our Home tab: show it as things stand now. */
export const makeAppHomeOpened =
  ({ describeHome }: Pick<SlackUseCases, 'describeHome'>) =>
  async ({
    event,
    client,
  }: SlackEventMiddlewareArgs<'app_home_opened'> & AllMiddlewareArgs): Promise<void> => {
    if (event.tab !== 'home') return
    await client.views.publish({ user_id: event.user, view: homeView(await describeHome()) as View })
  }
