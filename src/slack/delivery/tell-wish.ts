import type { TellWish } from '../../core/digest-wish.ts'
import { wishedDigestView } from '../views/wished-digest.ts'
import type { PostStep } from './post-step.ts'

/** Makes the port: one message in the thread of the question. */
export const makeTellWish =
  ({ postStep }: { readonly postStep: PostStep }): TellWish =>
  async ({ question, place }, outcome) => {
    const { channel, thread } = place
    const step = { questionId: question.id, step: 'digest', channel, thread }
    await postStep(step, wishedDigestView(outcome))
  }
