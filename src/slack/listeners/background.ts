import { setTimeout as sleep } from 'node:timers/promises'
import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { View } from '@slack/types'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { Modal } from '../block-kit/modal.ts'

/** Work that goes on after Slack was answered, because it may take longer than the three seconds Slack waits. */
export interface Background {
  /** Starts work. A failure is logged: the person can click again. */
  run(what: string, work: () => Promise<unknown>): void
  /** Resolves when all that was started has ended. */
  settled(): Promise<void>
}

export const makeBackground = (log: Log): Background => {
  const running = new Set<Promise<unknown>>()
  return {
    run: (what, work) => {
      const done = work()
        .catch((error: unknown) => log.warn({ error }, `${what} failed`))
        .finally(() => running.delete(done))
      running.add(done)
    },
    settled: async () => {
      await Promise.allSettled([...running])
    },
  }
}

/** Slack waits three seconds for the answer to a form. */
export const formTimeoutMs = 1_500

/** How the work behind a form ended. */
export type FormOutcome =
  | {
      readonly status: 'done'
      /** What takes the place of the form at once; null closes it. */
      readonly atOnce: Modal | null
      /** What takes the place of the notice that it is under way. */
      readonly later: Modal
      readonly afterwards?: () => Promise<unknown>
    }
  | {
      readonly status: 'refused'
      /** By block of the form; null where the form comes back with something to decide. */
      readonly errors: Readonly<Record<string, string>> | null
      /** The form again, with what was wrong. */
      readonly formAgain: Modal
      /** The same in a sentence, for whoever closed the form meanwhile. */
      readonly said: string
    }

/**
 * Does the work of a submitted form. What is refused is said at the field, and the form stays; what takes longer than
 * Slack waits goes on behind a notice, which then says how it ended, or gives the form back with what was wrong. `work`
 * must not reject.
 */
export const finishForm = async (
  { ack, view, client }: SlackViewMiddlewareArgs & AllMiddlewareArgs,
  background: Background,
  given: {
    readonly what: string
    readonly work: Promise<FormOutcome>
    /** Shown while it takes longer. */
    readonly running: Modal
    /** Tells somebody who closed the form meanwhile. */
    readonly tell: (said: string) => Promise<unknown>
  },
): Promise<void> => {
  const { what, work } = given
  const quick = await Promise.race([work, sleep(formTimeoutMs, null)])
  if (quick?.status === 'refused') {
    if (quick.errors === null) await ack({ response_action: 'update', view: quick.formAgain as View })
    else await ack({ response_action: 'errors', errors: { ...quick.errors } })
    return
  }
  if (quick) {
    if (quick.atOnce === null) await ack()
    else await ack({ response_action: 'update', view: quick.atOnce as View })
    const { afterwards } = quick
    if (afterwards) background.run(what, afterwards)
    return
  }
  await ack({ response_action: 'update', view: given.running as View })
  background.run(what, async () => {
    const outcome = await work
    try {
      const next = outcome.status === 'done' ? outcome.later : outcome.formAgain
      await client.views.update({ view_id: view.id, view: next as View })
    } catch {
      // The modal was closed meanwhile; what went wrong must still be said.
      if (outcome.status === 'refused') await given.tell(outcome.said)
    }
    if (outcome.status === 'done') await outcome.afterwards?.()
  })
}
