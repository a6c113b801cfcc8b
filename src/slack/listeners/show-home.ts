import type { View } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { HomeFacts } from '../../core/home.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { homeView } from '../views/home.ts'

const urlOf = async (client: WebClient): Promise<string | null> => {
  const { url } = await client.auth.test()
  return url ?? null
}

/** Shows somebody's Home tab as things stand now, with a word on what was just done. */
export type ShowHome = (
  client: WebClient,
  asker: { readonly person: string; readonly team: string },
  note?: string,
) => Promise<void>

/** Makes it. The address of the workspace is asked for once; without it there are no links. */
export const makeShowHome = ({ describeHome }: Pick<SlackUseCases, 'describeHome'>): ShowHome => {
  let workspaceUrl: Promise<string | null> | null = null
  const findUrl = (client: WebClient): Promise<string | null> => {
    workspaceUrl ??= urlOf(client).catch(() => {
      workspaceUrl = null
      return null
    })
    return workspaceUrl
  }
  return async (client, asker, note) => {
    const [facts, url] = await Promise.all([describeHome(asker), findUrl(client)])
    const publish = async (shown: HomeFacts): Promise<void> => {
      const view = homeView(shown, { workspaceUrl: url, ...(note !== undefined && { note }) })
      await client.views.publish({ user_id: asker.person, view: view as unknown as View })
    }
    await publish(facts)
    if (facts.isPartial) await publish(await describeHome(asker, { patient: true }))
  }
}
