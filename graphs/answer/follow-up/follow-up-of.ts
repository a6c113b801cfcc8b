import type { FollowUp } from '../../../src/core/follow-up.ts'
import type { ConversationTurn } from '../../../src/core/thread.ts'

/** Changes that are traced back at most; what is older is taken as the question that it was read as. */
const LONGEST_CHAIN = 8

/** A message as a change of an answered question. `askedAt` is ISO. */
export const followUpOf = (said: string, askedAt: string, turn: ConversationTurn): FollowUp => {
  const own = { askedAt: turn.askedAt.toISOString(), sql: turn.sql }
  const chain =
    turn.chain.length > 0 ? [...turn.chain, { text: turn.said, ...own }] : [{ text: turn.text, ...own }]
  // A chain that has lost its beginning cannot be read again: then the words have to do.
  const kept = chain.length > LONGEST_CHAIN ? [{ text: turn.text, ...own }] : chain
  return { said, askedAt, before: turn.text, chain: kept, confidence: turn.confidence }
}
