import { setTimeout as sleep } from 'node:timers/promises'
import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { View } from '@slack/types'
import type { Revised } from '../../core/answer-revision.ts'
import { QuerentError } from '../../core/errors.ts'
import type { Place } from '../../core/place.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import type { Modal } from '../views/modal.ts'
import { noticeModal } from '../views/notice-modal.ts'
import type { Background } from './background.ts'
import { sayNotRevised } from './say-revised.ts'

/** Slack waits three seconds for the answer to a form. */
const PATIENCE_MS = 1_500

/**
 * Changes an answer from a form. What is refused is said at the field, and the form stays; what takes longer than Slack
 * waits goes on behind a notice, which then says how it ended, or gives the form back with what was wrong.
 */
export const reviseInModal = async (
  { ack, body, view, client }: SlackViewMiddlewareArgs & AllMiddlewareArgs,
  background: Background,
  given: {
    readonly work: Promise<Revised>
    /** Called once the answer has changed. */
    readonly done: (revised: Extract<Revised, { status: 'revised' }>) => Promise<unknown>
    /** Where what is wrong is shown. */
    readonly errorBlock: string
    /** The form again, with what was wrong. */
    readonly formAgain: (problem: string) => Modal
    readonly place: Place
  },
): Promise<void> => {
  const work = given.work.catch(
    (error: unknown): Revised => ({
      status: 'unfit',
      reason:
        error instanceof QuerentError ? error.message : 'something broke on my side. Try again in a moment.',
    }),
  )
  const quick = await Promise.race([work, sleep(PATIENCE_MS, null)])
  if (quick) {
    const problem = sayNotRevised(quick)
    if (problem !== null) await ack({ response_action: 'errors', errors: { [given.errorBlock]: problem } })
    else await ack()
    if (quick.status === 'revised') background.run('showing a changed answer', () => given.done(quick))
    return
  }
  const running = noticeModal(
    'Running',
    'The query is running. You may close this: the answer in the thread changes when it is done.',
  )
  await ack({ response_action: 'update', view: running as View })
  background.run('running SQL of a person', async () => {
    const revised = await work
    const problem = sayNotRevised(revised)
    const next =
      problem === null
        ? noticeModal('Done', 'The answer in the thread shows your result now.')
        : given.formAgain(problem)
    try {
      await client.views.update({ view_id: view.id, view: next as View })
    } catch {
      // The modal was closed meanwhile; what went wrong must still be said.
      if (problem !== null) {
        const { channel, thread } = given.place
        await client.chat.postEphemeral({
          channel,
          user: body.user.id,
          thread_ts: thread,
          text: escapeMrkdwn(problem),
        })
      }
    }
    if (revised.status === 'revised') await given.done(revised)
  })
}
