import type { ButtonClickArgs } from '../button-click-args.ts'
import type { DigestListenerDeps } from '../digest-click.ts'

/** `Previous` and `Next`: another page of digests in App Home. */
export const makeHomeDigestsPage =
  ({ showHome, background }: DigestListenerDeps) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const team = body.team?.id ?? body.user.team_id ?? ''
    if (!/^\d{1,6}$/.test(action.value ?? '') || !team) return
    const from = Number(action.value)
    background.run('turning a page of Home', () =>
      showHome(client, { person: body.user.id, team }, undefined, from),
    )
  }
