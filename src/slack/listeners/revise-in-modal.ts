import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { Revised } from '../../core/answer-revision.ts'
import { QuerentError } from '../../core/errors.ts'
import type { Place } from '../../core/place.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import type { EditProblem } from '../views/edit-modal.ts'
import type { Modal } from '../views/modal.ts'
import { noticeModal } from '../views/notice-modal.ts'
import type { Background } from './background.ts'
import { type FormOutcome, finishInModal } from './finish-in-modal.ts'
import { sayNotRevised } from './say-revised.ts'

/** Changes an answer from a form. */
export const reviseInModal = async (
  args: SlackViewMiddlewareArgs & AllMiddlewareArgs,
  background: Background,
  given: {
    readonly work: Promise<Revised>
    /** Called once the answer has changed. */
    readonly done: (revised: Extract<Revised, { status: 'revised' }>) => Promise<unknown>
    /** Where what is wrong is shown. */
    readonly errorBlock: string
    /** The form again, with what was wrong. */
    readonly formAgain: (problem: EditProblem) => Modal
    readonly place: Place
  },
): Promise<void> => {
  const refused = (problem: string): FormOutcome => ({
    status: 'refused',
    errors: { [given.errorBlock]: problem },
    formAgain: given.formAgain({ is: 'wrong', said: problem }),
    said: problem,
  })
  const isHeavy = (reason: string): FormOutcome => ({
    status: 'refused',
    errors: null,
    formAgain: given.formAgain({ is: 'too-heavy', said: reason }),
    said: `${reason} Use the form again to have it run all the same.`,
  })
  const outcomeOf = (revised: Revised): FormOutcome => {
    if (revised.status === 'too-heavy') return isHeavy(revised.reason)
    if (revised.status !== 'revised') return refused(sayNotRevised(revised) ?? '')
    return {
      status: 'done',
      atOnce: null,
      later: noticeModal('Done', 'The answer in the thread shows your result now.'),
      afterwards: () => given.done(revised),
    }
  }
  const { channel, thread } = given.place
  await finishInModal(args, background, {
    what: 'changing an answer from a form',
    work: given.work.then(outcomeOf, error =>
      refused(
        error instanceof QuerentError ? error.message : 'something broke on my side. Try again in a moment.',
      ),
    ),
    running: noticeModal(
      'Running',
      'The query is running. You may close this: the answer in the thread changes when it is done.',
    ),
    tell: said =>
      args.client.chat.postEphemeral({
        channel,
        user: args.body.user.id,
        thread_ts: thread,
        text: escapeMrkdwn(said),
      }),
  })
}
