import type { NotAllowed } from '../../core/access.ts'
import type { Log } from '../../core/log.ts'
import type { SlackLocation } from '../../core/place.ts'

/**
 * Tells somebody alone why they are not answered: where they asked, or in the thread below it, with `inThread`, where that
 * is what they look at.
 */
export type NotifyPrivately = (
  place: SlackLocation,
  person: string,
  refusal: NotAllowed,
  options?: { readonly inThread: boolean },
) => Promise<void>

/**
 * Makes telling that happens once a person and thread: in a thread of ours, somebody who may not ask would be told so
 * again with every word. That it could not be told is logged; the message is not delivered again for it.
 */
export const makeNotifyRefused =
  (deps: {
    /** False when it was claimed before. */
    readonly claim: (key: string) => Promise<boolean>
    readonly tellAlone: NotifyPrivately
    readonly log: Log
  }): NotifyPrivately =>
  async (place, person, refusal) => {
    const { team, channel, thread } = place
    if (!(await deps.claim(`refused:${team}:${channel}:${thread}:${person}`))) return
    await deps.tellAlone(place, person, refusal).catch((error: unknown) => {
      deps.log.warn({ error, channel, person }, 'somebody could not be told why they are not answered')
    })
  }
