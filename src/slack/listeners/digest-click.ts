import type { BlockAction } from '@slack/bolt'
import type { Digest } from '../../core/digest.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { type DigestKey, readDigestKey } from '../views/digest-key.ts'
import type { Background } from './background.ts'
import type { ButtonClickArgs } from './button-click-args.ts'
import { readClick } from './click.ts'
import { findDigest } from './find-digest.ts'
import type { ShowHome } from './show-home.ts'
import { sendEphemeral } from './tell-person.ts'

/** What the listeners of digests have around them. */
export interface DigestListenerDeps {
  readonly showHome: ShowHome
  readonly background: Background
}

/** A click on a button of a digest, by somebody who may. */
export interface DigestClick {
  readonly digest: Digest
  readonly key: DigestKey
  readonly person: string
  readonly team: string
  /** The same for a click that is delivered again. */
  readonly request: string
  readonly args: ButtonClickArgs
}

/** Told when a click broke. */
export const clickFailedText = 'That did not work. Try again in a moment; the log says more.'

/**
 * Makes the listener of a button of a digest, wherever it stands: what `act` says is told to whoever clicked, alone in the
 * channel of a message, or at the top of App Home. Null says nothing.
 */
export const onDigestClick =
  (
    what: string,
    act: (click: DigestClick) => Promise<string | null>,
    { digests }: Pick<SlackUseCases, 'digests'>,
    { showHome, background }: DigestListenerDeps,
  ) =>
  async (args: ButtonClickArgs): Promise<void> => {
    const { ack, action, body, client } = args
    await ack()
    const key = readDigestKey(action.value)
    const person = body.user.id
    const team = body.team?.id ?? body.user.team_id ?? ''
    if (!key) return
    const tell = async (said: string): Promise<void> => {
      const click = readClick(body)
      if (click) await sendEphemeral(client, click, said)
      else await showHome(client, { person, team }, said, key.offset ?? 0)
    }
    background.run(what, async () => {
      try {
        const found = await findDigest(digests, { digestId: key.digestId, person, team })
        const said =
          found.status === 'found'
            ? await act({ digest: found.digest, key, person, team, request: requestIdOf(args), args })
            : found.said
        if (said !== null) await tell(said)
      } catch (error) {
        await tell(clickFailedText)
        throw error
      }
    })
  }

/** App Home is new after every click that did something; in a message each click is one, and its use case joins two. */
const requestIdOf = ({ body, action }: { readonly body: BlockAction } & Pick<ButtonClickArgs, 'action'>) =>
  body.view
    ? `${body.view.id}:${body.view.hash}:${action.action_id}`
    : `${body.container?.message_ts}:${body.user.id}:${action.action_ts}`
