import type { NotifyDigestRequest } from '../../core/digest-wish.ts'
import { requestedDigestView } from '../views/wished-digest.ts'
import type { PostStepMessage } from './post-step.ts'

/** Makes the port: one message in the thread of the question. */
export const makeNotifyRequestedDigest =
  ({ postStep }: { readonly postStep: PostStepMessage }): NotifyDigestRequest =>
  async ({ question, place }, outcome) => {
    const { channel, thread } = place
    const step = { questionId: question.id, step: 'digest', channel, thread }
    await postStep(step, requestedDigestView(outcome))
  }
