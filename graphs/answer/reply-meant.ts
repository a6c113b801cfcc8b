import type { Clarification, ClarificationReply } from '../../src/core/clarification.ts'
import { yesOrNo } from './heavy/ask-to-run.ts'
import { matchOption } from './option-meant.ts'

/** The number of the option (from 1) that a reply takes, clicked or in words; null where its words say something else. */
export const matchReply = (
  reply: ClarificationReply,
  clarification: Pick<Clarification, 'options'>,
): number | null =>
  reply.kind === 'option'
    ? reply.number
    : (yesOrNo(reply.text, clarification) ?? matchOption(reply.text, clarification))
