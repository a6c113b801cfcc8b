import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import type { View } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { HomeFacts } from '../../domain/home.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { digestsPerPage, type HomeDigests, homeView } from '../views/home.ts'
import type { Background } from './background.ts'

/** A person opened our Home tab. Its facts may take longer to collect than Slack waits. */
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

const findWorkspaceUrl = async (client: WebClient): Promise<string | null> => {
  const { url } = await client.auth.test()
  return url ?? null
}

/**
 * Publishes a person's Home tab as it is now, with a note on what was just done. `digestsFrom`: the offset of the first
 * digest that is shown.
 */
export type ShowHome = (
  client: WebClient,
  asker: { readonly person: string; readonly team: string },
  note?: string,
  digestsFrom?: number,
) => Promise<void>

/** What listeners need to show App Home after a click. */
export interface HomeListenerDeps {
  readonly showHome: ShowHome
  readonly background: Background
}

/** The address of each workspace is looked up once; without it there are no links. */
export const makeShowHome = ({
  describeHome,
  digests,
  isAdmin,
}: Pick<SlackUseCases, 'describeHome' | 'digests' | 'isAdmin'>): ShowHome => {
  const workspaceUrls = new Map<string, Promise<string | null>>()
  const findUrl = (client: WebClient, team: string): Promise<string | null> => {
    const known = workspaceUrls.get(team)
    if (known) return known
    const asked = findWorkspaceUrl(client).catch(() => {
      workspaceUrls.delete(team)
      return null
    })
    workspaceUrls.set(team, asked)
    return asked
  }
  const listDigests = async (
    asker: { readonly person: string; readonly team: string },
    offset: number,
  ): Promise<HomeDigests> => {
    const all = isAdmin(asker.person)
    const listed = await digests.list({ ...asker, all, offset, limit: digestsPerPage })
    // The last digest of a page may just have been deleted.
    return listed.digests.length === 0 && offset > 0
      ? listDigests(asker, Math.max(0, offset - digestsPerPage))
      : { ...listed, offset, all }
  }
  return async (client, asker, note, digestsFrom = 0) => {
    const [facts, url, shownDigests] = await Promise.all([
      describeHome(asker),
      findUrl(client, asker.team),
      listDigests(asker, digestsFrom),
    ])
    const publish = async (shown: HomeFacts): Promise<void> => {
      const view = homeView(shown, {
        workspaceUrl: url,
        digests: shownDigests,
        ...(note !== undefined && { note }),
      })
      await client.views.publish({ user_id: asker.person, view: view as unknown as View })
    }
    await publish(facts)
    if (facts.isPartial) await publish(await describeHome(asker, { patient: true }))
  }
}
