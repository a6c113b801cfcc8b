import { randomBytes } from 'node:crypto'
import type { Timers } from '../make-timers.ts'
import type { Bot } from '../workspace.ts'
import { type DrawnEventFault, type EventFaults, makeDrawEventFault } from './event-faults.ts'
import type { Heard, SendToBot } from './make-send-to-bot.ts'

/** An event as its own type describes it, without the envelope. */
export interface SlackEvent {
  readonly type: string
  readonly [field: string]: unknown
}

/** Delivers events as Slack does: each in its own envelope, and again if it is not acknowledged. */
export interface EventDelivery {
  /** Starts the delivery and does not wait for it. */
  deliver(event: SlackEvent): void
  setFaults(faults: EventFaults): void
  /** Resolves once no delivery or retry is running. */
  settled(): Promise<void>
}

const retryReasons: Record<Heard['outcome'], string> = {
  acknowledged: 'unknown_error',
  refused: 'http_error',
  'timed-out': 'http_timeout',
  unreachable: 'connection_failed',
}

export const makeDeliverEvent = (deps: {
  readonly send: SendToBot
  readonly timers: Timers
  readonly retryAfter: readonly number[]
  readonly teamId: string
  readonly bot: Bot
  readonly now: () => Date
}): EventDelivery => {
  let faults: EventFaults = {}
  let draw = (): DrawnEventFault => ({ copies: 1, delayMs: 0, unheard: false })
  const held: SlackEvent[] = []
  const underWay = new Set<Promise<void>>()

  const deliverOnce = async (
    envelope: Readonly<Record<string, unknown>>,
    type: string,
    unheard: boolean,
  ): Promise<void> => {
    let retryReason: string | null = null
    for (let retry = 0; retry <= deps.retryAfter.length; retry += 1) {
      if (retry > 0 && !(await deps.timers.sleep(deps.retryAfter[retry - 1] ?? 0))) return
      const heard = await deps.send({
        kind: 'event',
        type,
        eventId: String(envelope.event_id),
        retry,
        retryReason,
        contentType: 'application/json',
        body: JSON.stringify(envelope),
        shown: envelope,
      })
      const lost = unheard && retry === 0 && heard.outcome === 'acknowledged'
      if (!lost && (heard.outcome === 'acknowledged' || heard.noRetry)) return
      retryReason = lost ? 'http_timeout' : retryReasons[heard.outcome]
    }
  }

  const begin = (event: SlackEvent): Promise<void> => {
    const envelope = envelopeOf(event, deps)
    const drawn = draw()
    const delay = (faults.delayMs ?? 0) + drawn.delayMs
    const work = async (): Promise<void> => {
      if (delay > 0 && !(await deps.timers.sleep(delay))) return
      const copies = Array.from({ length: Math.max(faults.copies ?? 1, drawn.copies) }, () =>
        deliverOnce(envelope, event.type, drawn.unheard),
      )
      await Promise.all(copies)
    }
    const done = work().finally(() => underWay.delete(done))
    underWay.add(done)
    return done
  }

  /** One after the other, so that they arrive in order. */
  const releaseHeld = async (): Promise<void> => {
    for (const event of held.splice(0).toReversed()) await begin(event)
  }

  return {
    deliver: event => {
      const window = faults.reverseWithinMs ?? 0
      if (window === 0) {
        void begin(event)
        return
      }
      held.push(event)
      if (held.length === 1) {
        const waiting = deps.timers.sleep(window).then(releaseHeld)
        const done = waiting.finally(() => underWay.delete(done))
        underWay.add(done)
      }
    },
    setFaults: given => {
      faults = given
      draw = given.plan ? makeDrawEventFault(given.plan) : () => ({ copies: 1, delayMs: 0, unheard: false })
    },
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

const envelopeOf = (
  event: SlackEvent,
  { teamId, bot, now }: { readonly teamId: string; readonly bot: Bot; readonly now: () => Date },
): Record<string, unknown> => ({
  token: 'simulator',
  team_id: teamId,
  context_team_id: teamId,
  context_enterprise_id: null,
  api_app_id: bot.appId,
  event,
  type: 'event_callback',
  event_id: `Ev0${randomBytes(5).toString('hex').toUpperCase()}`,
  event_time: Math.floor(now().getTime() / 1_000),
  authorizations: [
    { enterprise_id: null, team_id: teamId, user_id: bot.id, is_bot: true, is_enterprise_install: false },
  ],
  is_ext_shared_channel: false,
  event_context: `4-${randomBytes(12).toString('hex')}`,
})
